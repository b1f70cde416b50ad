/**
 * A text under review: which of its lines a model has added, which it has removed, and which are decided, because they were there before, the
 * person wrote them, or kept or took back the change. Undo of everything that is open gives exactly the decided lines and the removed ones. Pure.
 */
import { lineReplacements, type LineReplacement, linesWithEnds } from "./lineDiff";

/** `text`: one line with its line end. A `removed` row is not in the text now. */
export interface ReviewRow {
  readonly kind: "decided" | "added" | "removed";
  readonly text: string;
}

export type ReviewRows = readonly ReviewRow[];

/** A run of rows that are not decided. `start` and `end` are lines of the text now, from 0; `end` is exclusive. */
export interface ReviewHunk {
  readonly start: number;
  readonly end: number;
  /** The line of the text before the change where the run begins, from 0. */
  readonly formerStart: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** Runs of rows of one kind, as they are stored. */
export type RowCounts = readonly { readonly kind: ReviewRow["kind"]; readonly lines: number }[];

export function decidedRows(text: string): ReviewRows {
  return linesWithEnds(text).map((line) => ({ kind: "decided", text: line }));
}

/** Caches the text of rows, which is read again with each key that is typed. */
const texts = new WeakMap<ReviewRows, string>();

/** The text as it is now. */
export function nowOf(rows: ReviewRows): string {
  const text = texts.get(rows) ?? joined(rows, "removed");
  texts.set(rows, text);
  return text;
}

/** The text that an undo of everything undecided leaves. */
export function textAfterUndo(rows: ReviewRows): string {
  return joined(rows, "added");
}

function joined(rows: ReviewRows, without: ReviewRow["kind"]): string {
  const lines = linesWithout(rows, without);
  // The last line of one text may have no line end and be followed here by lines of the other text.
  const isOpen = (line: string, at: number): boolean =>
    at < lines.length - 1 && !line.endsWith("\n") && !line.endsWith("\r");
  if (!lines.some(isOpen)) return lines.join("");
  const lineEnd = lineEndOf(lines);
  return lines.map((line, at) => (isOpen(line, at) ? line + lineEnd : line)).join("");
}

const lineEndOf = (texts: readonly string[]): string => (texts.some((text) => text.includes("\r\n")) ? "\r\n" : "\n");

/** Uses a loop for speed, because it visits each line of a file with each key that is typed. */
function linesWithout(rows: ReviewRows, without: ReviewRow["kind"]): string[] {
  const lines: string[] = [];
  for (const { kind, text } of rows) if (kind !== without) lines.push(text);
  return lines;
}

export function hunksOf(rows: ReviewRows): readonly ReviewHunk[] {
  const hunks: ReviewHunk[] = [];
  let line = 0;
  let former = 0;
  let open: { start: number; formerStart: number; removed: string[]; added: string[] } | undefined;
  const close = (): void => {
    if (open) hunks.push({ ...open, end: line });
    open = undefined;
  };
  for (const { kind, text } of rows) {
    if (kind === "decided") close();
    else open ??= { start: line, formerStart: former, removed: [], added: [] };
    if (kind === "removed") open?.removed.push(text);
    else line += 1;
    if (kind === "added") open?.added.push(text);
    if (kind !== "added") former += 1;
  }
  close();
  return hunks;
}

/** The rows after one open hunk was kept, or taken back; `at`: its index in `hunksOf`. */
export function decideHunk(rows: ReviewRows, at: number, isKept: boolean): ReviewRows {
  let index = -1;
  let isInside = false;
  return rows.flatMap((row): readonly ReviewRow[] => {
    if (row.kind === "decided") {
      isInside = false;
      return [row];
    }
    if (!isInside) index += 1;
    isInside = true;
    if (index !== at) return [row];
    return (row.kind === "added") === isKept ? [{ kind: "decided", text: row.text }] : [];
  });
}

/** The rows after everything undecided was kept, or taken back. */
export function decideAll(rows: ReviewRows, isKept: boolean): ReviewRows {
  return decidedRows(isKept ? nowOf(rows) : textAfterUndo(rows));
}

/** Takes in a change by a model: lines that it wrote become `added`, lines that it deleted become `removed` unless they were `added`. */
export function changedByModel(rows: ReviewRows, text: string): ReviewRows {
  const changed = changedRows(rows, linesWithEnds(text), (old, now) => [
    ...old.flatMap(({ kind, text: line }) => (kind === "added" ? [] : [{ kind: "removed", text: line } as const])),
    ...now.map(added),
  ]);
  return orderedRuns(changed);
}

/**
 * Takes in a change by the person, or by a formatter that they use: what they wrote and what they deleted is decided. A line in which only blanks
 * differ keeps its kind. A hunk of which no added line is left counts as theirs, and so does one whose removed lines they brought back.
 */
export function changedByPerson(rows: ReviewRows, text: string): ReviewRows {
  const known = nowOf(rows);
  if (known === text) return rows;
  const part = changedPart(rows, known, text);
  if (part === undefined) return takeIn(rows, text);
  return [
    ...rows.slice(0, part.start),
    ...takeIn(rows.slice(part.start, part.end), part.text),
    ...rows.slice(part.end),
  ];
}

function takeIn(rows: ReviewRows, text: string): ReviewRows {
  const marked = withRuns(rows);
  const changed = changedRows(marked, linesWithEnds(text), alignByPerson);
  return orderedRuns(withoutRestored(withoutOverwritten(marked, changed)));
}

/**
 * The range of rows that a change touches, extended to whole hunks, and its text now: only this range is compared with each key that is typed.
 * `undefined` where a line ends with a carriage return alone.
 */
function changedPart(
  rows: ReviewRows,
  known: string,
  text: string,
): { readonly start: number; readonly end: number; readonly text: string } | undefined {
  if (/\r(?!\n)/u.test(text) || /\r(?!\n)/u.test(known)) return undefined;
  const shorter = Math.min(known.length, text.length);
  let same = 0;
  while (same < shorter && known.charCodeAt(same) === text.charCodeAt(same)) same += 1;
  const head = same === 0 ? 0 : known.lastIndexOf("\n", same - 1) + 1;
  let tail = 0;
  while (tail < shorter - head && known.charCodeAt(known.length - 1 - tail) === text.charCodeAt(text.length - 1 - tail))
    tail += 1;
  // The line in which the common end begins is compared too.
  const lineEnd = known.indexOf("\n", known.length - tail);
  const left = tail === 0 || lineEnd < 0 ? 0 : known.length - lineEnd - 1;
  let length = 0;
  let start = 0;
  for (; start < rows.length && (length < head || rows[start]?.kind === "removed"); start += 1)
    length += lengthNow(rows[start]);
  let before = "";
  while (start > 0 && rows[start - 1]?.kind !== "decided") before = textNow(rows[(start -= 1)]) + before;
  let end = rows.length;
  let after = "";
  for (length = 0; end > 0 && (length < left || rows[end - 1]?.kind === "removed"); end -= 1)
    length += lengthNow(rows[end - 1]);
  for (; end < rows.length && rows[end]?.kind !== "decided"; end += 1) after += textNow(rows[end]);
  return { start, end, text: before + text.slice(head, text.length - left) + after };
}

const textNow = (row: ReviewRow | undefined): string => (row === undefined || row.kind === "removed" ? "" : row.text);
const lengthNow = (row: ReviewRow | undefined): number => textNow(row).length;

/**
 * Merges a text that a model is still writing, from `written` to `next`, with the person's edits meanwhile, from `written` to `now`. What they wrote
 * stays, and what they deleted stays deleted.
 */
export function withEditsOfPerson(written: string, now: string, next: string): string {
  if (now === written) return next;
  // All texts get a final line end: without it the last line would count as changed as soon as another line follows.
  const end = lineEndOf([written, now, next]);
  const rows = changedByModel(decidedRows(now + end), written + end);
  const merged = textAfterUndo(
    changedRows(rows, linesWithEnds(next + end), (old, lines) => alignByPerson(old, lines, true)),
  );
  return merged.endsWith(end) ? merged.slice(0, -end.length) : merged;
}

const added = (text: string): ReviewRow => ({ kind: "added", text });
const decided = (text: string): ReviewRow => ({ kind: "decided", text });

/** Returns the rows that replace those of a changed range, given the lines that it has now. */
type Replace = (old: readonly MarkedRow[], now: readonly string[]) => readonly MarkedRow[];

/** Replaces the rows of each changed range. If the lines can't be compared in time, the whole text is one change. */
function changedRows(rows: readonly MarkedRow[], now: readonly string[], replace: Replace): readonly MarkedRow[] {
  const there = linesWithout(rows, "removed");
  const whole = { start: 0, end: there.length, nowStart: 0, nowEnd: now.length };
  const changes: readonly LineReplacement[] = lineReplacements(there, now) ?? [whole];
  const result: MarkedRow[] = [];
  let line = 0;
  let at = 0;
  for (const { start, end, nowStart, nowEnd } of changes) {
    for (; line < start; at += 1) {
      const row = rows[at];
      if (row === undefined) break;
      result.push(row);
      if (row.kind !== "removed") line += 1;
    }
    // New lines come right after the line before them, also where lines were removed there.
    const old: MarkedRow[] = [];
    for (; line < end; at += 1) {
      const row = rows[at];
      if (row === undefined) break;
      old.push(row);
      if (row.kind !== "removed") line += 1;
    }
    result.push(...replace(old, now.slice(nowStart, nowEnd)));
  }
  return [...result, ...rows.slice(at)];
}

/**
 * Lines in which only blanks differ keep their kind; all others become the person's. A removed row stays before the line that followed it. New lines
 * at its place come before it, or after it with `isRemovedFirst`.
 */
function alignByPerson(
  rows: readonly MarkedRow[],
  now: readonly string[],
  isRemovedFirst = false,
): readonly MarkedRow[] {
  const old = rows.filter(({ kind }) => kind !== "removed");
  const removed = rows.filter(({ kind }) => kind === "removed");
  const [first] = old;
  if (first === undefined) return [...now.map(written), ...removed];
  const keyOf = (text: string): string => text.replace(/\s+/gu, "");
  const keys = old.map(({ text }) => keyOf(text));
  const nowKeys = now.map(keyOf);
  // A formatter may have made more lines or fewer of them.
  if (old.every(({ kind }) => kind === first.kind) && keys.join("") !== "" && keys.join("") === nowKeys.join(""))
    return [...removed, ...now.map((text) => ({ ...first, text }))];
  const changes = lineReplacements(keys, nowKeys);
  if (changes === undefined) return [...now.map(written), ...removed];
  const result: MarkedRow[] = [];
  let line = 0;
  let nowAt = 0;
  let [change, ...later] = changes;
  for (const row of rows) {
    if (change?.start === line && !(isRemovedFirst && row.kind === "removed"))
      for (; nowAt < change.nowEnd; nowAt += 1) result.push(written(now[nowAt] ?? ""));
    if (row.kind === "removed") {
      result.push(row);
      continue;
    }
    const isGone = change !== undefined && line >= change.start && line < change.end;
    if (!isGone) result.push({ ...row, text: now[nowAt++] ?? "" });
    line += 1;
    while (change !== undefined && line >= change.end && nowAt >= change.nowEnd) [change, ...later] = later;
  }
  for (; nowAt < now.length; nowAt += 1) result.push(written(now[nowAt] ?? ""));
  return result;
}

const written = (text: string): MarkedRow => ({ kind: "decided", text, isNew: true });

/** A row while a change of the person is taken in. `run`: the number of the hunk that it was in; `isNew`: the person wrote it just now. */
interface MarkedRow extends ReviewRow {
  readonly run?: number;
  readonly isNew?: true;
}

function withRuns(rows: ReviewRows): readonly MarkedRow[] {
  let run = -1;
  let isInside = false;
  return rows.map((row) => {
    if (row.kind !== "decided" && !isInside) run += 1;
    isInside = row.kind !== "decided";
    return isInside ? { ...row, run } : row;
  });
}

/** Drops the removed rows of a hunk that had added ones and has none left. */
function withoutOverwritten(before: readonly MarkedRow[], after: readonly MarkedRow[]): readonly MarkedRow[] {
  const runsOf = (rows: readonly MarkedRow[]): ReadonlySet<number | undefined> => {
    const runs = new Set<number | undefined>();
    for (const { kind, run } of rows) if (kind === "added") runs.add(run);
    return runs;
  };
  const [had, has] = [runsOf(before), runsOf(after)];
  return after.filter(({ kind, run }) => kind !== "removed" || !had.has(run) || has.has(run));
}

/** Drops removed rows that the person has written again right before or after the hunk. */
function withoutRestored(rows: readonly MarkedRow[]): ReviewRows {
  const result: ReviewRow[] = [];
  for (let at = 0; at < rows.length;) {
    const row = rows[at];
    if (row === undefined) break;
    if (row.kind === "decided") {
      result.push(row.isNew === true ? decided(row.text) : row);
      at += 1;
      continue;
    }
    let end = at;
    while (rows[end] !== undefined && rows[end]?.kind !== "decided") end += 1;
    const run = rows.slice(at, end);
    const removed = run.flatMap(({ kind, text }) => (kind === "removed" ? [text] : []));
    const head = sharedEnds(newRows(rows, at - 1, -1).reverse(), removed);
    const tail = sharedEnds(removed.slice(head), newRows(rows, end, 1));
    const kept = removed.slice(head, removed.length - tail);
    result.push(...kept.map((text) => ({ kind: "removed", text }) as const));
    result.push(...run.flatMap(({ kind, text }) => (kind === "added" ? [added(text)] : [])));
    at = end;
  }
  return result;
}

/** The lines that the person wrote just now, from `at` on in that direction. */
function newRows(rows: readonly MarkedRow[], at: number, step: 1 | -1): string[] {
  const lines: string[] = [];
  for (let row = rows[at]; row?.isNew === true; row = rows[(at += step)]) lines.push(row.text);
  return lines;
}

/** The largest number of lines that `first` ends with and `second` begins with. */
function sharedEnds(first: readonly string[], second: readonly string[]): number {
  for (let count = Math.min(first.length, second.length); count > 0; count -= 1) {
    const tail = first.slice(first.length - count);
    if (tail.every((line, index) => line === second[index])) return count;
  }
  return 0;
}

/** Puts the removed rows of each run before its added rows. */
function orderedRuns(rows: ReviewRows): ReviewRows {
  const result: ReviewRow[] = [];
  let removed: ReviewRow[] = [];
  let addedRows: ReviewRow[] = [];
  const close = (): void => {
    if (removed.length === 0 && addedRows.length === 0) return;
    result.push(...withoutEqualEnds(removed, addedRows));
    removed = [];
    addedRows = [];
  };
  for (const row of rows) {
    if (row.kind === "removed") removed.push(row);
    else if (row.kind === "added") addedRows.push(row);
    else {
      close();
      result.push(row);
    }
  }
  close();
  return result;
}

/** Lines that were removed and written again at the same place are no change. */
function withoutEqualEnds(removed: readonly ReviewRow[], addedRows: readonly ReviewRow[]): readonly ReviewRow[] {
  const shorter = Math.min(removed.length, addedRows.length);
  let head = 0;
  while (head < shorter && removed[head]?.text === addedRows[head]?.text) head += 1;
  let tail = 0;
  while (tail < shorter - head && removed.at(-1 - tail)?.text === addedRows.at(-1 - tail)?.text) tail += 1;
  if (head + tail === 0) return [...removed, ...addedRows];
  return [
    ...removed.slice(0, head).map(({ text }) => decided(text)),
    ...removed.slice(head, removed.length - tail),
    ...addedRows.slice(head, addedRows.length - tail),
    ...removed.slice(removed.length - tail).map(({ text }) => decided(text)),
  ];
}

export function countRows(rows: ReviewRows): RowCounts {
  const counts: { readonly kind: ReviewRow["kind"]; lines: number }[] = [];
  for (const { kind } of rows) {
    const last = counts.at(-1);
    if (last?.kind === kind) last.lines += 1;
    else counts.push({ kind, lines: 1 });
  }
  return counts;
}

/**
 * The line that both texts have; `undefined` where they differ. A last line without a line end equals the same line with one, because the other text
 * continues after it; the result is then the line without the line end.
 */
function sharedLine(former: string | undefined, now: string | undefined): string | undefined {
  if (former === undefined || now === undefined || former === now) return former === now ? now : undefined;
  const [shorter, longer] = former.length < now.length ? [former, now] : [now, former];
  return /^\r?\n$/u.test(longer.slice(shorter.length)) && longer.startsWith(shorter) && !/[\r\n]$/u.test(shorter)
    ? shorter
    : undefined;
}

/** Restores rows from their stored counts; `undefined` where the counts don't fit the texts. */
export function readRows(counts: RowCounts, former: string, now: string): ReviewRows | undefined {
  const formerLines = linesWithEnds(former);
  const nowLines = linesWithEnds(now);
  const rows: ReviewRow[] = [];
  let [at, nowAt] = [0, 0];
  for (const { kind, lines } of counts) {
    for (let index = 0; index < lines; index += 1) {
      const [before, after] = [formerLines[at], nowLines[nowAt]];
      const text = kind === "decided" ? sharedLine(before, after) : kind === "added" ? after : before;
      if (text === undefined) return undefined;
      rows.push({ kind, text });
      if (kind !== "added") at += 1;
      if (kind !== "removed") nowAt += 1;
    }
  }
  return at === formerLines.length && nowAt === nowLines.length ? rows : undefined;
}
