/** What a screen reader hears of each kind of question when it appears, and in which order its buttons are reached. */
import assert from "node:assert/strict";
import type { AskReason, SessionEvent, ToolAction } from "../../../src/domain/chat/chat";
import { asking, groupedEdits, offeredEdit, twoQuestions } from "./approvalScenes";
import { usePanel } from "../support/panelSuite";

interface Question {
  readonly what: string;
  readonly events: readonly SessionEvent[];
  readonly spoken: string;
}

function question(what: string, action: ToolAction, reasons: readonly AskReason[], spoken: string): Question {
  return { what, events: asking({ action, approval: { id: "approval-1", reasons } }), spoken };
}

const read = (path: string): ToolAction => ({ type: "read-file", path });
const edit = (path: string): ToolAction => ({ type: "edit-file", path, changedLines: 3 });

/** The compiler asks for each reason. */
const questions: Readonly<Record<AskReason | "several" | "files", Question>> = {
  "writes-file": question("an edit", edit("a.ts"), ["writes-file"], "Edit a.ts: 3 lines changed (changes a file)"),
  several: {
    what: "several edits",
    events: groupedEdits,
    spoken: "3 changes, 2 files (changes a file)",
  },
  files: question(
    "a file that goes",
    { type: "delete-file", path: "old.ts", trash: true },
    ["writes-file"],
    "Move old.ts to the trash (changes a file)",
  ),
  executed: question(
    "an edit of what something runs",
    edit(".git/hooks/pre-commit"),
    ["writes-file", "executed"],
    "Edit .git/hooks/pre-commit: 3 lines changed (changes a file, changes a file that an editor, a shell, git, CI or an agent would run)",
  ),
  "remote-reference": question(
    "an edit with an address",
    edit("README.md"),
    ["writes-file", "remote-reference"],
    "Edit README.md: 3 lines changed (changes a file, adds an address, which may be loaded without a click)",
  ),
  "fetches-url": question(
    "a page",
    { type: "fetch-url", url: "https://docs.example/a" },
    ["fetches-url"],
    "Fetch https://docs.example/a (sends this address to its server, and reads what that answers)",
  ),
  "not-encrypted": question(
    "a page without encryption",
    { type: "fetch-url", url: "http://docs.example/a" },
    ["fetches-url", "not-encrypted"],
    "Fetch http://docs.example/a (sends this address to its server, and reads what that answers, not encrypted)",
  ),
  "unusual-port": question(
    "a page at another port",
    { type: "fetch-url", url: "https://docs.example:8443/" },
    ["fetches-url", "unusual-port"],
    "Fetch https://docs.example:8443/ (sends this address to its server, and reads what that answers, a port that is unusual for the web)",
  ),
  "after-secret": question(
    "a page after a secret",
    { type: "fetch-url", url: "https://docs.example/a" },
    ["fetches-url", "after-secret"],
    "Fetch https://docs.example/a (sends this address to its server, and reads what that answers, this chat holds a file that may hold a secret, and an address could send it out)",
  ),
  "views-page": question(
    "a page of this machine",
    { type: "view-page", url: "http://localhost:3000/" },
    ["views-page"],
    "Look at http://localhost:3000/ (opens a page of this machine in a browser)",
  ),
  "runs-command": question(
    "a command",
    { type: "run-command", command: "npm test" },
    ["runs-command"],
    "Run `npm test` (runs a program on this computer)",
  ),
  shell: question(
    "a command with a pipe",
    { type: "run-command", command: "ls | wc", folder: "shop" },
    ["runs-command", "shell"],
    "Run `ls | wc` in shop (runs a program on this computer, runs in a shell: more than plain words)",
  ),
  "outside-sandbox": question(
    "a command outside of the sandbox",
    { type: "run-command", command: "make" },
    ["runs-command", "outside-sandbox"],
    "Run `make` (runs a program on this computer, outside of the sandbox: it can reach the network, your files and other programs)",
  ),
  "runs-confined": question(
    "a command of the sandbox",
    { type: "run-command", command: "make" },
    ["runs-confined"],
    "Run `make` (runs a program in the sandbox: it writes this workspace only, and has no network)",
  ),
  "runs-in-place": question(
    "a command of the sandbox that stays",
    { type: "run-command", command: "make", isBackground: true },
    ["runs-in-place", "stays-running"],
    "Start `make` in the background (runs your project's code as your terminal would, but confined to this workspace. It also runs what it or later edits write, goes on until you end it, the window is closed, or an hour passes without output)",
  ),
  "from-copy": question(
    "a file that a command has made on its copy",
    { type: "create-file", path: "Makefile" },
    ["from-copy", "executed"],
    "Create Makefile (a command made this on a copy: nothing of it is in the workspace yet, changes a file that an editor, a shell, git, CI or an agent would run)",
  ),
  link: question(
    "a link of the same kind",
    { type: "create-file", path: "a → b" },
    ["from-copy", "link"],
    "Create a → b (a command made this on a copy: nothing of it is in the workspace yet, a link, which leads elsewhere)",
  ),
  "unknown-kind": question(
    "a file of an unknown kind",
    { type: "create-file", path: "hie.yaml" },
    ["from-copy", "unknown-kind"],
    "Create hie.yaml (a command made this on a copy: nothing of it is in the workspace yet, of a kind that is not known to be plain)",
  ),
  runnable: question(
    "a file that could be run",
    { type: "create-file", path: "tool.js" },
    ["from-copy", "runnable"],
    "Create tool.js (a command made this on a copy: nothing of it is in the workspace yet, may be run then)",
  ),
  "taken-back": question(
    "an edit that was taken back",
    edit("a.ts"),
    ["writes-file", "taken-back"],
    "Edit a.ts: 3 lines changed (changes a file, you have taken this edit back before)",
  ),
  "changed-meanwhile": question(
    "a file that was changed meanwhile",
    edit("a.ts"),
    ["from-copy", "changed-meanwhile"],
    "Edit a.ts: 3 lines changed (a command made this on a copy: nothing of it is in the workspace yet, you or another program changed it meanwhile, and this would replace that)",
  ),
  "stages-foreign": question(
    "a command that adds files of others to git",
    { type: "run-command", command: "git add -A" },
    ["runs-confined", "stages-foreign"],
    "Run `git add -A` (runs a program in the sandbox: it writes this workspace only, and has no network, adds files to git that others may have written: they count as yours from then on)",
  ),
  "stays-running": question(
    "a command that stays",
    { type: "run-command", command: "make" },
    ["runs-command", "stays-running"],
    "Run `make` (runs a program on this computer, goes on until you end it, the window is closed, or an hour passes without output)",
  ),
  "uses-network": question(
    "a command with the network",
    { type: "run-command", command: "make" },
    ["runs-command", "uses-network"],
    "Run `make` (runs a program on this computer, runs a program in the sandbox, but with the network of this computer: it can reach the internet and local services, and others may reach its ports)",
  ),
  "submits-task": question(
    "a paid task",
    { type: "submit-task", taskType: "video", model: "reel-2" },
    ["submits-task"],
    "Submit a task: a video by reel-2 (the gateway charges for it)",
  ),
  "submits-free-task": question(
    "tasks of the local gateway",
    { type: "submit-task", taskType: "async-image", model: "demo-image", count: 3 },
    ["submits-free-task"],
    "Submit 3 tasks: an image each by demo-image (starts a task; the local gateway makes it free of charge)",
  ),
  "cancels-task": question(
    "the end of a task",
    { type: "cancel-task", prompt: "a lighthouse" },
    ["cancels-task"],
    "Cancel the task “a lighthouse” (ends a task that is paid for when it succeeds)",
  ),
  secret: question("a file of secrets", read(".env"), ["secret"], "Read .env (may hold a secret)"),
  ignored: question("a file that git ignores", read("out.log"), ["ignored"], "Read out.log (git ignores it)"),
  "ignore-rules-unreadable": question(
    "a file whose rules can't be read",
    read("a.log"),
    ["ignore-rules-unreadable"],
    "Read a.log (the rules of what git ignores can't be read there)",
  ),
  unlisted: question(
    "a file of a package",
    read("node_modules/a/index.js"),
    ["unlisted"],
    "Read node_modules/a/index.js (lies in a folder of packages or of version control)",
  ),
  "hard-link": question(
    "a file that may lie outside the workspace",
    read("link.txt"),
    ["hard-link"],
    "Read link.txt (has another name on this disk (hard link))",
  ),
  "nested-repository": question(
    "a file of another repository inside of the folder",
    { type: "delete-file", path: "tmp/clone/a.js", trash: false },
    ["nested-repository"],
    "Delete tmp/clone/a.js: no trash here, but Undo brings it back (lies in a repository of its own)",
  ),
  "foreign-tool": question(
    "a tool of another extension or of an MCP server",
    { type: "foreign-tool", name: "mcp_weather_now" },
    ["foreign-tool"],
    "Call the tool mcp_weather_now (another extension or an MCP server does it, by its own rules)",
  ),
};

describe("chat panel, questions as they are heard", () => {
  const { open } = usePanel();

  it("P6, A3: of each kind: the question is announced when it appears, and is the name of the bar that has its buttons", async () => {
    const panel = await open();
    for (const { what, events, spoken } of Object.values(questions)) {
      // The next chat: a page of its own for each kind would take a tenth of a second.
      await panel.show([]);
      await panel.events(...events);
      const sentence = `Approval needed: ${spoken}`;
      assert.equal(await panel.page.locator("[aria-live=polite] > div").last().textContent(), sentence, what);
      const bar = panel.page.getByRole("region", { name: sentence, exact: true });
      const snapshot = await bar.ariaSnapshot();
      // What a command has made is there already: it is applied or left.
      const [yes, no] = spoken.includes("made this on a copy") ? ["Apply", "Leave"] : ["Allow", "Don't Allow"];
      assert.match(snapshot, new RegExp(`- button "${yes}"[^]*- button "${no}"`, "u"), what);
      assert.equal(await panel.page.getByRole("button", { name: no, exact: true }).count(), 1, what);
    }
  });

  it("P6, A3: of two questions each is announced, in their order", async () => {
    const panel = await open();
    await panel.events(...twoQuestions);
    const heard = await panel.page.locator("[aria-live=polite] > div").allTextContents();
    assert.deepEqual(heard, [
      "Approval needed: Edit src/app.ts: 1 line changed (changes a file)",
      "Approval needed: Edit src/other.ts: 1 line changed (changes a file)",
    ]);
  });

  it("P6, A3: Tab goes from Allow to what allows for longer, Don't Allow, why not, the diff, and the composer", async () => {
    const panel = await open();
    await panel.events(...offeredEdit);
    await panel.post({ type: "approval-focus" });
    await panel.until("document.activeElement.matches('.approval-yes')");
    const reached: string[] = [];
    for (let step = 0; step < 6; step += 1) {
      reached.push(
        await panel.page.evaluate(
          "(({ activeElement: at }) => (at.ariaLabel ?? at.innerText).replaceAll('⏎', '').trim())(document)",
        ),
      );
      assert.ok(await panel.page.evaluate("document.activeElement.matches(':focus-visible')"), reached.at(-1));
      await panel.page.keyboard.press("Tab");
    }
    assert.deepEqual(reached, ["Allow", "Allow for longer…", "Don't Allow", "Say why not…", "Open Diff", "Prompt"]);
  });
});
