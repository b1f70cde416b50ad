/** The undo of changes by tools in a real VS Code: bytes on the disk, unsaved editors, the diff of several files, rewind. */
import assert from "node:assert/strict";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import type { ChangeLedger } from "../../src/chat/undo/changeLedger";
import { lastUndo, undoable, undoChanges } from "../../src/chat/undo/undoChanges";
import { toolCalls, type ToolCallBlock } from "../../src/domain/chat/chat";
import type { FileChanges } from "../../src/domain/tools/workspace";
import { ChatChanges, type ChatChangesOptions } from "../../src/chat/host/changes/chatChanges";
import { eventually } from "../support/eventually";
import { type ExtensionInside, openExtension } from "../support/extensionApp";

const crlfWithMark = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from("alpha\r\nbeta\r\ngamma\r\n")]);

describe("changes by tools in VS Code", () => {
  let inside: ExtensionInside;
  let folder: string;
  let ledger: ChangeLedger;
  let files: FileChanges;
  let count = 0;
  before(async () => {
    inside = await openExtension();
    await vscode.workspace.getConfiguration("files").update("autoSave", "off", vscode.ConfigurationTarget.Global);
    await eventually("a model", () => inside.app.models.models.current.chat !== undefined);
  });
  beforeEach(async () => {
    inside.app.chats.view.leave();
    const [root] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(root);
    count += 1;
    folder = path.join(root.uri.fsPath, `changes${count}`);
    await mkdir(folder, { recursive: true });
    const ledgers = await inside.app.openLedgers();
    ledger = ledgers.of(inside.app.chats.current.id);
    files = ledger.changesOf({ type: "call", answer: "a", call: "c", allowed: "call" });
  });
  afterEach(async () => {
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });
  const at = (name: string): string => path.join(folder, name);
  const isThere = (name: string): Promise<boolean> =>
    stat(at(name)).then(
      () => true,
      () => false,
    );
  const undoAll = (): ReturnType<typeof undoChanges> => undoChanges(ledger, undoable(ledger));

  it("A5: an edit, a new file, a rename and a deletion are undone and redone to the byte; mark and line ends stay", async () => {
    await writeFile(at("a.txt"), crlfWithMark);
    await writeFile(at("b.bin"), Buffer.from([0, 1, 255]));
    await files.write(at("a.txt"), "alpha\r\nbeta\r\ngamma\r\n", "alpha\r\ndelta\r\ngamma\r\n");
    assert.match(await readFile(at("a.txt"), "utf8"), /^\ufeffalpha\r\ndelta\r\n/);
    await files.create(at("new/deep/c.txt"), Buffer.from("made\n"));
    await files.rename(at("a.txt"), at("new/d.txt"));
    await files.remove(at("b.bin"), Buffer.from([0, 1, 255]));
    assert.deepEqual([await isThere("a.txt"), await isThere("b.bin")], [false, false]);
    const after = await readFile(at("new/d.txt"));
    const undone = await undoAll();
    assert.deepEqual([undone.edited, undone.failed], [[], []]);
    assert.deepEqual(await readFile(at("a.txt")), crlfWithMark);
    assert.deepEqual(await readFile(at("b.bin")), Buffer.from([0, 1, 255]));
    assert.deepEqual([await isThere("new/deep/c.txt"), await isThere("new/d.txt")], [false, false]);
    await undoChanges(ledger, lastUndo(ledger));
    assert.deepEqual(await readFile(at("new/d.txt")), after);
    assert.equal(await readFile(at("new/deep/c.txt"), "utf8"), "made\n");
    assert.equal(await isThere("b.bin"), false);
  });

  it("A5: nothing is created, moved over or deleted that is not what it was; unsaved text of the person stays", async () => {
    await writeFile(at("a.txt"), "one\n");
    await writeFile(at("b.txt"), "two\n");
    await assert.rejects(files.create(at("a.txt"), Buffer.from("x")));
    await assert.rejects(files.rename(at("a.txt"), at("b.txt")));
    await assert.rejects(files.remove(at("a.txt"), Buffer.from("other")));
    assert.equal(await readFile(at("a.txt"), "utf8"), "one\n");
    assert.equal(await readFile(at("b.txt"), "utf8"), "two\n");
    assert.deepEqual(undoable(ledger), []);
    await files.write(at("a.txt"), "one\n", "1\n");
    const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(at("a.txt")));
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), "mine\n"));
    const outcome = await undoAll();
    assert.deepEqual(
      outcome.edited.map(({ why, proposal }) => [why, proposal?.now]),
      [["edited", "mine\n1\n"]],
    );
    assert.equal(editor.document.getText(), "mine\n1\n");
    assert.equal(await readFile(at("a.txt"), "utf8"), "1\n");
  });

  it("A5: Show Changes opens one editor with all files; Undo This Change takes the hunk at the cursor back", async () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
    const text = `${lines.join("\n")}\n`;
    await writeFile(at("a.txt"), text);
    await files.write(at("a.txt"), text, text.replace("line 2\n", "second\n").replace("line 20\n", "twentieth\n"));
    await files.create(at("b.txt"), Buffer.from("made\n"));
    await vscode.commands.executeCommand("sluice.changes.show", "diff");
    await eventually("the changes", () =>
      /^Changes by Sluice \(\d+ files\)$/.test(vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? ""),
    );
    const document = await vscode.workspace.openTextDocument(at("a.txt"));
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(20, 0, 20, 0);
    // Those inside of the changes may have been active last.
    await eventually("the editor", () => vscode.window.activeTextEditor === editor);
    await vscode.commands.executeCommand("sluice.changes.undoHunk");
    assert.equal(await readFile(at("a.txt"), "utf8"), text.replace("line 2\n", "second\n"));
    await vscode.commands.executeCommand("sluice.changes.undoFile");
    assert.equal(await readFile(at("a.txt"), "utf8"), text);
    assert.equal(await isThere("b.txt"), true);
    await vscode.commands.executeCommand("sluice.chat.manage", "redo");
    assert.match(await readFile(at("a.txt"), "utf8"), /second[^]*line 20/);
  });

  it("A5 (N11): what Changes by Sluice shows is kept, and undone, as a whole", async () => {
    await writeFile(at("a.txt"), "one\n");
    await files.write(at("a.txt"), "one\n", "1\n");
    await vscode.commands.executeCommand("sluice.changes.show", "diff");
    await vscode.commands.executeCommand("sluice.changes.keepAll");
    assert.deepEqual(
      ledger.live.map(({ isKept }) => isKept),
      [true],
    );
    assert.equal(await readFile(at("a.txt"), "utf8"), "1\n");
    // Nothing is left to keep or undo.
    await vscode.commands.executeCommand("sluice.changes.undoAll");
    assert.equal(await readFile(at("a.txt"), "utf8"), "1\n");
  });

  it("A5: a call in a chat is in its ledger, and the messages go with the files and come back", async () => {
    const name = path.relative(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "", at("n.txt"));
    await writeFile(at("n.txt"), "alpha\nbeta\n");
    const session = inside.app.session.current;
    const turn = session.submit(`Replace "beta" with "delta" in ${name}`);
    const calls = (): ToolCallBlock[] =>
      session.chat.entries.flatMap((entry) => (entry.type === "answer" ? [...toolCalls(entry)] : []));
    await eventually("the question", () => calls().some(({ progress }) => progress.state === "waiting"));
    const waiting = calls().find(({ progress }) => progress.state === "waiting");
    assert.ok(waiting?.progress.state === "waiting");
    session.approvals.decide(waiting.progress.approval.id, { allow: true });
    await turn;
    const [change] = undoable(ledger);
    assert.ok(change?.cause.type === "call");
    assert.equal(change.cause.call, waiting.call);
    assert.ok(session.chat.entries.some(({ id }) => change.cause.type === "call" && id === change.cause.answer));
    await undoAll();
    assert.equal(await readFile(at("n.txt"), "utf8"), "alpha\nbeta\n");
    const ids = (): string[] => session.chat.entries.map(({ id }) => id);
    const before = ids();
    assert.equal(await session.rewind(before[0] ?? ""), true);
    assert.deepEqual(ids(), []);
    await session.switchBranch();
    assert.deepEqual(ids(), before);
  });

  it("A5: Undo of a chat that is no longer shown when the yes comes takes nothing back, also not of the chat that is shown then", async () => {
    await writeFile(at("a.txt"), "one\n");
    await files.write(at("a.txt"), "one\n", "1\n");
    const storedOf = (id: string): unknown => ({ id, session: { isRunning: false }, isWritable: true });
    const chat = { stored: storedOf("asked") };
    const changes = new ChatChanges({ ledgers: { of: () => ledger }, chat } as unknown as ChatChangesOptions);
    const { window } = vscode;
    const show = window.showWarningMessage;
    const said: string[] = [];
    window.showWarningMessage = (message: string, ...items: unknown[]) => {
      said.push(message);
      chat.stored = storedOf("another");
      return Promise.resolve(items.at(-1) as never);
    };
    try {
      await changes.undoAll();
      assert.equal(await readFile(at("a.txt"), "utf8"), "1\n");
      assert.match(said[1] ?? "", /Nothing was taken back/);
    } finally {
      window.showWarningMessage = show;
    }
  });

  it("A5: a second press of Rewind to Here does nothing; where the chat went on meanwhile, the files can be restored", async () => {
    await writeFile(at("a.txt"), "one\n");
    await files.write(at("a.txt"), "one\n", "1\n");
    let rewinds = 0;
    const entries = [
      { type: "user", id: "u", text: "go", at: 0 },
      { type: "answer", id: "a", model: "", family: "messages", startedAt: 0, state: "complete", blocks: [] },
    ];
    const session = {
      chat: { id: "went-on", entries, running: false },
      isRunning: false,
      rewind: () => Promise.resolve((rewinds += 1) < 0),
    };
    const stored = { id: "went-on", session, isWritable: true };
    const changes = new ChatChanges({
      ledgers: { of: () => ledger },
      chat: { stored, session: { current: session } },
      insert: () => assert.fail("The message is still in the chat."),
    } as unknown as ChatChangesOptions);
    const { window } = vscode;
    const show = window.showWarningMessage;
    const said: string[] = [];
    window.showWarningMessage = (message: string, ...items: unknown[]) => {
      said.push(message);
      return Promise.resolve(items.at(-1) as never);
    };
    try {
      await Promise.all([changes.rewind("u"), changes.rewind("u")]);
      await eventually(
        "the files are restored",
        async () => ledger.changes.length === 3 && (await readFile(at("a.txt"), "utf8")) === "1\n",
      );
    } finally {
      window.showWarningMessage = show;
    }
    assert.equal(rewinds, 1);
    assert.equal(said.length, 2, said.join("\n"));
    assert.match(said[1] ?? "", /gone on meanwhile and keeps its messages, but these files went back: .*a\.txt\./);
    assert.equal(await readFile(at("a.txt"), "utf8"), "1\n");
  });
});
