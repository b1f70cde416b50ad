/** *Apply…* of a code block: the code lands in its file, unsaved, and is kept or undone there like any change of a model. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { describeReasons } from "../../../domain/words/describeTool";
import type { Workspace } from "../../../domain/tools/workspace";
import { placeCode } from "../../../tools/edit/placeCode";
import { reasonsToAskForChange } from "../../../tools/gate/cautions";
import { gateAgain, type GatedFile, gateFile } from "../../../tools/gate/fileGate";
import { askBefore, notifyInformation, notifyWarning } from "../../../vscode/interface/show";
import { targetEditor } from "../../../vscode/interface/targetEditor";
import { createWorkspaceFiles } from "../../../tools/host/workspaceFiles";
import { difference, type Review } from "./review";

/** `file`: as the model named it; the active editor's document when there is none of that name in the workspace. */
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
  const { start, text } = difference(before, after);
  const changed = new vscode.Range(document.positionAt(start), document.positionAt(start + text.length));
  editor.revealRange(changed, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

/** `undefined` where no tool may change the file either: a link leads out of the workspace, for example. The person has read so. */
async function gateFound(workspace: Workspace, found: vscode.Uri): Promise<GatedFile | undefined> {
  try {
    return await gateFile(workspace, found.fsPath, new AbortController().signal);
  } catch {
    // The error's own words are for the model.
    const path = vscode.workspace.asRelativePath(found);
    void notifyWarning(t("{0} is not in a folder of a trusted workspace, so the code can't be applied to it.", path));
    return undefined;
  }
}

/** Whether the person wants a change for which the gate has a caution, and the file is still the one that was gated. */
async function isStillWanted(workspace: Workspace, path: string, gated: GatedFile): Promise<boolean> {
  if (gated.cautions.length > 0) {
    const reasons = describeReasons(reasonsToAskForChange(gated.cautions));
    if (!(await askBefore(t("Apply the code to {0}?", path), t("Apply"), t("Why it asks: {0}", reasons)))) return false;
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

/** Characters of a first line. A longer one names no file. */
const maxFirstLineLength = 1000;

/** Some models write the path as a comment in the first line. */
function namedInFirstLine(code: string): string | undefined {
  const line = code.slice(0, maxFirstLineLength + 1).split("\n", 1)[0] ?? "";
  if (line.length > maxFirstLineLength) return undefined;
  return /^(?:\/\/|#|--|<!--|\/\*)\s*([\w@.-][\w@./-]*\.\w+)\s*(?:-->|\*\/)?$/.exec(line.trim())?.[1];
}

/** An existing file below a folder of the workspace by its path; the gate says where its links lead. */
async function findInWorkspace(file: string): Promise<vscode.Uri | undefined> {
  const parts = file.replaceAll("\\", "/").split("/");
  if (parts.some((part) => part === "" || part === "." || part === "..")) return undefined;
  for (const { uri: folder, name } of vscode.workspace.workspaceFolders ?? []) {
    for (const path of parts[0] === name ? [parts, parts.slice(1)] : [parts]) {
      const uri = vscode.Uri.joinPath(folder, ...path);
      try {
        if (((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0) return uri;
      } catch {
        // There is none.
      }
    }
  }
  return undefined;
}

/** The names that models use for languages, where VS Code has another. */
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

/** An untitled document, which the person names when saving it. An unknown language is plain text. */
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
