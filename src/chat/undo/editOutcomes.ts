/**
 * Finds what became of the edits of a chat's model (A16) by comparing how its files read now with how the model left them. Presses of *Undo* are not
 * enough, because a person may also take an edit back in the editor, or with git. Lines in which only blanks differ are attributed to a formatter.
 */
import { type AskedOutcomes, type EditOutcome, isOfSameLines } from "../../domain/chat/editOutcome";
import type { ChangeLedger } from "./changeLedger";
import { type FileChange, isText, readContent, textOf } from "./changeRecords";
import { lineReplacements, linesWithEnds } from "./lineDiff";
import { hunksOf, nowOf, type ReviewHunk, type ReviewRows } from "./reviewRows";
import { changedFiles, rowsAfter } from "./undecidedFiles";

/** Whether the model may see the present text of the file at that path without a question. */
export type MayQuote = (path: string) => Promise<boolean>;

/** Outcomes in one message; the others follow with the next one. */
const maxOutcomes = 20;
/** Characters of the text that replaced one edit; a longer text is left out. */
const maxTextLength = 600;
/** Outcomes in one file. A file with more of them is reported as changed as a whole. */
const maxInFile = 8;

/** Finds the outcomes that the model has not been told. */
export async function editOutcomes(
  ledger: ChangeLedger,
  asked: AskedOutcomes,
  mayQuote: MayQuote,
): Promise<readonly EditOutcome[]> {
  const isInView = viewOf(ledger, asked);
  const fresh: EditOutcome[] = [];
  for (const { label, path, changes } of changedFiles(ledger.changes)) {
    const last = changes.findLast(isInView);
    if (last === undefined) continue;
    // A file that can't be read now is reported once it can be.
    const found = await outcomesIn(ledger, { label, path, changes, last }, isInView, mayQuote).catch(() => []);
    const known = asked.told.filter(({ change }) => change === last.id);
    const isTold = (one: EditOutcome): boolean => {
      const former = known.findLast((each) => isOfSameLines(each, one));
      return former?.is === one.is && former.text === one.text;
    };
    fresh.push(...found.filter((one) => !isTold(one)), ...thereAgain(known, found));
  }
  return fresh.slice(0, maxOutcomes);
}

/** Returns a test: whether a change is the model's and is undecided, or was decided after the last request to the model. */
function viewOf(ledger: ChangeLedger, { answers, since }: AskedOutcomes): (change: FileChange) => boolean {
  const { changes, liveIds } = ledger;
  const undone = new Map<string, number>();
  for (const { id, at, cause } of changes)
    if (cause.type === "undo" && liveIds.has(id)) for (const one of cause.reverts) undone.set(one, at);
  return ({ id, cause, isOpen, keptAt, isKept }) => {
    if (cause.type !== "call" || isOpen || !answers.has(cause.answer)) return false;
    const decidedAt = undone.get(id) ?? (isKept ? (keptAt ?? 0) : undefined);
    return decidedAt === undefined || decidedAt >= since;
  };
}

interface LeftFile {
  readonly label: string;
  readonly path: string;
  readonly changes: readonly FileChange[];
  /** The last of them that is the model's. */
  readonly last: FileChange;
}

async function outcomesIn(
  ledger: ChangeLedger,
  { label, path, changes, last }: LeftFile,
  isOwn: (change: FileChange) => boolean,
  mayQuote: MayQuote,
): Promise<readonly EditOutcome[]> {
  const whole = (is: EditOutcome["is"]): readonly EditOutcome[] => [{ change: last.id, file: label, is }];
  if (last.to !== undefined) return ledger.liveIds.has(last.id) ? [] : whole("back");
  const now = await readContent(ledger.workspace, path);
  const first = changes.findIndex(isOwn);
  if (last.after === undefined) return now === undefined ? [] : whole("back");
  if (now === undefined) return whole(changes[first]?.before === undefined ? "back" : "gone");
  const { review: _since, ...left } = last;
  const rows = await rowsAfter(ledger, [...changes.slice(first, changes.indexOf(last)), left], isOwn);
  if (rows === undefined || !isText(now)) return ledger.liveIds.has(last.id) ? [] : whole("back");
  const groups = changedGroups(rows, textOf(now));
  if (groups === undefined) return whole("changed");
  if (groups.length > 0 && groups.every(({ is }) => is === "back") && countHunks(groups) === hunksOf(rows).length)
    return whole("back");
  if (groups.length > maxInFile) return whole("changed");
  const isShown = groups.some(({ is }) => is === "changed") && (await mayQuote(path));
  return groups.map(({ is, start, end, text }) => ({
    change: last.id,
    file: label,
    is,
    lines: { first: start + 1, last: end },
    ...(is === "changed" && isShown && text.length <= maxTextLength ? { text } : {}),
  }));
}

interface ChangedGroup {
  readonly is: "back" | "changed";
  /** Lines of the text as the model had left it. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly hunks: number;
}

const countHunks = (groups: readonly ChangedGroup[]): number => groups.reduce((sum, { hunks }) => sum + hunks, 0);

/** The model's hunks whose lines have changed since, grouped where they overlap. `undefined` where the texts differ too much to be compared. */
function changedGroups(rows: ReviewRows, now: string): readonly ChangedGroup[] | undefined {
  const left = linesWithEnds(nowOf(rows));
  const lines = linesWithEnds(now);
  const replaced = lineReplacements(left.map(withoutBlanks), lines.map(withoutBlanks));
  if (replaced === undefined) return undefined;
  const groups: { start: number; end: number; shift: number; endShift: number; hunks: readonly ReviewHunk[] }[] = [];
  for (const hunk of hunksOf(rows)) {
    const isPoint = hunk.start === hunk.end;
    const touching = replaced.filter(({ start, end }) =>
      isPoint || start === end
        ? start <= hunk.end && end >= hunk.start && (isPoint || (start > hunk.start && start < hunk.end))
        : start < hunk.end && end > hunk.start,
    );
    const [one, other] = [touching[0], touching.at(-1)];
    if (one === undefined || other === undefined) continue;
    const start = Math.min(hunk.start, one.start);
    const end = Math.max(hunk.end, other.end);
    const group = { start, end, shift: one.nowStart - one.start, endShift: other.nowEnd - other.end, hunks: [hunk] };
    const before = groups.at(-1);
    if (before !== undefined && start < before.end)
      groups[groups.length - 1] = { ...before, end, endShift: group.endShift, hunks: [...before.hunks, hunk] };
    else groups.push(group);
  }
  return groups.map(({ start, end, shift, endShift, hunks }) => {
    const text = lines.slice(start + shift, end + endShift);
    const former = formerLines(left, start, end, hunks);
    const isBack = text.map(withoutBlanks).join("\n") === former.map(withoutBlanks).join("\n");
    return { is: isBack ? "back" : "changed", start, end, text: text.join(""), hunks: hunks.length };
  });
}

/** These lines as they were before the hunks. */
function formerLines(
  left: readonly string[],
  start: number,
  end: number,
  hunks: readonly ReviewHunk[],
): readonly string[] {
  const lines: string[] = [];
  let at = start;
  for (const hunk of hunks) {
    lines.push(...left.slice(at, hunk.start), ...hunk.removed);
    at = hunk.end;
  }
  return [...lines, ...left.slice(at, end)];
}

const withoutBlanks = (line: string): string => line.replace(/\s+/gu, "");

/** Outcomes that the model was told and that no longer hold, because the edit is there again. */
function thereAgain(known: readonly EditOutcome[], found: readonly EditOutcome[]): readonly EditOutcome[] {
  const latest = known.filter((one, at) => !known.slice(at + 1).some((later) => isOfSameLines(one, later)));
  return latest
    .filter((one) => one.is !== "there" && !found.some((now) => overlap(now, one)))
    .map(({ change, file, lines }) => ({ change, file, is: "there", ...(lines ? { lines } : {}) }));
}

function overlap({ lines: one }: EditOutcome, { lines: other }: EditOutcome): boolean {
  return one === undefined || other === undefined || (one.first <= other.last + 1 && other.first <= one.last + 1);
}

/**
 * Whether a change repeats an edit that the person has taken back in this chat: the same new lines in place of the same old ones. An edit that was
 * made again since then does not count as taken back.
 */
export async function returnsTakenBack(
  ledger: ChangeLedger,
  { file, before, after }: { readonly file: string; readonly before: string; readonly after: string },
): Promise<boolean> {
  const known = changedFiles(ledger.changes).find(({ path }) => path === file);
  if (known === undefined) return false;
  const takenBack = new Set<string>();
  const note = async (change: FileChange, isBack: boolean): Promise<void> => {
    const { cause } = change;
    if (cause.type === "undo") {
      // What is taken back goes from the newest change to the oldest, so that an edit whose hunk was taken back before stays one.
      const reverted = known.changes.filter(({ id }) => cause.reverts.includes(id));
      for (const one of isBack ? reverted : reverted.toReversed()) await note(one, !isBack);
      return;
    }
    const [was, is] = [await ledger.contentOf(change.before), await ledger.contentOf(change.after)];
    if (was === undefined || is === undefined || was === "lost" || is === "lost" || !isText(was) || !isText(is)) return;
    // A hunk that the person has taken back is recorded the other way round.
    const isCall = cause.type === "call";
    const edits = isCall ? editsOf(textOf(was), textOf(is)) : editsOf(textOf(is), textOf(was));
    for (const edit of edits) {
      if (isBack === isCall) takenBack.add(edit);
      else takenBack.delete(edit);
    }
  };
  for (const change of known.changes) if (change.to === undefined && !change.isOpen) await note(change, false);
  return takenBack.size > 0 && editsOf(before, after).some((edit) => takenBack.has(edit));
}

function editsOf(before: string, after: string): readonly string[] {
  const [was, is] = [linesWithEnds(before).map(withoutBlanks), linesWithEnds(after).map(withoutBlanks)];
  return (lineReplacements(was, is) ?? []).map(({ start, end, nowStart, nowEnd }) =>
    JSON.stringify([was.slice(start, end), is.slice(nowStart, nowEnd)]),
  );
}
