/** Commands in the sandbox and in the background on the chat page: what a row says, and what the person can do. */
import assert from "node:assert/strict";
import path from "node:path";
import type { SessionEvent, ToolAction } from "../../../src/domain/chat/chat";
import { findViolations } from "./axe";
import { themeNames } from "./panelPage";
import { usePanel } from "./panelSuite";
import { ended, progress, prompt, said, started } from "./scenes";

/** Where pictures are written; none without it. */
const pictures = process.env["COMMAND_PICTURES"];

type CommandAction = Extract<ToolAction, { type: "run-command" }>;

function calls(...commands: readonly string[]): readonly SessionEvent[] {
  return [
    ...prompt("p1", "Install what is missing, test it and start the server"),
    started("a1"),
    ...said(
      "a1",
      ...commands.flatMap((command, at) => [
        { type: "tool-call-start", block: at, call: `c${at}`, name: "run_command" } as const,
        { type: "tool-call-end", call: `c${at}`, input: { command } } as const,
      ]),
      { type: "message-end", finish: "tool-calls", cut: false },
    ),
    ...ended("a1"),
  ];
}

const action = (command: string, more: Partial<CommandAction> = {}): CommandAction => ({
  type: "run-command",
  command,
  ...more,
});
const done = (call: string, command: string, more: Partial<CommandAction> = {}): SessionEvent =>
  progress("a1", call, {
    ...{ state: "done", input: { command }, allowed: "sandbox" },
    action: action(command, more),
    result: "Exit code 0 after 2.4 s.\nfine",
  });

const rows: readonly SessionEvent[] = [
  ...calls("npm install", "npm test", "npm run dev", "npm run watch"),
  progress("a1", "c0", {
    ...{ state: "failed", input: { command: "npm install" }, allowed: "sandbox", heldBack: true },
    action: action("npm install"),
    result: "Exit code 1 after 0.4 s.\nnpm error getaddrinfo EAI_AGAIN registry.npmjs.org",
  }),
  done("c1", "npm test"),
  done("c2", "npm run dev", { isBackground: true, process: "p-1" }),
  done("c3", "npm run watch", { isBackground: true, process: "p-2" }),
];
const processes = [{ id: "p-1", line: "npm run dev", lastLine: "ready in 312 ms, watching src/app.ts for changes" }];

const asked: readonly SessionEvent[] = [
  ...calls("npm install"),
  progress("a1", "c0", {
    ...{ state: "waiting", input: { command: "npm install" } },
    action: action("npm install", { outside: "It downloads the packages of the project." }),
    approval: { id: "approval-1", reasons: ["outside-sandbox", "runs-command"] },
  }),
];

describe("chat panel, the sandbox", function () {
  const { open, button } = usePanel();

  it("A13: a row says in one sentence what the sandbox holds; one that it held back offers to run outside", async () => {
    const panel = await open();
    await panel.show(rows, { processes });
    const row = panel.page.locator(".tool", { hasText: "npm test" });
    assert.match(await row.innerText(), /in a sandbox: writes only this workspace, no network/);
    await button("Run Outside…").click();
    const { text } = await panel.intent("prompt-submit");
    assert.equal(text, "Run `npm install` outside of the sandbox.");
  });

  it("A13: what runs in the background is listed with its last line and End; its row too, and says when it has ended", async () => {
    const panel = await open();
    await panel.show(rows, { processes });
    const lines = panel.page.locator(".rows .process-line");
    assert.match(await lines.nth(0).innerText(), /ready in 312 ms[^]*End/);
    assert.equal(await lines.nth(1).innerText(), "ended");
    const list = panel.page.locator(".processes");
    assert.equal(await list.locator("summary").innerText(), "1 running in the background");
    await list.locator("summary").click();
    await list.getByRole("button", { name: "End npm run dev" }).click();
    assert.deepEqual(await panel.intent("process-end"), { type: "process-end", id: "p-1" });
    await panel.snapshot({ processes: [] });
    await panel.until("document.querySelectorAll('.processes').length === 0");
    assert.equal(await lines.nth(0).innerText(), "ended");
  });

  it("A13, A3: a question to leave the sandbox says so, with the reason of the model", async () => {
    const panel = await open();
    await panel.show(asked);
    const text = await panel.page.locator(".approval").innerText();
    assert.match(text, /outside of the sandbox: it can reach the network, your files and other programs/);
    assert.match(text, /as the model says: “It downloads the packages of the project\.”/);
  });

  it("P6: neither keeps anyone out, nor scrolls sideways, in any theme, wide and narrow", async () => {
    const panel = await open({ size: { width: 420, height: 640 } });
    for (const [name, events] of Object.entries({ rows, asked })) {
      await panel.page.reload();
      await panel.show(events, { processes });
      await panel.page.locator(".processes > summary").click();
      for (const [index, theme] of themeNames.entries()) {
        await panel.setTheme(theme);
        for (const width of pictures ? [420, 300] : [index % 2 === 0 ? 300 : 420]) {
          await panel.page.setViewportSize({ width, height: 640 });
          for (const within of [".transcript", ".processes"]) {
            const violations = await findViolations(panel.page, { within, onlyColours: theme !== "dark" });
            assert.deepEqual(
              violations.map(({ id, nodes }) => [name, id, nodes.map(({ html }) => html)]),
              [],
            );
          }
          assert.equal(await panel.page.evaluate("document.documentElement.scrollWidth > innerWidth"), false, name);
          if (pictures) await panel.page.screenshot({ path: path.join(pictures, `${theme}-${width}-${name}.png`) });
        }
      }
    }
  });
});
