/** What a model has changed is marked in its files, and kept or undone there by hunk, by file and in the list (A16). */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, readFile, rename, rmdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type * as vscode from "vscode";
import { type ChatPage, openChat } from "../../support/fakeVscode/chatPage";
import { closeWindows, openWindow } from "../../support/fakeVscode/openWindow";
import { type GitFolder, gitFolder } from "../../support/gitExtension";
import { TextEdit } from "../../support/fakeVscode/edits";
import { TextEditorSelectionChangeKind } from "../../support/fakeVscode/enums";
import { Range, Selection, type Uri } from "../../support/fakeVscode/positions";
import type { Person } from "../../support/fakeVscode/person";

const lines = Array.from({ length: 40 }, (_, at) => `line ${at}`);
const text = `${lines.join("\n")}\n`;

function edit(file: string, ...edits: readonly (readonly [string, string])[]): string {
  return edits
    .map(([oldText, newText]) => `edit_file ${JSON.stringify({ path: file, old_text: oldText, new_text: newText })}`)
    .join("\n");
}
const calls = (...all: readonly string[]): string => `\`\`\`calls\n${all.join("\n")}\n\`\`\``;
const three = edit("a.txt", ["line 5\n", "five\n"], ["line 20\n", "line 20\ntwenty more\n"], ["line 30\n", ""]);

async function changed(
  prompt: string,
  files: Readonly<Record<string, string>>,
): Promise<{
  readonly chat: ChatPage;
  readonly opened: Awaited<ReturnType<typeof openWindow>>;
  readonly read: (file: string) => Promise<string>;
}> {
  const opened = await openWindow({ files });
  const chat = await openChat(opened.window);
  await chat.ask(prompt);
  await chat.decide(true);
  await chat.ended();
  return { chat, opened, read: (file) => readFile(path.join(opened.folder, file), "utf8") };
}

const titles = async (person: Person): Promise<readonly string[]> =>
  (await person.lenses()).flatMap(({ command }) => (command?.title.includes(" of ") === true ? [command.title] : []));

describe("review of what a model has changed", () => {
  afterEach(closeWindows);

  it("A5, A16: the row of a turn says after Undo File that a hunk which was kept stays, and no longer after Redo", async () => {
    const { chat, opened, read } = await changed(calls(three), { "a.txt": text });
    const { window, person } = opened;
    const editor = await window.openFile("a.txt");
    await person.lens("1 of 3 · +1 −1");
    await (await person.clickLens("Keep")).ended();
    await person.lens("1 of 2 · +1 −0");
    await person.run("sluice.changes.undoFile", editor.document.uri);
    assert.equal(await read("a.txt"), text.replace("line 5\n", "five\n"));
    const row = (state: string) =>
      chat.until(state, ({ snapshot }) => snapshot.status.changes?.find((one) => one.state === state));
    const { answer, leavesKept } = await row("undone");
    assert.equal(leavesKept, true);
    chat.send({ type: "changes-redo", answer });
    assert.equal((await row("made")).leavesKept, undefined);
  });

  it("A16: each hunk of an open file has Keep and Undo; keys go from one to the next, keep one and take one back", async () => {
    const { opened, read } = await changed(calls(three), { "a.txt": text });
    const { window, person } = opened;
    const editor = await window.openFile("a.txt");
    await person.lens("1 of 3 · +1 −1");
    assert.deepEqual(await titles(person), ["1 of 3 · +1 −1", "2 of 3 · +1 −0", "3 of 3 · +0 −1"]);
    await window.until("the title", () =>
      window
        .menu("editor/title", { resourcePath: editor.document.uri.fsPath })
        .some(({ command }) => command === "sluice.changes.keepFile"),
    );
    await person.key("shift+alt+n").ended();
    assert.equal(editor.selection.active.line, 5);
    await person.key("shift+alt+u").ended();
    await person.lens("1 of 2 · +1 −0");
    assert.match(await read("a.txt"), /line 5\n/);
    await person.key("shift+alt+n").ended();
    assert.equal(editor.selection.active.line, 21);
    await person.key("shift+alt+k").ended();
    await person.lens("1 of 1 · +0 −1");
    await (await person.clickLens("Undo")).ended();
    await window.until("no lens", async () => (await person.lenses()).length === 0);
    assert.equal(await read("a.txt"), text.replace("line 20\n", "line 20\ntwenty more\n"));
    await window.until("nothing is left", () => window.contexts()("sluice.changes.isAny") === false);
    assert.deepEqual(person.effort, { clicks: 1, keys: 4, texts: 0 });
  });

  it("A5, A16: an emoji in the place of one that begins with the same unit is written whole, has its hunk, and can be undone", async () => {
    const before = "| 🟢 ok |\r\n| 🟡 slow |\r\n";
    for (const isOpen of [false, true]) {
      const opened = await openWindow({ files: { "a.txt": before } });
      if (isOpen) await opened.window.openFile("a.txt");
      const chat = await openChat(opened.window);
      await chat.ask(calls(edit("a.txt", ["🟢", "🔴"])));
      await chat.decide(true);
      await chat.ended();
      const read = (): Promise<string> => readFile(path.join(opened.folder, "a.txt"), "utf8");
      assert.equal(await read(), before.replace("🟢", "🔴"));
      await opened.window.openFile("a.txt");
      await opened.person.lens("1 of 1 · +1 −1");
      await opened.person.key("shift+alt+n").ended();
      await opened.person.key("shift+alt+u").ended();
      assert.equal(await read(), before);
    }
  });

  it("A5, A16: an edit of which the editor makes another text is taken back, refused, and leaves nothing to undo", async () => {
    const opened = await openWindow({ files: { "a.txt": text } });
    const editor = await opened.window.openFile("a.txt");
    const document = opened.window.documents.find(editor.document.uri)!;
    const change = document.change.bind(document);
    let isAltered = false;
    document.change = (edits, reason) => {
      const altered = edits.map((one) => new TextEdit(one.range, one.newText.toUpperCase()));
      change(isAltered ? edits : altered, reason);
      isAltered = true;
    };
    const chat = await openChat(opened.window);
    await chat.ask(calls(edit("a.txt", ["line 5\n", "five\n"])));
    await chat.decide(true);
    await chat.ended();
    assert.equal(await readFile(path.join(opened.folder, "a.txt"), "utf8"), text);
    assert.deepEqual([isAltered, editor.document.getText()], [true, text]);
    assert.match(JSON.stringify(chat.entries), /VS Code did not accept the edit/);
    assert.deepEqual(await titles(opened.person), []);
    assert.deepEqual(chat.snapshot.status.changes ?? [], []);
  });

  it("A5: what a person types while an edit is saved and formatted stays when the edit is undone", async () => {
    const opened = await openWindow({ files: { "a.txt": text } });
    const editor = await opened.window.openFile("a.txt");
    const document = opened.window.documents.find(editor.document.uri)!;
    const listening = opened.window.documents.willSave.event(({ waitUntil }) => {
      listening.dispose();
      const end = document.positionAt(text.length);
      document.change([new TextEdit(new Range(end, end), "mine\n")]);
      opened.window.editors.active?.select([new Selection(end, end)], TextEditorSelectionChangeKind.Keyboard);
      waitUntil(Promise.resolve([new TextEdit(document.lineAt(0).range, "formatted 0")]));
    });
    const chat = await openChat(opened.window);
    await chat.ask(calls(edit("a.txt", ["line 5\n", "five\n"])));
    await chat.decide(true);
    await chat.ended();
    const read = (): Promise<string> => readFile(path.join(opened.folder, "a.txt"), "utf8");
    const mine = `${text.replace("line 0\n", "formatted 0\n")}mine\n`;
    assert.equal(await read(), mine.replace("line 5\n", "five\n"));
    await opened.person.lens("1 of 1 · +1 −1");
    await opened.person.run("sluice.changes.undoFile", editor.document.uri);
    assert.equal(await read(), mine);
  });

  it("A5: an edit that can't be saved, after a formatter has changed it, can be undone in its editor", async () => {
    const opened = await openWindow({ files: { "a.txt": text } });
    const editor = await opened.window.openFile("a.txt");
    const document = opened.window.documents.find(editor.document.uri)!;
    opened.window.documents.save = () => {
      document.change([new TextEdit(document.lineAt(0).range, "formatted 0")]);
      return Promise.resolve(false);
    };
    const chat = await openChat(opened.window);
    await chat.ask(calls(edit("a.txt", ["line 5\n", "five\n"])));
    await chat.decide(true);
    await chat.ended();
    assert.match(JSON.stringify(chat.entries), /made in the editor but could not be saved/);
    assert.match(editor.document.getText(), /^formatted 0[^]*\nfive\n/);
    const { answer } = await chat.until("the change", ({ snapshot }) => snapshot.status.changes?.[0]);
    chat.send({ type: "changes-undo", answer });
    await opened.window.until("the former text", () => editor.document.getText() === text);
    assert.equal(await readFile(path.join(opened.folder, "a.txt"), "utf8"), text);
  });

  it("A5, A16: code that is applied to a file in another encoding is taken back in its editor as it was", async () => {
    const opened = await openWindow();
    opened.window.documents.fallback = "iso88591";
    const before = 'function place() {\n  return "caf\u00e9";\n}\n';
    const file = path.join(opened.folder, "a.ts");
    await writeFile(file, before, "latin1");
    const { document } = await opened.window.openFile("a.ts");
    assert.equal(document.getText(), before);
    const chat = await openChat(opened.window);
    const after = before.replace("caf", "the caf");
    chat.send({ type: "code-apply", text: after, file: "a.ts" });
    await opened.window.until("the code", () => document.getText() === after);
    await opened.person.lens("1 of 1 · +1 −1");
    await opened.person.run("sluice.changes.undoFile", document.uri);
    assert.equal(document.getText(), before);
    assert.ok(await document.save());
    assert.equal(await readFile(file, "latin1"), before);
  });

  it("A5, A16: code that is applied to a file which the editor shows as damaged UTF-8 is taken back to that text", async () => {
    const opened = await openWindow();
    await writeFile(path.join(opened.folder, "a.ts"), 'function place() {\n  return "caf\u00e9";\n}\n', "latin1");
    const { document } = await opened.window.openFile("a.ts");
    const before = document.getText();
    assert.match(before, /caf\ufffd/);
    const chat = await openChat(opened.window);
    const after = before.replace("caf", "the caf");
    chat.send({ type: "code-apply", text: after, file: "a.ts" });
    await opened.window.until("the code", () => document.getText() === after);
    await opened.person.lens("1 of 1 · +1 −1");
    await opened.person.run("sluice.changes.undoFile", document.uri);
    assert.equal(document.getText(), before);
  });

  it("A5, A16: the row of a turn says undone after Undo above its only change, and Redo there brings it back", async () => {
    const { chat, opened, read } = await changed(calls(edit("a.txt", ["line 5\n", "five\n"])), { "a.txt": text });
    const { window, person } = opened;
    await window.openFile("a.txt");
    await person.lens("1 of 1 · +1 −1");
    await (await person.clickLens("Undo")).ended();
    const state = (wanted: string): Promise<{ readonly answer: string }> =>
      chat.until(wanted, ({ snapshot }) => snapshot.status.changes?.find((one) => one.state === wanted));
    const { answer } = await state("undone");
    assert.equal(await read("a.txt"), text);
    chat.send({ type: "changes-redo", answer });
    await state("made");
    // The change is recorded before the file is written.
    await window.until("the file", async () => (await read("a.txt")) === text.replace("line 5\n", "five\n"));
  });

  it("A16, P6: each hunk has its number and counts in words, and the list names what its buttons do", async () => {
    const { opened } = await changed(calls(three), { "a.txt": text });
    const { window, person } = opened;
    await window.openFile("a.txt");
    await person.lens("1 of 3");
    const lenses = await person.lenses();
    assert.deepEqual(
      lenses.flatMap(({ command }) => command?.tooltip ?? []),
      [
        "Change 1 of 3. Lines added: 1. Lines removed: 1.",
        "Change 2 of 3. Lines added: 1. Lines removed: 0.",
        "Change 3 of 3. Lines added: 0. Lines removed: 1.",
      ],
    );
    assert.deepEqual(
      [...new Set(lenses.map(({ command }) => command?.title.replace(/^\d.*/, "")))],
      ["Keep", "Undo", ""],
    );
    const listing = person.palette("Sluice: Show Changes by Sluice");
    const list = await person.step("What is to be kept or undone", "a.txt");
    const [row] = list.rows;
    assert.deepEqual(
      row?.buttons?.map(({ tooltip }) => tooltip),
      ["Keep File", "Undo File"],
    );
    await person.press("Escape");
    await listing.ended();
  });

  it("A16: keys that are pressed quickly one after the other count in their order", async () => {
    const { opened, read } = await changed(calls(three), { "a.txt": text });
    const { window, person } = opened;
    await window.openFile("a.txt");
    await person.lens("1 of 3");
    const pressed = ["n", "k", "n", "u", "n", "k"].map((key) => person.key(`shift+alt+${key}`));
    for (const one of pressed) await one.ended();
    await window.until("nothing is left", () => window.contexts()("sluice.changes.isAny") === false);
    const all = text.replace("line 5\n", "five\n").replace("line 30\n", "");
    assert.equal(await read("a.txt"), all, "the second one was undone, the others were kept");
  });

  it("A16: after a reload the hunks are there before the chat is looked at, also in a file with unsaved text", async () => {
    const { opened } = await changed(calls(three), { "a.txt": text });
    const { window, person } = await opened.reload();
    const editor = await window.openFile("a.txt");
    await person.lens("1 of 3 · +1 −1");
    await editor.edit((change) => change.insert(editor.selection.start, "mine\n"));
    await window.until("the hunks below", async () => (await person.lens("1 of 3")).range.start.line === 6);
    await person.run("sluice.changes.undoFile", editor.document.uri);
    assert.equal(editor.document.getText(), `mine\n${text}`);
    assert.ok(editor.document.isDirty);
  });

  it("A16: the hunks of a chat whose ledger can't be read for once are there in a later window", async () => {
    const { chat, opened } = await changed(calls(three), { "a.txt": text, "b.txt": text });
    const first = chat.chat.id;
    chat.send({ type: "chat-new" });
    await chat.until("another chat", () => chat.chat.id !== first);
    await chat.ask(calls(edit("b.txt", ["line 1\n", "one\n"])));
    await chat.decide(true);
    await chat.ended();
    await opened.close();
    const file = path.join(opened.storage, "globalStorage", "changes", `${first}.jsonl`);
    await rename(file, `${file}.away`);
    await mkdir(file);
    const second = await openWindow({ storage: opened.storage, folder: opened.folder });
    await second.window.openFile("b.txt");
    await second.person.lens("1 of 1 · +1 −1");
    await second.close();
    await rmdir(file);
    await rename(`${file}.away`, file);
    const third = await openWindow({ storage: opened.storage, folder: opened.folder });
    await third.window.openFile("a.txt");
    await third.person.lens("1 of 3 · +1 −1");
  });

  it("A16: the list names the files with their counts; one is taken back there, and all others are kept", async () => {
    const { opened, read } = await changed(calls(three, edit("b.txt", ["line 1\n", "one\n"])), {
      "a.txt": text,
      "b.txt": text,
    });
    const { window, person } = opened;
    const listing = person.palette("Sluice: Show Changes by Sluice");
    const list = await person.step("What is to be kept or undone", "a.txt");
    assert.deepEqual(
      list.rows.slice(0, 2).map(({ label, description }) => [label, description]),
      [
        ["a.txt", "3 changes · +2 −2"],
        ["b.txt", "1 change · +1 −1"],
      ],
    );
    await person.pressItemButton("b.txt", "Undo File");
    await window.until("one file", () => !person.pick.rows.some(({ label }) => label === "b.txt"));
    await window.until("b.txt as it was", async () => (await read("b.txt")) === text);
    await person.choose(/Keep All/);
    await listing.ended();
    await window.until("nothing", () => window.contexts()("sluice.changes.isAny") === false);
    assert.match(await read("a.txt"), /twenty more/);
  });

  it("A16: after Allow Edits, I Review Them After five files are changed without a question, one hunk is taken back, a wrong file too, and all else is kept", async () => {
    const names = ["a.txt", "b.ts", "c.ts", "d.ts", "e.ts"];
    const opened = await openWindow({ files: Object.fromEntries(names.map((name) => [name, text])) });
    const { window, person, folder } = opened;
    for (const args of [
      ["init", "-q"],
      ["add", "."],
    ])
      execFileSync("git", args, { cwd: folder });
    const chat = await openChat(window);
    await chat.ask(calls(edit("b.ts", ["line 1\n", "first\n"])));
    const { approval } = await chat.approval();
    assert.ok(approval.offers?.some(({ scope }) => scope === "review"));
    await chat.decide(true, { scope: "review" });
    await chat.ended();
    await chat.until("the chip", ({ snapshot }) => snapshot.status.edits === "review");
    await chat.ask(calls(three, ...names.slice(1).map((name) => edit(name, ["line 7\n", "seven\n"]))));
    await chat.ended();
    assert.deepEqual(
      chat.calls.slice(1).map(({ progress }) => progress.state),
      Array.from({ length: 7 }, () => "done"),
    );
    await chat.until("the line at the composer", ({ snapshot }) => snapshot.status.undecided === 5);
    // Undo of one hunk: its key at the second one. Undo of a file: a click in its title. Keep of the rest: in the list.
    const before = person.effort;
    await window.openFile("a.txt");
    await person.lens("1 of 3");
    await person.key("shift+alt+n").ended();
    await person.key("shift+alt+n").ended();
    await person.key("shift+alt+u").ended();
    const wrong = await window.openFile("e.ts");
    await person.lens("1 of 1");
    await person.run("sluice.changes.undoFile", wrong.document.uri);
    const listing = person.palette("Sluice: Keep All");
    await listing.ended();
    await window.until("nothing is left", () => window.contexts()("sluice.changes.isAny") === false);
    assert.deepEqual(person.effort, { clicks: before.clicks, keys: before.keys + 5, texts: before.texts + 1 });
    const read = (name: string): Promise<string> => readFile(path.join(folder, name), "utf8");
    assert.equal(await read("a.txt"), text.replace("line 5\n", "five\n").replace("line 30\n", ""));
    assert.equal(await read("e.ts"), text);
    assert.match(await read("c.ts"), /seven/);
    chat.send({ type: "edits-set", review: false });
    await chat.until("the chip", ({ snapshot }) => snapshot.status.edits === "ask");
    await chat.ask(calls(edit("c.ts", ["line 9\n", "nine\n"])));
    await chat.approval();
    await chat.decide(false);
  });

  it("A16: the line at the composer counts the files as they read now, lists them, and keeps or undoes all", async () => {
    const { chat, opened, read } = await changed(calls(three, edit("b.txt", ["line 1\n", "one\n"])), {
      "a.txt": text,
      "b.txt": text,
    });
    const { window, person } = opened;
    const counts = (files: number | undefined) =>
      chat.until(`${files} files`, ({ snapshot }) => snapshot.status.undecided === files);
    await counts(2);
    const editor = await window.openFile("b.txt");
    const { document } = editor;
    await editor.edit((change) => change.replace(document.lineAt(1).range, "line 1"));
    await counts(1);
    await editor.edit((change) => change.replace(document.lineAt(1).range, "one"));
    await counts(2);
    chat.send({ type: "review-act", act: "list" });
    await person.step("What is to be kept or undone", "a.txt");
    await person.press("Escape");
    chat.send({ type: "review-act", act: "undo" });
    await person.answer(/Undo all changes by Sluice in 2 files/, "Undo");
    await counts(undefined);
    assert.equal(await read("a.txt"), text);
  });

  it("A16: in two editors of one document both have the marks", async () => {
    const { opened } = await changed(calls(three), { "a.txt": text });
    const { window } = opened;
    const first = await window.openFile("a.txt");
    const marks = (editor: vscode.TextEditor): number =>
      [...(editor as unknown as { decorations: Map<unknown, readonly unknown[]> }).decorations.values()].flat().length;
    await window.until("the marks", () => marks(first) === 3);
    const second = window.editors.show(await window.documents.open(first.document.uri as Uri), { viewColumn: 2 });
    await window.until("the marks of both", () => marks(first) === 3 && marks(second.shown) === 3);
  });

  describe("with git", () => {
    let repository: GitFolder;
    /** Three hunks of `a.txt`, which git tracks, and of a new file `new.txt`. */
    const begin = async (): Promise<Awaited<ReturnType<typeof changed>>> => {
      let folder = "";
      repository = gitFolder(() => folder);
      const opened = await openWindow({ files: { "a.txt": text, "b.txt": text }, extensions: [repository.extension] });
      folder = opened.folder;
      repository.git("init", "-q", "-b", "main");
      repository.git("add", "a.txt", "b.txt");
      repository.git("commit", "-qm", "one");
      const chat = await openChat(opened.window);
      await chat.ask(calls(three));
      await chat.decide(true);
      await chat.ended();
      await opened.window.openFile("a.txt");
      await opened.person.lens("1 of 3");
      return { chat, opened, read: (file) => readFile(path.join(folder, file), "utf8") };
    };
    const noLens = (person: Person) => async (): Promise<boolean> => (await titles(person)).length === 0;

    it("A16: a commit of the file keeps all of it, also after a reload and in the list", async () => {
      const { opened, read } = await begin();
      const { window, person } = opened;
      repository.git("commit", "-qam", "two");
      await window.until("nothing to decide", noLens(person));
      await window.until("nothing is left", () => window.contexts()("sluice.changes.isAny") === false);
      assert.match(await read("a.txt"), /five\n/);
      repository.git("reset", "-q", "--soft", "HEAD~1");
      const again = await opened.reload();
      await again.window.openFile("a.txt");
      await again.window.until("nothing to decide", noLens(again.person));
    });

    it("A16: a commit of a part keeps that part only, and one of another file nothing", async () => {
      const { opened } = await begin();
      const { window, person } = opened;
      repository.git("commit", "-q", "--allow-empty", "-m", "nothing");
      const blob = text.replace("line 20\n", "line 20\ntwenty more\n");
      await writeFile(path.join(opened.folder, "part"), blob);
      const hash = repository.git("hash-object", "-w", "part").trim();
      repository.git("update-index", "--cacheinfo", `100644,${hash},a.txt`);
      assert.equal((await titles(person)).length, 3);
      repository.git("commit", "-qm", "a part");
      await window.until("two are left", async () => (await titles(person)).length === 2);
      assert.deepEqual(await titles(person), ["1 of 2 · +1 −1", "2 of 2 · +0 −1"]);
    });

    it("A16: a stash leaves no marks and brings them back; another branch and a reset leave none", async () => {
      const { opened, read } = await begin();
      const { window, person } = opened;
      const { document } = await window.openFile("a.txt");
      // Node's watcher on Linux loses a file that git has replaced.
      const reads = (pattern: RegExp): Promise<unknown> => {
        window.watchers.tell(document.uri.fsPath, "changed");
        return window.until(String(pattern), () => pattern.test(document.getText()));
      };
      repository.git("stash", "-q");
      await reads(/line 5\n/);
      await window.until("no marks", noLens(person));
      repository.git("stash", "pop", "-q");
      await reads(/five\n/);
      await person.lens("1 of 3");
      repository.git("checkout", "-q", "-b", "other");
      assert.equal((await titles(person)).length, 3, "the file has gone along");
      repository.git("reset", "-q", "--hard");
      await reads(/line 5\n/);
      await window.until("no marks", noLens(person));
      assert.equal(await read("a.txt"), text);
      await window.until("nothing is left", () => window.contexts()("sluice.changes.isAny") === false);
    });
  });
});
