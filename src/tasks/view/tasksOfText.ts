/** Finds the tasks that were made from a text of a document: for *Cancel Tasks of This Prompt…*. Pure. */
import { listMarks, type PromptIndex } from "../board/promptIndex";

/** The lines of a document, from 0. */
export interface TextLines {
  readonly lineCount: number;
  lineAt(line: number): string;
}

/** A selection in lines and characters from 0; `start` before `end`. Start and end are the same for a cursor. */
export interface TextSelection {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
}

/** Lines that are looked at above and below a cursor. */
const reach = 200;

/**
 * The texts that a selection may mean as a prompt: what is selected, each paragraph, list item and line in it; around a
 * cursor the paragraph, the list item and the line.
 */
export function promptTextsAt(lines: TextLines, { start, end }: TextSelection): readonly string[] {
  const isCursor = start.line === end.line && start.character === end.character;
  return isCursor ? textsAround(lines, start.line) : textsIn(selectedLines(lines, { start, end }));
}

/** The ids of the tasks that were made from what is selected, each once. */
export function tasksOfSelections(
  index: PromptIndex,
  lines: TextLines,
  selections: readonly TextSelection[],
): readonly string[] {
  if (index.size === 0) return [];
  const texts = selections.flatMap((selection) => promptTextsAt(lines, selection));
  return [...new Set(texts.flatMap((text) => index.idsOf(text)))];
}

function selectedLines(lines: TextLines, { start, end }: TextSelection): readonly string[] {
  const selected: string[] = [];
  for (let line = start.line; line <= end.line && line < lines.lineCount; line += 1) {
    const text = lines.lineAt(line);
    const from = line === start.line ? start.character : 0;
    selected.push(text.slice(from, line === end.line ? end.character : undefined));
  }
  return selected;
}

function textsIn(selected: readonly string[]): readonly string[] {
  return [
    selected.join("\n"),
    ...pieces(selected, isBetweenParagraphs, () => false),
    ...pieces(selected, isBetweenParagraphs, startsItem),
    ...selected,
  ].filter((text) => text.trim() !== "");
}

function textsAround(lines: TextLines, line: number): readonly string[] {
  if (line >= lines.lineCount || isBetweenParagraphs(lines.lineAt(line))) return [];
  let first = line;
  while (first > 0 && line - first < reach && !isBetweenParagraphs(lines.lineAt(first - 1))) first -= 1;
  let last = line;
  while (last + 1 < lines.lineCount && last - line < reach && !isBetweenParagraphs(lines.lineAt(last + 1))) last += 1;
  const paragraph: string[] = [];
  for (let at = first; at <= last; at += 1) paragraph.push(lines.lineAt(at));
  let itemFirst = line - first;
  while (itemFirst > 0 && !startsItem(paragraph[itemFirst] ?? "")) itemFirst -= 1;
  let itemEnd = line - first + 1;
  while (itemEnd < paragraph.length && !startsItem(paragraph[itemEnd] ?? "")) itemEnd += 1;
  return [...new Set([paragraph.join("\n"), paragraph.slice(itemFirst, itemEnd).join("\n"), lines.lineAt(line)])];
}

/** Joins lines to texts: one that separates ends a text and belongs to none, one that starts begins the next. */
function pieces(
  lines: readonly string[],
  separates: (line: string) => boolean,
  starts: (line: string) => boolean,
): readonly string[] {
  const texts: string[][] = [[]];
  for (const line of lines) {
    if (separates(line) || starts(line)) texts.push([]);
    if (!separates(line)) texts.at(-1)?.push(line);
  }
  return texts.filter(({ length }) => length > 0).map((text) => text.join("\n"));
}

/** A blank line, a heading or a comment of its own line. */
function isBetweenParagraphs(line: string): boolean {
  return /^\s*(?:$|#{1,6}\s|<!--.*-->\s*$)/.test(line);
}

function startsItem(line: string): boolean {
  return listMarks.test(line);
}
