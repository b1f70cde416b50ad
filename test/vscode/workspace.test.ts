/** The workspace port over a real VS Code: unsaved text counts, edits go through the editor, and can be undone there. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { toolCalls, type ToolCallBlock } from "../../src/domain/transcript";
import { type ExtensionInside, eventually, openExtension } from "../support/extensionApp";

describe("tools in VS Code", () => {
  let inside: ExtensionInside;
  let root: string;
  /** One for each test: an editor may hold on to a text that it has closed. */
  let name = "";
  let file: string;
  let count = 0;
  before(async () => {
    inside = await openExtension();
    // In a browser VS Code saves by itself; what is unsaved must stay so for these tests.
    await vscode.workspace.getConfiguration("files").update("autoSave", "off", vscode.ConfigurationTarget.Global);
    await eventually("a model", () => inside.app.models.models.current.chat !== undefined);
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    root = folder.uri.fsPath;
  });
  beforeEach(async () => {
    inside.app.startChat();
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

  it("A2: an allowed edit is on disk, and Undo in the editor takes it back", async () => {
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file));
    await replaceBeta();
    assert.equal(await readFile(file, "utf8"), "alpha\ndelta\ngamma\n");
    await vscode.commands.executeCommand("undo");
    assert.equal(vscode.window.activeTextEditor?.document.getText(), "alpha\nbeta\ngamma\n");
  });

  it("A2: an edit of a file with unsaved text leaves it to the person to save", async () => {
    const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file));
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), "mine\n"));
    await replaceBeta();
    assert.equal(editor.document.getText(), "mine\nalpha\ndelta\ngamma\n");
    assert.equal(await readFile(file, "utf8"), "alpha\nbeta\ngamma\n");
  });

  it("A3: a change that was declined changes nothing", async () => {
    const turn = inside.app.session.current.submit(`Replace "beta" with "delta" in ${name}`);
    await eventually("the question", () => inside.app.session.current.approvals.count === 1);
    const waiting = calls().find(({ progress }) => progress.state === "waiting");
    assert.ok(waiting?.progress.state === "waiting");
    inside.app.session.current.approvals.decide(waiting.progress.approval.id, { allow: false });
    await turn;
    assert.equal(await readFile(file, "utf8"), "alpha\nbeta\ngamma\n");
  });
});
