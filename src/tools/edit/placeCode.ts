/**
 * Finds where a code block of an answer belongs in a document: the selection, else the lines that it is a new version of, else
 * the caret. It is a proposal only: the person sees it as a diff before it is applied. Pure; time is linear in the texts.
 */
import type { TextRange } from "../../base/text/trackedRange";

/** The document with the code in it. */
export function placeCode(document: string, code: string, selection: TextRange): string {
  const lineEnd = document.includes("\r\n") ? "\r\n" : "\n";
  const lines = code.replaceAll("\r\n", "\n").replace(/\n$/, "").split("\n");
  const { start, end } = selection;
  if (start < end) {
    // Whole lines were selected, up to the beginning of the next one.
    const tail = document.slice(start, end).endsWith("\n") ? lineEnd : "";
    return document.slice(0, start) + lines.join(lineEnd) + tail + document.slice(end);
  }
  const known = document.split(/\r?\n/);
  const region = document.trim() === "" ? { first: 0, last: known.length - 1 } : findRegion(known, lines);
  if (region === undefined) return document.slice(0, start) + lines.join(lineEnd) + document.slice(start);
  const placed = [
    ...known.slice(0, region.first),
    ...indentAs(lines, known[region.first] ?? ""),
    ...known.slice(region.last + 1),
  ];
  // A file that ended with a line end keeps it.
  const isLast = region.last === known.length - 1;
  return placed.join(lineEnd) + (isLast && document.endsWith("\n") ? lineEnd : "");
}

interface Region {
  readonly first: number;
  readonly last: number;
}

/**
 * The lines from the code's first line to its last line, at the same indentation. Of several possible ends it takes the one
 * with which most lines are in both texts and fewest are lost.
 */
function findRegion(known: readonly string[], lines: readonly string[]): Region | undefined {
  const written = lines.filter(isWritten);
  const [firstLine] = written;
  const lastLine = written.at(-1);
  if (firstLine === undefined || lastLine === undefined) return undefined;
  // Trimmed once: each line of the document is compared with them.
  const [firstWords, lastWords] = [firstLine.trim(), lastLine.trim()];
  const lastIndent = indentOf(lastLine).length;
  const first = known.findIndex((line) => line.trim() === firstWords);
  // Where the line is there twice it is unclear which of the two is meant.
  if (first < 0 || known.findLastIndex((line) => line.trim() === firstWords) !== first) return undefined;
  const depth = indentOf(known[first] ?? "").length - indentOf(firstLine).length;
  const inCode = new Set(written.map((line) => line.trim()));
  let score = 0;
  let best: { readonly last: number; readonly score: number } | undefined;
  for (const [offset, line] of known.slice(first).entries()) {
    const words = line.trim();
    if (words === "") continue;
    score += inCode.has(words) ? 1 : -1;
    const isEnd = words === lastWords && indentOf(line).length - lastIndent === depth;
    if (isEnd && (best === undefined || score > best.score)) best = { last: first + offset, score };
  }
  return best && { first, last: best.last };
}

/** The lines with the indentation of the line that the first of them replaces. */
function indentAs(lines: readonly string[], replaced: string): readonly string[] {
  const given = indentOf(lines.find(isWritten) ?? "");
  const wanted = indentOf(replaced);
  if (given === wanted) return lines;
  return lines.map((line) => (isWritten(line) && line.startsWith(given) ? wanted + line.slice(given.length) : line));
}

function isWritten(line: string): boolean {
  return line.trim() !== "";
}

function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}
