/** Files and folders as attachments of a prompt: found by name, taken from a menu or from the selection. */
import * as vscode from "vscode";
import { t } from "@vscode/l10n";
import { trimEnd } from "../../../base/text/cutText";
import type { FileReference } from "../../../domain/chat/attachmentSchema";
import { isPicturePath } from "../../../domain/media/pictureTypes";
import { labelInWorkspace } from "../../../tools/gate/pathNames";
import { toolRoots } from "../../../tools/host/workspaceFiles";
import type { CallFile } from "../../../domain/chat/changedLines";
import type { ReadableWorkspace } from "../../../domain/tools/workspace";
import { gateFile } from "../../../tools/gate/fileGate";
import { openFile } from "../../../vscode/interface/runCommand";
import { revealInName } from "../../../base/text/revealHidden";
import { describeReasons } from "../../../domain/words/describeTool";
import type { ConfirmAttachment } from "../../../tools/attachFiles";
import { confirmAction } from "../../../vscode/interface/show";

const foundCap = 200;
const shownCap = 12;
/** Folders are found through the files in them, and one folder may have many files. */
const filesInFoldersCap = 5000;

/** Files of the workspace by the characters of their path, best first. Never rejects. */
export async function searchFilePaths(query: string): Promise<readonly vscode.Uri[]> {
  const found = await search(`**/*${globOf(query)}*`, foundCap);
  const named = found.map((uri) => ({ uri, path: vscode.workspace.asRelativePath(uri) }));
  return named
    .sort((one, other) => comparePaths(query, one.path, other.path))
    .slice(0, shownCap)
    .map(({ uri }) => uri);
}

/**
 * Paths of the workspace's folders by the characters of their path, best first. Only folders with a file in or below them are found. Never rejects.
 */
export async function findFolders(query: string): Promise<readonly string[]> {
  const wanted = trimEnd(query, "/");
  const found = new Set<string>();
  for (const uri of await search(`**/*${globOf(wanted)}*/**`, filesInFoldersCap)) {
    const parts = (referenceTo(uri)?.path ?? "").split("/").slice(0, -1);
    for (const index of parts.keys()) found.add(parts.slice(0, index + 1).join("/"));
  }
  return [...found]
    .filter((path) => endsWithLetters(path, wanted))
    .sort((one, other) => comparePaths(wanted, one, other));
}

/** 0 where the name begins with the typed letters, otherwise 1. */
export function rankOf(path: string, query: string): 0 | 1 {
  const wanted = lastOf(query).toLowerCase();
  return lastOf(path).toLowerCase().startsWith(wanted) ? 0 : 1;
}

function comparePaths(query: string, one: string, other: string): number {
  return rankOf(one, query) - rankOf(other, query) || one.length - other.length || (one < other ? -1 : 1);
}

/** Whether the last parts of the path contain the letters of the query's parts. */
function endsWithLetters(path: string, query: string): boolean {
  const parts = path.toLowerCase().split("/").reverse();
  return query
    .toLowerCase()
    .split("/")
    .reverse()
    .every((letters, index) => parts[index]?.includes(letters) === true);
}

/** A pattern that ignores case, because VS Code does not on some systems. Signs that may have a meaning in a pattern become `?`. */
function globOf(query: string): string {
  return Array.from(query.slice(0, 100))
    .map((character) => {
      if (character === "/") return "*/*";
      if (!/[\p{L}\p{N}_.-]/u.test(character)) return "?";
      const [lower, upper] = [character.toLowerCase(), character.toUpperCase()];
      return lower === upper ? character : `[${lower}${upper}]`;
    })
    .join("");
}

/** Finds nothing where VS Code has no search program. */
async function search(pattern: string, limit: number): Promise<readonly vscode.Uri[]> {
  try {
    return await vscode.workspace.findFiles(pattern, "**/node_modules/**", limit);
  } catch {
    return [];
  }
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The files in open tabs. */
export function openFiles(): readonly vscode.Uri[] {
  const uris = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap(({ input }) =>
      input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom ? [input.uri] : [],
    );
  return [...new Map(uris.map((uri) => [uri.toString(), uri])).values()].slice(0, shownCap);
}

/** Decides by the name of the file only. Its bytes decide later whether it is an image. */
export function isImagePath(path: string): boolean {
  return isPicturePath(path, "prompt");
}

/**
 * The file with the path that tools read; `undefined` for a file outside their folders. VS Code's relative path may differ: it counts folders that
 * are on no disk, and gives two folders the same name.
 */
export function referenceTo({ scheme, fsPath }: vscode.Uri): FileReference | undefined {
  const path = scheme === "file" ? labelInWorkspace({ roots: toolRoots }, fsPath) : undefined;
  return path === undefined ? undefined : { path };
}

/** The lines of the selection. */
export function referenceToSelection({ document, selection }: vscode.TextEditor): FileReference | undefined {
  const reference = referenceTo(document.uri);
  return reference === undefined || selection.isEmpty ? undefined : { ...reference, lines: lineNumbersOf(selection) };
}

/** Line numbers counted from 1. A range that ends at the beginning of a line does not include that line. */
export function lineNumbersOf({ start, end }: vscode.Range): NonNullable<FileReference["lines"]> {
  const last = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
  return { first: start.line + 1, last };
}

/** Rejects where there is no such file. */
export async function openWorkspaceFile(workspace: ReadableWorkspace, { path, line }: CallFile): Promise<void> {
  const file = await gateFile(workspace, path, new AbortController().signal);
  await openFile(file.path, line);
}

/** Asks before the model gets a file that the person has attached and that may hold a secret. */
export const askToSend: ConfirmAttachment = (path, reasons) =>
  confirmAction(t("Send {0} to the model?", revealInName(path)), t("Send"), describeReasons(reasons));
