/** The quick fix on the empty alt text of a picture: the chat's model describes the picture, and the person sees the text before it is written. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { maxPictureBytes } from "../../../domain/media/pictureBounds";
import { type EmptyAlt, emptyAltAt } from "../../../domain/task/emptyAlt";
import type { Task } from "../../../domain/task/task";
import { mediaKindOf } from "../../../domain/task/taskTypes";
import { internalCommands } from "../../../vscode/ids";
import { notifyWarning } from "../../../vscode/interface/show";
import { shownLine } from "../../../vscode/interface/shownText";
import { placedTasks } from "../../results/placedTasks";
import { escapeAlt } from "../../results/reference";
import { isReallyInside } from "../insideFolder";
import { type AltOptions, askForAlt } from "./askForAlt";
import { filesNamedBy } from "./lookForUses";

export interface AltActionOptions {
  readonly alt: AltOptions;
  readonly board: { readonly all: ReadonlyMap<string, Task>; loaded(): Promise<unknown> };
}

const kind = vscode.CodeActionKind.QuickFix.append("sluice");

/** Characters of a document that are read before and after the place. */
const around = 8000;

/** Offers nothing where the file is missing, because that is reported elsewhere. */
export async function altActions(document: vscode.TextDocument, { start }: vscode.Range): Promise<vscode.CodeAction[]> {
  const found = findAlt(document, start);
  const file = found && (await fileOf(document, found));
  if (found === undefined || file === undefined) return [];
  const title = shownLine(t("Describe the Picture…"));
  const action = new vscode.CodeAction(title, kind);
  action.command = { command: internalCommands.describePicture, title, arguments: [document.uri, start] };
  return [action];
}

/** Runs what `altActions` has offered at that place. */
export async function describePicture(options: AltActionOptions, [uri, place]: readonly unknown[]): Promise<void> {
  if (!(uri instanceof vscode.Uri) || !(place instanceof vscode.Position)) return;
  const document = await vscode.workspace.openTextDocument(uri);
  const found = findAlt(document, place);
  const file = found && (await fileOf(document, found));
  if (found === undefined || file === undefined) return;
  const prompt = await promptOf(options, file);
  const alt = await askForAlt(options.alt, { file, prompt, isAskedFor: true });
  if (alt === undefined || alt.trim() === "") return;
  // The person may have typed meanwhile.
  const now = findAlt(document, place);
  const edit = new vscode.WorkspaceEdit();
  if (now?.path === found.path)
    edit.replace(uri, rangeOf(document, now), `${now.quote}${escapeBetweenQuotes(now, alt)}${now.quote}`);
  if (edit.size === 0 || !(await vscode.workspace.applyEdit(edit)))
    void notifyWarning(t("The document has changed, so the text was not written."));
}

/** Escapes single quotes too, because the attribute, or a program's string around the element, may be in single quotes. */
function escapeBetweenQuotes({ markup }: EmptyAlt, alt: string): string {
  const escaped = escapeAlt(markup, alt);
  return markup === "html" ? escaped.replaceAll("'", "&#39;") : escaped;
}

/** Offsets count from the beginning of the document; only the text around the place is read. */
function findAlt(document: vscode.TextDocument, place: vscode.Position): EmptyAlt | undefined {
  const offset = document.offsetAt(place);
  const first = Math.max(0, offset - around);
  const part = new vscode.Range(document.positionAt(first), document.positionAt(offset + around));
  const begin = document.offsetAt(part.start);
  const found = emptyAltAt(document.getText(part), offset - begin);
  return found && { ...found, start: found.start + begin, end: found.end + begin };
}

function rangeOf(document: vscode.TextDocument, { start, end }: EmptyAlt): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

/** The picture, if it is in a folder of this window even when links are followed. */
async function fileOf(document: vscode.TextDocument, { path }: EmptyAlt): Promise<vscode.Uri | undefined> {
  if (!vscode.workspace.isTrusted || mediaKindOf(path) !== "image" || /^[a-z][\w+.-]*:|^\/\//i.test(path))
    return undefined;
  for (const place of filesNamedBy(path, document.uri)) {
    const folder = vscode.workspace.getWorkspaceFolder(place)?.uri;
    const stat = folder && (await vscode.workspace.fs.stat(place).then(undefined, () => undefined));
    if (folder === undefined || stat === undefined || (stat.type & vscode.FileType.File) === 0) continue;
    // A larger file could not be shown as a picture, and would be read whole.
    if (stat.size <= maxPictureBytes && (await isReallyInside(place, folder))) return place;
  }
  return undefined;
}

/** The prompt of the task whose result the file is, else the prompt in the file's metadata. */
async function promptOf({ board }: AltActionOptions, file: vscode.Uri): Promise<string> {
  await board.loaded();
  const task = placedTasks(board.all.values()).get(file.toString());
  if (task !== undefined) return task.intent.prompt;
  const { originIn } = await import("../submit/pictureOrigin");
  return originIn("", await vscode.workspace.fs.readFile(file))?.prompt ?? "";
}
