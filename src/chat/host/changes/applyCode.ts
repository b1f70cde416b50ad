/** *Apply…* of a code block: writes the code into its file without saving it. The person keeps or undoes it like any change of a model. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { changedMiddle } from "../../../base/text/changedMiddle";
import { describeReasons } from "../../../domain/words/describeTool";
import type { Workspace } from "../../../domain/tools/workspace";
import { placeCode } from "../../../tools/edit/placeCode";
import { reasonsToAskForChange } from "../../../tools/gate/cautions";
import { gateAgain, type GatedFile, gateFile } from "../../../tools/gate/fileGate";
import { confirmAction, notifyInformation, notifyWarning } from "../../../vscode/interface/show";
import { targetEditor } from "../../../vscode/interface/targetEditor";
import { createWorkspaceFiles } from "../../../tools/host/workspaceFiles";
import type { Review } from "./review";

/** `file`: the path as the model named it. Without such a file in the workspace, the active editor's document is changed. */
export async function applyCode(review: Pick<Review, "land">, code: string, file: string | undefined): Promise<void> {
  const workspace = createWorkspaceFiles();
  const named = file ?? namedInFirstLine(code);
  const found = named === undefined ? undefined : await findInWorkspace(named);
  const gated = found && (await gateFound(workspace, found));
  if (found !== undefined && gated === undefined) return;
  const uri = gated === undefined ? targetEditor()?.document.uri : vscode.Uri.file(gated.path);
  if (uri === undefined) {
    await openNewFile(code, "");
    return;
  }
  const path = vscode.workspace.asRelativePath(uri);
  if (gated !== undefined && !(await isStillWanted(workspace, path, gated))) return;
  const document = await vscode.workspace.openTextDocument(uri);
  const before = document.getText();
  const after = placeCode(before, code, selectionIn(document));
  if (after === before) {
    void notifyInformation(t("{0} has this code already.", path));
    return;
  }
  if (!(await review.land(document, after))) return;
  const editor = await vscode.window.showTextDocument(document, { preview: false });
  const { start, text } = changedMiddle(before, after);
  const changed = new vscode.Range(document.positionAt(start), document.positionAt(start + text.length));
  editor.revealRange(changed, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

/** `undefined`, after a warning, where tools may not change the file either, for example because a link leads out of the workspace. */
async function gateFound(workspace: Workspace, found: vscode.Uri): Promise<GatedFile | undefined> {
  try {
    return await gateFile(workspace, found.fsPath, new AbortController().signal);
  } catch {
    // The error's message is written for the model.
    const path = vscode.workspace.asRelativePath(found);
    void notifyWarning(t("{0} is not in a folder of a trusted workspace, so the code can't be applied to it.", path));
    return undefined;
  }
}

/** Resolves with true if the person agrees to a change that the gate has cautions about, and the file is still the gated one. */
async function isStillWanted(workspace: Workspace, path: string, gated: GatedFile): Promise<boolean> {
  if (gated.cautions.length > 0) {
    const reasons = describeReasons(reasonsToAskForChange(gated.cautions));
    if (!(await confirmAction(t("Apply the code to {0}?", path), t("Apply"), t("Why it asks: {0}", reasons))))
      return false;
  }
  try {
    await gateAgain(gateFile, workspace, gated, new AbortController().signal);
    return true;
  } catch {
    void notifyWarning(t("{0} was changed meanwhile. Choose Apply again.", path));
    return false;
  }
}

function selectionIn(document: vscode.TextDocument): { start: number; end: number } {
  const editor = vscode.window.visibleTextEditors.find((other) => other.document === document);
  if (!editor) return { start: 0, end: 0 };
  const { start, end } = editor.selection;
  return { start: document.offsetAt(start), end: document.offsetAt(end) };
}

/** The maximum length of a first line, in characters. A longer line names no file. */
const maxFirstLineLength = 1000;

/** The path in the first line. Some models write it there as a comment. */
function namedInFirstLine(code: string): string | undefined {
  const line = code.slice(0, maxFirstLineLength + 1).split("\n", 1)[0] ?? "";
  if (line.length > maxFirstLineLength) return undefined;
  return /^(?:\/\/|#|--|<!--|\/\*)\s*([\w@.-][\w@./-]*\.\w+)\s*(?:-->|\*\/)?$/.exec(line.trim())?.[1];
}

/** Finds an existing file below a folder of the workspace by its path. The gate checks afterwards where its links lead. */
async function findInWorkspace(file: string): Promise<vscode.Uri | undefined> {
  const parts = file.replaceAll("\\", "/").split("/");
  if (parts.some((part) => part === "" || part === "." || part === "..")) return undefined;
  for (const { uri: folder, name } of vscode.workspace.workspaceFolders ?? []) {
    for (const path of parts[0] === name ? [parts, parts.slice(1)] : [parts]) {
      const uri = vscode.Uri.joinPath(folder, ...path);
      try {
        if (((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0) return uri;
      } catch {
        // There is no such file in this folder.
      }
    }
  }
  return undefined;
}

/** Names that models use for languages, with the language ids of VS Code. */
const languageIds: Readonly<Record<string, string>> = {
  bash: "shellscript",
  cs: "csharp",
  docker: "dockerfile",
  golang: "go",
  js: "javascript",
  jsx: "javascriptreact",
  kt: "kotlin",
  make: "makefile",
  md: "markdown",
  ps1: "powershell",
  py: "python",
  rb: "ruby",
  rs: "rust",
  sh: "shellscript",
  shell: "shellscript",
  ts: "typescript",
  tsx: "typescriptreact",
  yml: "yaml",
  zsh: "shellscript",
};

/** Opens an untitled document, which the person names when saving it. An unknown language becomes plain text. */
export async function openNewFile(content: string, name: string): Promise<void> {
  const word = name.toLowerCase();
  const wanted = Object.hasOwn(languageIds, word) ? languageIds[word] : word;
  const known = await vscode.languages.getLanguages();
  const language = known.find((id) => id === wanted);
  const document = await vscode.workspace.openTextDocument({
    content,
    ...(language === undefined ? {} : { language }),
  });
  await vscode.window.showTextDocument(document, { preview: false });
}
