/** The quick fix on the empty text of a picture: the chat's model describes the picture, and what is written is seen before. */
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
import { type AltPorts, askForAlt } from "./askForAlt";
import { placesOf } from "./lookForUses";

export interface AltActionPorts {
  readonly alt: AltPorts;
  readonly board: { readonly all: ReadonlyMap<string, Task>; loaded(): Promise<unknown> };
}

const kind = vscode.CodeActionKind.QuickFix.append("sluice");

/** Characters of a document before and behind the place. */
const around = 8000;

/** None where the file is not there: that it is missing is said elsewhere. */
export async function altActions(document: vscode.TextDocument, { start }: vscode.Range): Promise<vscode.CodeAction[]> {
  const found = findAlt(document, start);
  const file = found && (await fileOf(document, found));
  if (found === undefined || file === undefined) return [];
  const title = shownLine(t("Describe the Picture…"));
  const action = new vscode.CodeAction(title, kind);
  action.command = { command: internalCommands.describePicture, title, arguments: [document.uri, start] };
  return [action];
}

/** What `altActions` has offered at that place. */
export async function describePicture(ports: AltActionPorts, [uri, place]: readonly unknown[]): Promise<void> {
  if (!(uri instanceof vscode.Uri) || !(place instanceof vscode.Position)) return;
  const document = await vscode.workspace.openTextDocument(uri);
  const found = findAlt(document, place);
  const file = found && (await fileOf(document, found));
  if (found === undefined || file === undefined) return;
  const prompt = await promptOf(ports, file);
  const alt = await askForAlt(ports.alt, { file, prompt, isAskedFor: true });
  if (alt === undefined || alt.trim() === "") return;
  // The person may have typed meanwhile.
  const now = findAlt(document, place);
  const edit = new vscode.WorkspaceEdit();
  if (now?.path === found.path)
    edit.replace(uri, rangeOf(document, now), `${now.quote}${escapeBetweenQuotes(now, alt)}${now.quote}`);
  if (edit.size === 0 || !(await vscode.workspace.applyEdit(edit)))
    void notifyWarning(t("The document has changed, so the text was not written."));
}

/** The quotes that are there may be single ones, and so may those of a program's text around the element. */
function escapeBetweenQuotes({ markup }: EmptyAlt, alt: string): string {
  const escaped = escapeAlt(markup, alt);
  return markup === "html" ? escaped.replaceAll("'", "&#39;") : escaped;
}

/** Offsets from the beginning of the document; only what is around the place is read. */
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

/** A picture in a folder of this window, also behind links. */
async function fileOf(document: vscode.TextDocument, { path }: EmptyAlt): Promise<vscode.Uri | undefined> {
  if (!vscode.workspace.isTrusted || mediaKindOf(path) !== "image" || /^[a-z][\w+.-]*:|^\/\//i.test(path))
    return undefined;
  for (const place of placesOf(path, document.uri)) {
    const folder = vscode.workspace.getWorkspaceFolder(place)?.uri;
    const stat = folder && (await vscode.workspace.fs.stat(place).then(undefined, () => undefined));
    if (folder === undefined || stat === undefined || (stat.type & vscode.FileType.File) === 0) continue;
    // A larger one is no picture that could be shown, and would be read whole.
    if (stat.size <= maxPictureBytes && (await isReallyInside(place, folder))) return place;
  }
  return undefined;
}

/** Of the task whose result it is, or what the file itself says. */
async function promptOf({ board }: AltActionPorts, file: vscode.Uri): Promise<string> {
  await board.loaded();
  const task = placedTasks(board.all.values()).get(file.toString());
  if (task !== undefined) return task.intent.prompt;
  const { originIn } = await import("../submit/pictureOrigin");
  return originIn("", await vscode.workspace.fs.readFile(file))?.prompt ?? "";
}
