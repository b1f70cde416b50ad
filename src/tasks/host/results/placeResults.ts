/** Places results in the folders of this window: copies the file there and corrects the references to it. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { retryRefused } from "../../../base/async/retryRefused";
import { decodeText } from "../../../base/text/decodeText";
import type { TaskBoard } from "../../board/board";
import { promptInFiles } from "../../../vscode/ids";
import { notifyWarning } from "../../../vscode/interface/show";
import { isOpenHere } from "../../../vscode/openFolders";
import { addReplacement } from "../../../vscode/replaceText";
import type { PlaceOutcome } from "../../results/placeFile";
import type { ProjectFiles } from "../../results/resultPlacer";

const placing: Omit<ProjectFiles, "makeExact"> = {
  holds: isOpenHere,
  onDidChangeFolders: (listener) => vscode.workspace.onDidChangeWorkspaceFolders(listener),
  place: (source, file, { replaces, instead }) => placeResult(source, vscode.Uri.parse(file), replaces, instead),
  async removeCopy(source, file) {
    const target = vscode.Uri.parse(file);
    if (!isOpenHere(file)) return false;
    if (await hasExactBytes(target, await readFile(source))) await vscode.workspace.fs.delete(target);
    return !(await existsAt(target));
  },
  correctReferences: (document, expected, actual) =>
    correctIn(
      vscode.Uri.parse(document),
      expected.map((file) => vscode.Uri.parse(file)),
      vscode.Uri.parse(actual),
    ),
};

export interface ExactOptions {
  /** The bundle of the thread that makes exact files. */
  readonly program: string;
  /** Keeps whether prompt and seed are written into files that are encoded anew. */
  readonly memory: Pick<vscode.Memento, "get">;
}

export const createProjectFiles = (
  board: Pick<TaskBoard, "all" | "readBody">,
  { program, memory }: ExactOptions,
): ProjectFiles => ({
  ...placing,
  async makeExact(source, files, signal) {
    const [{ runExact }, { marksOfResult }, folder] = await Promise.all([
      import("../../exact/runExact"),
      import("../../results/taskMarks"),
      mkdtemp(join(tmpdir(), "sluice-exact-")),
    ]);
    const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
    try {
      const marks = await marksOfResult(board, source, memory.get(promptInFiles, true));
      return { paths: await runExact(program, { source, folder, targets: files, marks }, signal), remove };
    } catch (failure) {
      await remove();
      throw failure;
    }
  },
});

/** Rejects with the file system's error. */
export async function placeResult(
  source: string,
  target: vscode.Uri,
  replaces: boolean,
  instead?: string,
): Promise<PlaceOutcome> {
  if (target.scheme === "file") {
    const root = vscode.workspace.getWorkspaceFolder(target)?.uri.fsPath;
    const { placeFile } = await import("../../results/placeFile");
    return placeFile(source, target.fsPath, { root, replaces, instead });
  }
  const bytes = await readFile(source);
  const there = await readIfThere(target);
  if (there !== undefined && Buffer.compare(there, bytes) === 0) return "placed";
  const mayReplace =
    replaces || (there !== undefined && instead !== undefined && Buffer.compare(there, await readFile(instead)) === 0);
  if (mayReplace) {
    await vscode.workspace.fs.writeFile(target, bytes);
    return "placed";
  }
  return there === undefined && (await copyAsNew(source, target)) ? "placed" : "occupied";
}

/** Resolves with false where a file has appeared meanwhile; unlike `writeFile`, a copy leaves it as it is. */
async function copyAsNew(source: string, target: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.copy(vscode.Uri.file(source), target, { overwrite: false });
    return true;
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === "FileExists") return false;
    throw error;
  }
}

/** `undefined` when there is no such file. A file that can't be read at the moment is there, so the error is thrown. */
export async function readIfThere(file: vscode.Uri): Promise<Uint8Array | undefined> {
  try {
    return await vscode.workspace.fs.readFile(file);
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === "FileNotFound") return undefined;
    throw error;
  }
}

/** Whether a file or a folder is there. */
export async function existsAt(target: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(target).then(
    () => true,
    () => false,
  );
}

/** Whether the file already has exactly these bytes. */
export async function hasExactBytes(target: vscode.Uri, bytes: Uint8Array): Promise<boolean> {
  const stat = await vscode.workspace.fs.stat(target).then(
    (found) => found,
    () => undefined,
  );
  if (stat?.size !== bytes.length) return false;
  return Buffer.compare(await vscode.workspace.fs.readFile(target), bytes) === 0;
}

/**
 * Whether the file has the bytes as which VS Code would save the document. It would change more than a person sees in a file that is in another
 * encoding than it was read in, or that has several kinds of line ends.
 */
async function isSavedAlike(document: vscode.TextDocument): Promise<boolean> {
  const bytes = await vscode.workspace.fs.readFile(document.uri).then(
    (found) => found,
    () => undefined,
  );
  if (bytes === undefined) return false;
  const { text, isDamaged } = decodeText(bytes);
  if (!isDamaged && text === document.getText()) return true;
  const encoded = await vscode.workspace.encode(document.getText(), { encoding: document.encoding });
  return Buffer.compare(encoded, bytes) === 0;
}

/** A document that is gone, or no text any more, is left alone. */
async function correctIn(documentUri: vscode.Uri, expected: readonly vscode.Uri[], actual: vscode.Uri): Promise<void> {
  const document = await vscode.workspace.openTextDocument(documentUri).then(
    (opened) => opened,
    () => undefined,
  );
  if (document === undefined) return;
  const [{ correctReferences }, { markupOf, relativePath }] = await Promise.all([
    import("../../results/correctReferences"),
    import("../../results/reference"),
  ]);
  const { languageId } = document;
  const isMdx = languageId === "mdx" || documentUri.path.endsWith(".mdx");
  const markup = isMdx ? "mdx" : (markupOf(languageId) ?? "markdown");
  const from = (file: vscode.Uri): string => relativePath(documentUri.path, file.path);
  // VS Code refuses an edit of a text that the person changes meanwhile.
  await retryRefused(async () => {
    const { version } = document;
    const text = document.getText();
    // A reference is to one file only, so that no two changes overlap.
    const changes = expected.flatMap((file) => correctReferences(text, from(file), from(actual), markup));
    if (changes.length === 0) return true;
    // A document with unsaved changes of the person is not saved.
    const mustSave = !document.isDirty && !document.isUntitled;
    const isLeftAlone = mustSave && !(await isSavedAlike(document));
    if (document.version !== version) return false;
    if (isLeftAlone) {
      const told = t(
        "{0} was left as it is, because saving it would change more than the path. The path is now: {1}",
        vscode.workspace.asRelativePath(documentUri),
        from(actual),
      );
      void notifyWarning(told);
      return true;
    }
    const edit = new vscode.WorkspaceEdit();
    for (const { start, end, text } of changes) {
      addReplacement(edit, documentUri, new vscode.Range(document.positionAt(start), document.positionAt(end)), text);
    }
    const isTaken = await vscode.workspace.applyEdit(edit);
    if (isTaken && mustSave) await document.save();
    return isTaken;
  });
}
