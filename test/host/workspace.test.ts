/** The workspace port over a real VS Code: unsaved text counts, edits go through the editor, and can be undone there. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { describeAction } from "../../src/domain/words/describeTool";
import { toolCalls, type ToolCallBlock } from "../../src/domain/chat/chat";
import { eventually } from "../support/eventually";
import { type ExtensionInside, openExtension } from "../support/extensionApp";

describe("tools in VS Code", () => {
  let inside: ExtensionInside;
  let root: string;
  /** One for each test: an editor may hold on to a text that it has closed. */
  let name = "";
  let file: string;
  let count = 0;
  before(async () => {
    inside = await openExtension();
    // In a browser VS Code saves automatically; what is unsaved must stay so for these tests.
    await vscode.workspace.getConfiguration("files").update("autoSave", "off", vscode.ConfigurationTarget.Global);
    await eventually("a model", () => inside.app.models.models.current.chat !== undefined);
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    root = folder.uri.fsPath;
  });
  beforeEach(async () => {
    inside.app.chats.create();
    count += 1;
    name = `notes${count}.txt`;
    file = path.join(root, name);
    await writeFile(file, "alpha\nbeta\ngamma\n");
  });
  afterEach(async () => {
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  const calls = (): ToolCallBlock[] =>
    inside.app.session.current.chat.entries.flatMap((entry) => (entry.type === "answer" ? [...toolCalls(entry)] : []));
  const allowWhenAsked = async (): Promise<void> => {
    await eventually("the question", () => calls().some(({ progress }) => progress.state === "waiting"));
    const waiting = calls().find(({ progress }) => progress.state === "waiting");
    assert.ok(waiting?.progress.state === "waiting");
    inside.app.session.current.approvals.decide(waiting.progress.approval.id, { allow: true });
  };
  const replaceBeta = async (): Promise<void> => {
    const turn = inside.app.session.current.submit(`Replace "beta" with "delta" in ${name}`);
    await allowWhenAsked();
    await turn;
  };

  it("A2: a file that is open and changed is read as the editor shows it", async () => {
    const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file));
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), "unsaved\n"));
    await inside.app.session.current.submit(`Read ${name}`);
    const [call] = calls();
    assert.ok(call?.progress.state === "done");
    assert.match(call.progress.result, /^unsaved\nalpha/);
  });

  it("S4: the request behind the last answer opens as a document", async () => {
    await inside.app.session.current.submit("Hello");
    await vscode.commands.executeCommand("sluice.chat.showRequest");
    const report = (): vscode.TextDocument | undefined => vscode.window.activeTextEditor?.document;
    await eventually("the request", () => report()?.uri.scheme === "sluice-request");
    assert.match(
      report()?.getText() ?? "",
      /POST http:\/\/127\.0\.0\.1:\d+\/v1\/[\s\S]*text\/event-stream[\s\S]*curl '/,
    );
  });

  it("A2: an allowed edit is on disk, and Undo in the editor takes it back", async () => {
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file));
    await replaceBeta();
    assert.equal(await readFile(file, "utf8"), "alpha\ndelta\ngamma\n");
    await vscode.commands.executeCommand("undo");
    assert.equal(vscode.window.activeTextEditor?.document.getText(), "alpha\nbeta\ngamma\n");
  });

  it("A5: what a person types while an edit is saved stays when the edit is undone", async () => {
    await writeFile(file, "alpha\nbeta\ngamma\ndelta\nend\n");
    const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file));
    editor.selection = new vscode.Selection(5, 0, 5, 0);
    const listening = vscode.workspace.onWillSaveTextDocument(({ document, waitUntil }) => {
      if (document !== editor.document) return;
      listening.dispose();
      waitUntil(Promise.resolve(vscode.commands.executeCommand("type", { text: "mine" })));
    });
    await replaceBeta();
    assert.equal(await readFile(file, "utf8"), "alpha\ndelta\ngamma\ndelta\nend\nmine");
    await vscode.commands.executeCommand("sluice.changes.undoFile", editor.document.uri);
    await eventually("the undo", () => editor.document.getText() === "alpha\nbeta\ngamma\ndelta\nend\nmine");
  });

  it("A2: an edit of a file with unsaved text leaves it to the person to save", async () => {
    const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file));
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), "mine\n"));
    await replaceBeta();
    assert.equal(editor.document.getText(), "mine\nalpha\ndelta\ngamma\n");
    assert.equal(await readFile(file, "utf8"), "alpha\nbeta\ngamma\n");
  });

  it("A2: an emoji in the place of one that begins with the same unit is written whole, in the active editor too", async () => {
    await writeFile(file, "a 🟢 b\n");
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file));
    const turn = inside.app.session.current.submit(`Replace "🟢" with "🔴" in ${name}`);
    await allowWhenAsked();
    await turn;
    assert.equal(await readFile(file, "utf8"), "a 🔴 b\n");
  });

  it("A2: an edit keeps the byte order mark and the line ends of a file", async () => {
    await writeFile(file, "\ufeffalpha\r\nbeta\r\ngamma\r\n");
    await replaceBeta();
    assert.equal(await readFile(file, "utf8"), "\ufeffalpha\r\ndelta\r\ngamma\r\n");
  });

  it("A2: a file of another encoding is left as it is", async () => {
    const bytes = Buffer.from([0x62, 0x65, 0x74, 0x61, 0xe9, 0x0a]);
    await writeFile(file, bytes);
    await inside.app.session.current.submit(`Replace "beta" with "delta" in ${name}`);
    const [call] = calls();
    assert.ok(call?.progress.state === "failed");
    assert.match(call.progress.result, /not UTF-8/);
    assert.deepEqual(await readFile(file), bytes);
  });

  it("A2: a file that the editor decodes in another way is left as it is", async () => {
    await writeFile(file, "beta é\n");
    const files = vscode.workspace.getConfiguration("files");
    await files.update("encoding", "windows1252", vscode.ConfigurationTarget.Global);
    try {
      await replaceBeta();
    } finally {
      await files.update("encoding", undefined, vscode.ConfigurationTarget.Global);
    }
    const [call] = calls();
    assert.ok(call?.progress.state === "failed");
    assert.match(call.progress.result, /in another way/);
    assert.equal(await readFile(file, "utf8"), "beta é\n");
  });

  it("A4 (finding S1): an edit of a secret asks to read it first, then for the change", async () => {
    name = `.env.test${count}`;
    file = path.join(root, name);
    await writeFile(file, "beta\n");
    const turn = inside.app.session.current.submit(`Replace "beta" with "delta" in ${name}`);
    for (const title of [`Read ${name} to prepare an edit`, `Edit ${name}: 1 line changed`]) {
      await eventually(title, () =>
        calls().some(({ progress }) => progress.state === "waiting" && describeAction(progress.action) === title),
      );
      assert.equal(await readFile(file, "utf8"), "beta\n");
      await allowWhenAsked();
    }
    await turn;
    assert.equal(await readFile(file, "utf8"), "delta\n");
  });

  it("A3: a change that was declined changes nothing", async () => {
    const turn = inside.app.session.current.submit(`Replace "beta" with "delta" in ${name}`);
    // It is open a moment before the call says so.
    await eventually("the question", () => calls().some(({ progress }) => progress.state === "waiting"));
    assert.equal(inside.app.session.current.approvals.count, 1);
    const waiting = calls().find(({ progress }) => progress.state === "waiting");
    assert.ok(waiting?.progress.state === "waiting");
    inside.app.session.current.approvals.decide(waiting.progress.approval.id, { allow: false });
    await turn;
    assert.equal(await readFile(file, "utf8"), "alpha\nbeta\ngamma\n");
  });
});
