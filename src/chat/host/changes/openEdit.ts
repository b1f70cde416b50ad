/** One edit of a selection and the lines of its document: where they are, how they were sent, and what comes in their place. */
import * as vscode from "vscode";
import { replaceRange, type TextRange } from "../../../base/text/trackedRange";
import type { EditedPlace, EditExchange } from "../../request/editRequest";

/** One diff: what is rewritten, where it is by now, and what came of it so far. */
export interface OpenEdit {
  readonly id: string;
  /** Another one once VS Code has closed it: a closed one keeps the text that it had then. */
  document: vscode.TextDocument;
  /** Of whole lines; it moves while the person types elsewhere. */
  range: TextRange;
  /** What the lines read when they were sent. */
  readonly selected: string;
  place: EditedPlace;
  /** The title of the diff. */
  heading: string;
  readonly exchanges: EditExchange[];
  readonly ended: AbortController;
  /** What comes in the place of the lines; missing until the model has begun. */
  lines?: string;
  isWriting: boolean;
}

/** The file as it is now, with the new lines. */
export function textWith({ document, range, lines }: OpenEdit): string {
  const now = document.getText();
  return lines === undefined ? now : replaceRange(now, range, lines);
}

export function isAsSelected({ document, range, selected }: OpenEdit): boolean {
  return document.getText().slice(range.start, range.end) === selected;
}

/** From the start of the first line to the end of the last one, without its line end. Nothing for a cursor in an empty line: it is inserted there. */
export function wholeLines(document: vscode.TextDocument, { start, end }: vscode.Range): TextRange {
  // A selection that ends before the first letter of a line does not mean that line.
  const last = end.line > start.line && end.character === 0 ? end.line - 1 : end.line;
  return {
    start: document.offsetAt(start.with({ character: 0 })),
    end: document.offsetAt(document.lineAt(last).range.end),
  };
}

export function editedPlace(document: vscode.TextDocument, { start, end }: TextRange, path: string): EditedPlace {
  const text = document.getText();
  const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
  const problems = vscode.languages
    .getDiagnostics(document.uri)
    .filter((one) => one.range.intersection(range) !== undefined)
    .slice(0, 20)
    .map(({ message, range: { start: at } }) => `line ${at.line - range.start.line + 1}: ${message.slice(0, 500)}`);
  const selected = text.slice(start, end);
  const parts = {
    selected: selected.trim() === "" ? "" : selected,
    before: text.slice(0, start),
    after: text.slice(end),
  };
  return { path, language: document.languageId, ...parts, problems };
}

/** As the document has them; and without a line end that the selected lines do not have. */
export function withLineEnds(lines: string, { document, selected }: OpenEdit): string {
  const bare = selected.endsWith("\n") ? lines : lines.replace(/\r?\n$/, "");
  const lineEnd = document.eol === vscode.EndOfLine.CRLF ? "\r\n" : "\n";
  return bare.replace(/\r\n|\r|\n/g, lineEnd);
}
