/** *Apply…* of a code block: a diff of the file with the code in it, which the buttons of the diff's title apply or discard. */
import { randomUUID } from "node:crypto";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../../base/disposable";
import { definedFields } from "../../../base/definedFields";
import { describeReasons } from "../../../domain/words/describeTool";
import type { Workspace } from "../../../domain/tools/workspace";
import { placeCode } from "../../../tools/edit/placeCode";
import { reasonsToAskForChange } from "../../../tools/gate/cautions";
import { gateAgain, type GatedFile, gateFile } from "../../../tools/gate/fileGate";
import type { Dialogs } from "../../../vscode/interface/dialogs";
import { commands } from "../../../vscode/ids";
import { createProposalDocuments } from "./proposalDocuments";
import { askBefore, notifyInformation, notifyWarning } from "../../../vscode/interface/show";
import { targetEditor } from "../../../vscode/interface/targetEditor";
import { createWorkspaceFiles } from "../../../tools/host/workspaceFiles";

export interface CodeProposals extends Disposable {
  /** `file`: as the model named it; the active editor's document when there is none of that name in the workspace. */
  open(code: string, file: string | undefined): Promise<void>;
  /** A diff of a file with another text of it, for the person to apply; nothing where the file no longer reads `before`. */
  propose(path: string, before: string, after: string, title: string): Promise<void>;
}

interface OpenProposal {
  readonly uri: vscode.Uri;
  /** What the gate says of it, where the model named it and not the person by opening it. */
  readonly gated?: GatedFile;
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

const scheme = "sluice-code";

export function createCodeProposals(dialogs: Dialogs): CodeProposals {
  const store = new DisposableStore();
  const documents = store.add(createProposalDocuments(scheme));
  const open = new Map<string, OpenProposal>();
  const workspace = createWorkspaceFiles();
  const end = async (id: string): Promise<void> => {
    open.delete(id);
    await documents.close(id);
  };
  store.add(
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      if (uri.scheme === scheme) open.delete(uri.query);
    }),
  );
  store.add(
    dialogs.register(commands.applyCode, async (uri) => {
      const id = proposalOf(uri);
      const proposal = id === undefined ? undefined : open.get(id);
      if (id === undefined || proposal === undefined) return;
      if (await applyProposal(workspace, proposal)) await end(id);
    }),
  );
  store.add(
    dialogs.register(commands.discardCode, async (uri) => {
      await end(proposalOf(uri) ?? "");
    }),
  );
  return {
    async propose(file, before, after, title) {
      const proposal = await proposalOfText(file, before, after);
      if (proposal === undefined) return;
      const id = randomUUID();
      open.set(id, proposal);
      await documents.open(id, { file: proposal.uri, path: proposal.path, after: proposal.after, title });
    },
    async open(code, file) {
      const named = file ?? namedInFirstLine(code);
      const found = named === undefined ? undefined : await findInWorkspace(named);
      const gated = found && (await gateFound(workspace, found));
      if (found !== undefined && gated === undefined) return;
      const uri = gated === undefined ? targetEditor()?.document.uri : vscode.Uri.file(gated.path);
      if (uri === undefined) {
        await openNewFile(code, "");
        return;
      }
      const document = await vscode.workspace.openTextDocument(uri);
      const before = document.getText();
      const after = placeCode(before, code, selectionIn(document));
      const path = vscode.workspace.asRelativePath(uri);
      if (after === before) {
        void notifyInformation(t("{0} has this code already.", path));
        return;
      }
      const id = randomUUID();
      open.set(id, { uri, path, before, after, ...definedFields({ gated }) });
      await documents.open(id, { file: uri, path, after });
    },
    dispose: () => store.dispose(),
  };
}

/** With the line ends of the document; `undefined` where it reads another text than `before`, which the person has read then. */
async function proposalOfText(file: string, before: string, after: string): Promise<OpenProposal | undefined> {
  const uri = vscode.Uri.file(file);
  const path = vscode.workspace.asRelativePath(uri);
  const document = await vscode.workspace.openTextDocument(uri);
  const lineEnd = document.eol === vscode.EndOfLine.CRLF ? "\r\n" : "\n";
  const withLineEnd = (text: string): string => text.replace(/\r\n|\r|\n/g, lineEnd);
  if (document.getText() === withLineEnd(before)) {
    return { uri, path, before: withLineEnd(before), after: withLineEnd(after) };
  }
  tellChanged(path);
  return undefined;
}

/** From the menu of the diff's title, else of the diff that is active. */
function proposalOf(uri: unknown): string | undefined {
  if (uri instanceof vscode.Uri && uri.scheme === scheme) return uri.query;
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (!(input instanceof vscode.TabInputTextDiff) || input.modified.scheme !== scheme) return undefined;
  return input.modified.query;
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
    tellChanged(path);
    return false;
  }
}

function tellChanged(path: string): void {
  void notifyWarning(t("{0} has changed since this diff was opened. Choose Apply in the chat again.", path));
}

/** Leaves the document unsaved, so that an undo takes it back. False when the file is not what the diff showed. */
async function applyProposal(workspace: Workspace, proposal: OpenProposal): Promise<boolean> {
  const { uri, path, before, after, gated } = proposal;
  if (gated !== undefined && !(await isStillWanted(workspace, path, gated))) return false;
  const document = await vscode.workspace.openTextDocument(uri);
  if (document.getText() !== before) {
    tellChanged(path);
    return false;
  }
  const { start, end, text } = difference(before, after);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), text);
  if (!(await vscode.workspace.applyEdit(edit))) {
    void notifyWarning(t("The editor did not take the text. It may be read-only."));
    return false;
  }
  const editor = await vscode.window.showTextDocument(document, { preview: false });
  const changed = new vscode.Range(document.positionAt(start), document.positionAt(start + text.length));
  editor.revealRange(changed, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  return true;
}

/** The part between what both begin and end with: the caret and marks elsewhere stay where they are. */
function difference(before: string, after: string): { start: number; end: number; text: string } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let tail = 0;
  while (tail < shorter - start && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) };
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
