/** An agent at work: two edits in one approval, tests that fail and are mended under rules, the turn rewound, the rules revoked, a picture into the project. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { type ChatPage, cardOf, openChat } from "../../support/fakeVscode/chatPage";
import { closeWindows, type OpenedWindow, openWindow } from "../../support/fakeVscode/openWindow";

const greeting = "src/greeting.ts";
const wrongEnd = "  // Something is wrong between noon and six.\n  return `Good morning, ${name}.`;";

function edit(file: string, old: string, now: string): string {
  return `edit_file ${JSON.stringify({ path: file, old_text: old, new_text: now })}`;
}

const playing = (title: string, ...answers: readonly (readonly string[])[]): string =>
  `${title}\n\n\`\`\`calls\n${answers.map((calls) => calls.join("\n")).join("\n\n")}\n\`\`\``;

const mending = playing(
  "Greet people in the afternoon.",
  [`read_file {"path": "${greeting}"}`, 'find_text {"text": "Good morning"}', 'read_file {"path": "src/app.ts"}'],
  [
    edit(greeting, "hour > 18", "hour >= 18"),
    edit("src/app.ts", "// Prints tonight's programme", "// Prints the greeting and tonight's programme"),
  ],
  ['run_command {"command": "npm test"}'],
  [edit(greeting, wrongEnd, "  return `Good afternoon, ${name}.`;")],
  ['run_command {"command": "npm test"}'],
);

const check = `import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
assert.match(readFileSync("${greeting}", "utf8"), /Good afternoon/);
`;

describe("an agent at work", () => {
  let opened: OpenedWindow;
  let chat: ChatPage;
  const text = (file: string): Promise<string> => readFile(path.join(opened.folder, file), "utf8");
  const both = (): Promise<readonly string[]> => Promise.all([text(greeting), text("src/app.ts")]);
  before(async () => {
    // Without the sandbox, where each command asks.
    opened = await openWindow({ sample: true, settings: { "sluice.sandbox": false } });
    // The sample's own tests need a newer Node than the oldest that runs these.
    const manifest = path.join(opened.folder, "package.json");
    const sample = await readFile(manifest, "utf8");
    await writeFile(manifest, sample.replace("--test src/greeting.test.ts", "check.mjs"));
    await writeFile(path.join(opened.folder, "check.mjs"), check);
    chat = await openChat(opened.window);
  });
  after(closeWindows);

  it("A2, A3, A5: two edits of one answer are one question, the yes covers the next edit, which is listed before the tests run again and pass; the turn is rewound; the rules are listed with their use, and revoked", async () => {
    const { window, person } = opened;
    const start = await both();
    await chat.ask(mending);
    const edits = await chat.approval();
    const waiting = chat.calls.flatMap(({ progress }) => (progress.state === "waiting" ? [progress.approval.id] : []));
    assert.deepEqual([waiting, edits.approval.reasons], [[edits.approval.id, edits.approval.id], ["writes-file"]]);
    assert.deepEqual(await both(), start, "nothing is changed before the yes");
    await chat.decide(true, { scope: "workspace" });
    const first = await chat.approval();
    assert.equal(first.action.type === "run-command" && first.action.command, "npm test");
    await chat.decide(true, { scope: "session" });
    // The rule covers the tests again once the person has seen what the other rule let the model change.
    const second = await chat.approval();
    assert.deepEqual([second.action, second.approval.changed], [first.action, [greeting]]);
    await chat.decide(true);
    await chat.ended();
    assert.deepEqual(
      chat.calls.slice(3).map(({ name, progress }) => [name, progress.state]),
      [
        ["edit_file", "done"],
        ["edit_file", "done"],
        ["run_command", "failed"],
        ["edit_file", "done"],
        ["run_command", "done"],
      ],
    );
    assert.match((await both())[0] ?? "", /hour >= 18[^]*Good afternoon/);
    assert.equal(new Set(chat.snapshot.status.changes?.flatMap(({ files }) => files)).size, 2);

    const answer = chat.answers.find(({ blocks }) => blocks.some((block) => block === chat.calls[3]))?.id ?? "";
    chat.send({ type: "file-open", answer, call: chat.calls[3]?.call ?? "" });
    const editor = await window.until("the file is open", () => window.editors.active);
    assert.ok(editor.document.uri.path.endsWith(greeting));
    assert.match(editor.document.lineAt(editor.selection.active.line).text, /hour >= 18/);

    chat.send({ type: "chat-rewind", entry: chat.entries[0]?.id ?? "" });
    await person.answer("Rewind to before this message?", "Rewind");
    await chat.until("the chat is empty", ({ entries }) => entries.length === 0);
    assert.deepEqual(await both(), start);

    const listing = person.palette("Sluice: Show Approvals");
    await person.step("What runs without a question");
    const rules = () => person.pick.rows.filter(({ detail = "" }) => detail.startsWith("since "));
    assert.deepEqual(
      rules().map(({ detail = "" }) => / · (used once|used \d times|not used yet) · /.exec(detail)?.[1]),
      ["not used yet", "used once"],
    );
    while (rules().length > 0) {
      const left = rules();
      await person.pressItemButton(left[0]?.label ?? "", "Revoke");
      await window.until("it is gone", () => rules().length < left.length);
    }
    await person.step("What runs without a question", "No rules: each call that needs a yes is asked about");
    await person.escape();
    await listing.ended();
  });

  it("A2, T8: a picture that the model orders lands in the project", async () => {
    const { window } = opened;
    const order = {
      type: "async-image",
      model: "demo-image",
      prompt: "A lamp over calm water",
      save_as: "assets/lamp",
    };
    await chat.ask(playing("A picture for the page.", [`submit_task ${JSON.stringify(order)}`]));
    const { action } = await chat.approval();
    assert.deepEqual(action, { type: "submit-task", taskType: "async-image", model: "demo-image" });
    await chat.decide(true);
    await chat.ended();
    const { progress } = chat.calls.at(-1) ?? {};
    const [task = ""] = progress?.state === "done" ? (progress.tasks ?? []) : [];
    const { view } = await cardOf(chat, task, (card) => card.view?.file?.kind === "image");
    assert.equal(view?.state.name, "succeeded");
    assert.match(view.money, /^Free: /);
    // The card shows the download; the copy in the folder comes after it.
    const copy = await window.until("the picture in the project", () =>
      readFile(path.join(opened.folder, "assets/lamp.png")).catch(() => undefined),
    );
    assert.equal(copy.toString("latin1", 1, 4), "PNG");
  });

  it("P6, A2, A3: Choose Tools stays open when the focus moves, and switches on what was checked", async () => {
    const { window, person } = opened;
    const offered = [
      { name: "weather_now", description: "The weather of a place" },
      { name: "tide_table", description: "The tides of a harbour" },
    ];
    window.models.tools.push(...offered.map((tool) => ({ ...tool, tags: [], inputSchema: undefined })));
    const choosing = person.palette("Sluice: Choose Tools…");
    await person.step("Choose Tools", "tide_table");
    await person.choose("tide_table");
    window.moveFocus("editor");
    await window.settled();
    await person.step("Choose Tools", "tide_table");
    await person.press("Enter");
    await choosing.ended();
    const { tools } = await opened.inside.loadChat();
    assert.deepEqual(
      tools.list().map(({ name, state }) => [name, state]),
      [
        ["tide_table", "on"],
        ["weather_now", "off"],
      ],
    );
  });
});

describe("an edit in a window that saves by itself", () => {
  let opened: OpenedWindow;
  before(async () => {
    opened = await openWindow({ sample: true });
  });
  after(closeWindows);

  it("A2: an edit that VS Code has saved before, and says no to saving again, is made; one that is not on the disk failed", async () => {
    const chat = await openChat(opened.window);
    const { documents } = opened.window;
    const save = documents.save.bind(documents);
    const stateOfEdit = async (old: string, now: string): Promise<string | undefined> => {
      await chat.ask(playing("Greet people.", [edit(greeting, old, now)]));
      await chat.approval();
      await chat.decide(true);
      await chat.ended();
      return chat.calls.at(-1)?.progress.state;
    };
    // As VS Code does where its auto save was first, and no editor holds the document any more.
    documents.save = async (document) => {
      await save(document);
      return false;
    };
    assert.equal(await stateOfEdit("hour > 18", "hour >= 18"), "done");
    documents.save = () => Promise.resolve(false);
    assert.equal(await stateOfEdit("hour < 12", "hour < 11"), "failed");
  });
});
