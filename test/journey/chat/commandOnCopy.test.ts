/** A13, A3, A5: a command in a chat works on a copy: plain changes are listed and undone like edits, the rest is one question. */
import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { mkdir, readFile, realpath, writeFile } from "node:fs/promises";
import path from "node:path";
import { previewsOf } from "../../../src/domain/chat/chat";
import { type ChatPage, openChat } from "../../support/fakeVscode/chatPage";
import { closeWindows, type OpenedWindow, openWindow } from "../../support/fakeVscode/openWindow";

const playing = (title: string, ...lines: readonly string[]): string =>
  `${title}\n\n\`\`\`calls\n${lines.map((command) => `run_command ${JSON.stringify({ command })}`).join("\n\n")}\n\`\`\``;

describe("a command on a copy of the workspace", () => {
  let opened: OpenedWindow;
  let chat: ChatPage;
  const at = (file: string): string => path.join(opened.folder, file);
  before(async function () {
    if (process.platform !== "linux") this.skip();
    opened = await openWindow({ sample: true });
    chat = await openChat(opened.window);
    await chat.ask(playing("Look.", "true"));
    await chat.stopped();
    // Where no copy can be had, the first command asks.
    if (chat.calls.some(({ progress }) => progress.state === "waiting")) this.skip();
  });
  after(closeWindows);

  const copies = (): string => path.join(opened.storage, "globalStorage", "copies");
  const changedInCopy = (file: string): boolean =>
    readdirSync(copies()).some((copy) => existsSync(path.join(copies(), copy, "0/upper", file)));
  const last = () => chat.calls.at(-1)?.progress;

  it("A13, A5: what it changed is listed as a change without a question, and taken back with the turn", async () => {
    const { person } = opened;
    const before = await readFile(at("src/greeting.ts"), "utf8");
    const prompts = chat.entries.length;
    await chat.ask(playing("Format.", "echo '// formatted' >> src/greeting.ts; echo 'export {};' > src/made.ts"));
    await chat.ended();
    const progress = last();
    assert.ok(progress?.state === "done" && progress.allowed === "sandbox");
    assert.match(progress.result, /Created: src\/made\.ts\.\nChanged: src\/greeting\.ts\.$/);
    assert.equal(await readFile(at("src/greeting.ts"), "utf8"), `${before}// formatted\n`);
    assert.deepEqual(chat.snapshot.status.changes?.flatMap(({ files }) => files).toSorted().length, 2);
    chat.send({ type: "chat-rewind", entry: chat.entries[prompts]?.id ?? "" });
    await person.answer("Rewind to before this message?", "Rewind");
    await chat.until("the prompt is gone", ({ entries }) => entries.length === prompts);
    assert.equal(await readFile(at("src/greeting.ts"), "utf8"), before);
    assert.equal(existsSync(at("src/made.ts")), false);
  });

  it("A13, A3: what something runs or obeys is one question that lists it whole; Leave goes to the model with the result, Apply applies it", async () => {
    const line = "echo test output; echo x > AGENTS.md; echo 'all:' > Makefile; ln -s src lib";
    await chat.ask(playing("Make files.", line));
    const asked = await chat.approval();
    assert.ok(asked.action.type === "change-files");
    assert.deepEqual(asked.action.parts.map((part) => "path" in part && part.path).toSorted(), [
      "AGENTS.md",
      "Makefile",
      "lib → src",
    ]);
    assert.deepEqual(
      previewsOf(asked)
        .map(({ path: name }) => name)
        .toSorted(),
      ["AGENTS.md", "Makefile"],
    );
    assert.ok(asked.approval.reasons.includes("from-copy") && asked.approval.offers === undefined);
    assert.deepEqual(
      ["AGENTS.md", "Makefile", "lib"].map((name) => existsSync(at(name))),
      [false, false, false],
    );
    await chat.decide(false);
    await chat.ended();
    const left = last();
    assert.ok(left?.state === "done");
    assert.deepEqual(left.action, { type: "run-command", command: line });
    assert.match(left.result, /^Exit code 0 [^]*test output\n[^]*did not apply these changes of it[^]*AGENTS\.md/);
    assert.equal(existsSync(at("AGENTS.md")), false);
    await chat.ask(playing("Make them again.", line));
    await chat.approval();
    await chat.decide(true);
    await chat.ended();
    assert.equal(await readFile(at("AGENTS.md"), "utf8"), "x\n");
    const applied = last();
    assert.ok(applied?.state === "done");
    assert.deepEqual(applied.action, { type: "run-command", command: line });
    assert.match(applied.result, /The person has looked at the rest and applied it\./);
  });

  it("A13, A5: what the person saves while it runs is in the file beside what it has changed, without a question", async () => {
    const { window } = opened;
    await writeFile(at("gate.txt"), "closed");
    const before = await readFile(at("src/greeting.ts"), "utf8");
    await chat.ask(
      playing("Append.", "echo '// made' >> src/greeting.ts; until grep -q open gate.txt; do sleep 0.01; done"),
    );
    await chat.until("the command runs", () => last()?.state === "running" && readdirSync(copies()).length > 0);
    // Its own text is at the end of the file in the copy by then.
    await chat.until("it has changed its copy", () => changedInCopy("src/greeting.ts"));
    const editor = await window.openFile("src/greeting.ts");
    await editor.edit((edit) => edit.insert(editor.document.positionAt(0), "// mine\n"));
    await editor.document.save();
    await writeFile(at("gate.txt"), "open");
    await chat.stopped();
    assert.equal(await readFile(at("src/greeting.ts"), "utf8"), `// mine\n${before}// made\n`);
    const progress = last();
    assert.ok(progress?.state === "done" && progress.allowed === "sandbox");
    assert.match(progress.result, /Of these, with what the person changed in them meanwhile: src\/greeting\.ts\./);
  });

  it("A13, A5: what could not be applied is named in a message, which shows it whole and applies it", async () => {
    const { window, person } = opened;
    const editor = await window.openFile("src/greeting.ts");
    await editor.edit((edit) => edit.insert(editor.document.positionAt(0), "unsaved "));
    await chat.ask(playing("Change the same line.", "sed -i '1s/^/made /' src/greeting.ts"));
    await chat.ended();
    const progress = last();
    assert.ok(progress?.state === "done");
    assert.match(progress.result, /Not changed in the workspace: src\/greeting\.ts/);
    await person.answer("Not all that a command changed was applied", "Apply…");
    await person.message("Apply all changes in this document?");
    assert.match(window.editors.active?.document.getText() ?? "", /\n\+made /);
    await person.answer("Apply all changes in this document?", "Apply");
    await window.until("the file is changed", async () =>
      (await readFile(at("src/greeting.ts"), "utf8")).startsWith("made "),
    );
    await window.until("the copy is gone", () => readdirSync(copies()).length === 0);
  });

  it("A13: one that fails says so, with what it changed; a stop at the question leaves nothing behind", async () => {
    await chat.ask(playing("Fail.", "echo 1 > src/failed.ts; exit 3"));
    await chat.ended();
    const failed = last();
    assert.ok(failed?.state === "failed");
    assert.match(failed.result, /^Exit code 3 [^]*Created: src\/failed\.ts\.$/);
    await writeFile(at("src/failed.ts"), "2\n");
    await chat.ask(playing("Make a file.", "echo x > CLAUDE.md"));
    await chat.approval();
    chat.send({ type: "turn-stop" });
    await chat.ended();
    assert.equal(existsSync(at("CLAUDE.md")), false);
    await opened.window.until("the copy is gone", () => readdirSync(copies()).length === 0);
  });

  it("A13: a window that ends at the question leaves the changes to the next one, which offers them", async () => {
    await chat.ask(playing("Make a file.", "echo x > CLAUDE.md"));
    await chat.approval();
    opened = await opened.reload();
    const { person, window } = opened;
    assert.equal(existsSync(at("CLAUDE.md")), false);
    chat = await openChat(window);
    await chat.ask(playing("Look.", "true"));
    await chat.stopped();
    await person.answer("Not all that a command changed was applied", "Apply…");
    await person.answer("Apply all changes in this document?", "Apply");
    await window.until("the file is made", () => existsSync(at("CLAUDE.md")));
    await window.until("the copy is gone", () => readdirSync(copies()).length === 0);
  });
});

describe("copies that windows which have ended left", () => {
  after(closeWindows);

  it("A13: all are offered, one after the other, first those of this workspace; one that nobody takes up stays", async function () {
    if (process.platform !== "linux") this.skip();
    const { window, person, storage, folder } = await openWindow({ sample: true });
    const copies = path.join(storage, "globalStorage", "copies");
    // No process has such a number.
    const left = (name: string): string => path.join(copies, `99999999-${name}`);
    const own = await realpath(folder);
    for (const [name, root] of [
      ["a", "/elsewhere"],
      ["b", own],
      ["c", own],
    ] as const) {
      await mkdir(left(name), { recursive: true });
      await writeFile(path.join(left(name), "kept"), JSON.stringify({ roots: [root], begun: 0 }));
    }
    const chat = await openChat(window);
    await chat.ask(playing("Look.", "true"));
    await chat.stopped();
    await person.answer(left("b"), "Discard");
    await window.until("the first copy is gone", () => !existsSync(left("b")));
    await person.answer(left("c"));
    await person.answer(left("a"), "Discard");
    await window.until("the copy of another workspace is gone", () => !existsSync(left("a")));
    assert.ok(existsSync(left("c")));
  });
});
