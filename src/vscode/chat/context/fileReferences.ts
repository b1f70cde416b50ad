/** Files as attachments of a prompt: found by name, taken from a menu or from the selection. */
import * as vscode from "vscode";
import type { FileReference } from "../../../domain/chat/attachmentSchema";
import { isPicturePath } from "../../../domain/media/pictureTypes";
import { labelInWorkspace } from "../../../tools/gate/locate";
import { toolRoots } from "../../workspace/toolRoots";

const foundCap = 200;
const shownCap = 12;

/** Files of the workspace by the characters of their path, best first. Never rejects. */
export async function findFiles(query: string): Promise<readonly vscode.Uri[]> {
  // VS Code matches a pattern case-sensitively on some systems; other characters than letters and digits have a meaning in it.
  const pattern = Array.from(query.slice(0, 100))
    .map((character) => {
      if (character === "/") return "*/*";
      if (!/[\p{L}\p{N}_.-]/u.test(character)) return "?";
      const [lower, upper] = [character.toLowerCase(), character.toUpperCase()];
      return lower === upper ? character : `[${lower}${upper}]`;
    })
    .join("");
  try {
    const found = await vscode.workspace.findFiles(`**/*${pattern}*`, "**/node_modules/**", foundCap);
    const wanted = query.slice(query.lastIndexOf("/") + 1).toLowerCase();
    const rank = (path: string): number =>
      path
        .slice(path.lastIndexOf("/") + 1)
        .toLowerCase()
        .startsWith(wanted)
        ? 0
        : 1;
    return found
      .map((uri) => ({ uri, path: vscode.workspace.asRelativePath(uri) }))
      .sort(
        ({ path: one }, { path: other }) =>
          rank(one) - rank(other) || one.length - other.length || (one < other ? -1 : 1),
      )
      .slice(0, shownCap)
      .map(({ uri }) => uri);
  } catch {
    return [];
  }
}

/** Those in open tabs. */
export function openFiles(): readonly vscode.Uri[] {
  const uris = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap(({ input }) =>
      input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom ? [input.uri] : [],
    );
  return [...new Map(uris.map((uri) => [uri.toString(), uri])).values()].slice(0, shownCap);
}

/** By its name; whether it is an image is decided by its bytes. */
export function isImagePath(path: string): boolean {
  return isPicturePath(path, "prompt");
}

/** With the path that tools read; `undefined` for what is in none of their folders. VS Code's relative path may be another: it counts folders on no disk, and has one name for two folders. */
export function referenceTo({ scheme, fsPath }: vscode.Uri): FileReference | undefined {
  const path = scheme === "file" ? labelInWorkspace({ roots: toolRoots }, fsPath) : undefined;
  return path === undefined ? undefined : { path };
}

/** The lines of the selection. */
export function referenceToSelection({ document, selection }: vscode.TextEditor): FileReference | undefined {
  const reference = referenceTo(document.uri);
  return reference === undefined || selection.isEmpty ? undefined : { ...reference, lines: linesOf(selection) };
}

/** Counted from 1. A range that ends at the beginning of a line does not include that line. */
export function linesOf({ start, end }: vscode.Range): NonNullable<FileReference["lines"]> {
  const last = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
  return { first: start.line + 1, last };
}
