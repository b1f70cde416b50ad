/** The lines of an approval: those of a proposed change, with marks and numbers, or those of the arguments. Pure. */
import { t } from "@vscode/l10n";
import type { DiffHunk, DiffPreview } from "../../../domain/chat/chat";
import { WordComparer, type WordRun } from "../../../webview/changedWords";

export interface ChangeLine {
  readonly kind: "added" | "removed" | "same" | "gap" | "note" | "text" | "file";
  /** The line number after the change; for a removed line, the number before it. */
  readonly number?: number;
  readonly text: string;
  /** The line in runs, where some of its words differ from the line that it replaces or that replaces it. */
  readonly runs?: readonly WordRun[];
  /** The call of a `file` line, which is the title of the changes below it. */
  readonly call?: string;
  /** The line continues the previous one, which was too long. */
  readonly continued?: true;
}

/** The maximum length of a line. A longer one is split, which limits the cost of the layout. */
const maxLineLength = 2000;

export function changeLinesOf({ hunks }: DiffPreview): ChangeLine[] {
  const comparer = new WordComparer();
  return hunks.flatMap((hunk, index) => [
    ...(index > 0 ? [{ kind: "gap" as const, text: "⋯" }] : []),
    ...nearChanges(withRuns(hunkLines(hunk), comparer)).flatMap((line) => cut(line)),
  ]);
}

/** Compares each run of removed lines with the added ones after it. */
function withRuns(lines: readonly ChangeLine[], comparer: WordComparer): readonly ChangeLine[] {
  const marked = [...lines];
  let at = 0;
  const take = (kind: ChangeLine["kind"]): readonly number[] => {
    const taken: number[] = [];
    // A note belongs to the line before it.
    for (; lines[at]?.kind === kind || (taken.length > 0 && lines[at]?.kind === "note"); at += 1)
      if (lines[at]?.kind === kind) taken.push(at);
    return taken;
  };
  while (at < lines.length) {
    const [removed, added] = [take("removed"), take("added")];
    if (removed.length + added.length === 0) at += 1;
    const textsOf = (places: readonly number[]): readonly string[] => places.map((place) => lines[place]?.text ?? "");
    const words = comparer.compare(textsOf(removed), textsOf(added));
    if (words === undefined) continue;
    const set = (places: readonly number[], all: readonly (readonly WordRun[] | undefined)[]): void =>
      places.forEach((place, index) => {
        const [line, runs] = [marked[place], all[index]];
        if (line !== undefined && runs !== undefined) marked[place] = { ...line, runs };
      });
    set(removed, words.removed);
    set(added, words.added);
  }
  return marked;
}

export function textLines(text: string): ChangeLine[] {
  return text.split("\n").flatMap((line) => cut({ kind: "text", text: line }));
}

function hunkLines(hunk: DiffHunk): ChangeLine[] {
  let before = hunk.oldStart;
  let after = hunk.newStart;
  return hunk.lines.map((line): ChangeLine => {
    const mark = line.charAt(0);
    // The line is a remark of the unified format and not a line of the file.
    if (mark === "\\") return { kind: "note", text: t("No line break at the end of the file") };
    const kind = mark === "+" ? "added" : mark === "-" ? "removed" : "same";
    const number = kind === "removed" ? before : after;
    if (kind !== "added") before += 1;
    if (kind !== "removed") after += 1;
    return { kind, number, text: line.slice(1) };
  });
}

/** The changed lines with one unchanged line before and after each run. More context would push the changes out of a narrow view. */
function nearChanges(lines: readonly ChangeLine[]): ChangeLine[] {
  const isChanged = (at: number): boolean => lines[at]?.kind === "added" || lines[at]?.kind === "removed";
  const isNear = (at: number): boolean => isChanged(at - 1) || isChanged(at) || isChanged(at + 1);
  let last = -1;
  return lines.flatMap((line, at) => {
    // A note belongs to the line before it.
    if (!isNear(line.kind === "note" ? at - 1 : at)) return [];
    const isAfterGap = last >= 0 && at > last + 1;
    last = at;
    return isAfterGap ? [{ kind: "gap" as const, text: "⋯" }, line] : [line];
  });
}

function cut(line: ChangeLine): ChangeLine[] {
  if (line.text.length <= maxLineLength) return [line];
  const pieces = line.text.match(/[^]{1,2000}/gu) ?? [];
  return pieces.map((text, index) => (index === 0 ? { ...line, text } : { kind: line.kind, text, continued: true }));
}
