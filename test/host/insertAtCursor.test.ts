/** *Insert Link* from a page that covers the document, in the same column. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { insertReferenceAt, placeForReference } from "../../src/tasks/host/results/insertAtCursor";
import { targetEditor, watchTargetEditor } from "../../src/vscode/interface/targetEditor";
import { eventually } from "../support/eventually";

describe("inserting a reference at the cursor", () => {
  const { window, commands } = vscode;
  const { showInformationMessage } = window;
  const said: string[] = [];
  let watch: vscode.Disposable;
  before("listen to the editors", async () => {
    await commands.executeCommand("workbench.action.closeAllEditors");
    await eventually("no editor", () => targetEditor() === undefined);
    window.showInformationMessage = (message: string): Promise<never> =>
      Promise.resolve(void said.push(message) as never);
    watch = watchTargetEditor();
  });
  after(async () => {
    watch.dispose();
    Object.assign(window, { showInformationMessage });
    await commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("T15, T8: goes where the cursor was before the page was opened; once that place is gone a message says what to do", async () => {
    const [root] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(root);
    const target = vscode.Uri.joinPath(root.uri, "assets", "pier.png");
    const document = await vscode.workspace.openTextDocument({ content: "first\nhere\n", language: "plaintext" });
    const editor = await window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One });
    editor.selection = new vscode.Selection(1, 0, 1, 4);
    await eventually("the focus", () => window.activeTextEditor === editor);
    const page = window.createWebviewPanel("test.page", "Page", vscode.ViewColumn.One);
    await eventually("the document is hidden", () => targetEditor() === undefined);

    const hidden = placeForReference();
    assert.ok(hidden);
    const behind = new vscode.Position(1, 15);
    await insertReferenceAt(hidden, target, "a pier");
    assert.equal(document.getText(), "first\nassets/pier.png\n");
    await eventually("the cursor behind it", () => {
      const { activeTextEditor } = window;
      return activeTextEditor?.document === document && activeTextEditor.selection.active.isEqual(behind);
    });

    page.reveal();
    await eventually("the document is hidden again", () => targetEditor() === undefined);
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(0, 0, 3, 0), "");
    await vscode.workspace.applyEdit(edit);
    assert.equal(placeForReference(), undefined);
    assert.match(said.at(-1) ?? "", /^Open the document and put the cursor/);
    page.dispose();
    await eventually("the document is shown", () => targetEditor() !== undefined);
    await commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });

  it("T8: what the person selects while the file is fetched stays, also where the text has moved", async () => {
    const [root] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(root);
    const target = vscode.Uri.joinPath(root.uri, "assets", "pier.png");
    const document = await vscode.workspace.openTextDocument({ content: "here\n", language: "plaintext" });
    const editor = await window.showTextDocument(document);
    editor.selection = new vscode.Selection(0, 0, 0, 4);
    const place = placeForReference();
    assert.ok(place);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), "a paragraph\n"));
    editor.selection = new vscode.Selection(0, 0, 0, 11);
    await insertReferenceAt(place, target, "a pier");
    assert.equal(document.getText(), "a paragraphassets/pier.png\nhere\n");
    await commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });
});
