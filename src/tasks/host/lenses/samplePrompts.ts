/** *Open Sample Prompts*: the workspace's own copy, else a new document. The extension's file is only read. */
import * as vscode from "vscode";

const name = "hero.prompts.md";

/** `shipped`: the sample among the extension's files. */
export async function openSamplePrompts(shipped: vscode.Uri): Promise<void> {
  const document = (await openCopy()) ?? (await openUntitled(shipped));
  await vscode.window.showTextDocument(document, { preview: false });
}

async function openCopy(): Promise<vscode.TextDocument | undefined> {
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    const copy = vscode.Uri.joinPath(uri, name);
    const isFile = await vscode.workspace.fs.stat(copy).then(
      ({ type }) => (type & vscode.FileType.File) !== 0,
      () => false,
    );
    if (isFile) return vscode.workspace.openTextDocument(copy);
  }
  return undefined;
}

/** An untitled document with the path at which it will be saved: in the first folder of the workspace. */
async function openUntitled(shipped: vscode.Uri): Promise<vscode.TextDocument> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const path = folder ? vscode.Uri.joinPath(folder, name).path : name;
  const document = await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme: "untitled", path }));
  // Opened before and not saved: it holds the sample or the person's changes to it.
  if (document.getText() !== "") return document;
  const edit = new vscode.WorkspaceEdit();
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(shipped));
  edit.insert(document.uri, new vscode.Position(0, 0), text);
  await vscode.workspace.applyEdit(edit);
  return vscode.languages.setTextDocumentLanguage(document, "markdown");
}
