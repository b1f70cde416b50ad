/** The changes of one chat that the person has neither kept nor taken back, file by file and hunk by hunk, as its ledger has them (A16). */
import { TimeSlices } from "../../base/async/timeSlices";
import { BoundedMap } from "../../base/boundedMap";
import { ToolRefusal } from "../../domain/tools/tool";
import type { ChangeLedger } from "./changeLedger";
import {
  type ChangeCause,
  type FileChange,
  type FileContent,
  isText,
  type KeptContent,
  readContent,
  textOf,
} from "./changeRecords";
import {
  changedByModel,
  changedByPerson,
  countRows,
  decidedRows,
  decideHunk,
  textAfterUndo,
  hunksOf,
  nowOf,
  readRows,
  type ReviewHunk,
  type ReviewRows,
} from "./reviewRows";
import { previewUndo, undoAround, undoChanges, type UndoOutcome } from "./undoChanges";

export interface UndecidedFile {
  /** The path that it has now. */
  readonly path: string;
  readonly label: string;
  /** Missing where the file was created. */
  readonly before?: KeptContent;
  /** The oldest first. */
  readonly changes: readonly FileChange[];
  /** Empty for a file that was renamed, deleted or made without text, and for one that is no text. */
  readonly hunks: readonly ReviewHunk[];
}

/** Names the hunk whose *Keep* or *Undo* was pressed. It is found again by its lines, since the text may have changed meanwhile. */
export interface HunkMark {
  readonly start: number;
  readonly added: string;
  readonly removed: string;
}

/** The number of files whose rows are remembered. */
const maxRemembered = 200;

export class UndecidedFiles {
  readonly ledger: ChangeLedger;
  /** The rows after the last change of a file, by the ids and hashes of its changes and reviews. */
  readonly #remembered = new BoundedMap<string, Promise<ReviewRows | undefined>>(maxRemembered);

  constructor(ledger: ChangeLedger) {
    this.ledger = ledger;
  }

  /** Lists the files in the order of their last changes. `textIn`: the text of an editor, where one shows the file. */
  async list(textIn: (path: string) => string | undefined): Promise<readonly UndecidedFile[]> {
    const files: UndecidedFile[] = [];
    const slices = new TimeSlices();
    for (const file of changedFiles(undecidedChanges(this.ledger))) {
      if (slices.isSpent) await slices.next();
      // A file that can't be read now is listed without its hunks.
      const left = await this.#left(file, textIn(file.path)).catch(() => []);
      if (left !== undefined) files.push({ ...file, hunks: left });
    }
    return files;
  }

  /** The rows of a file whose text is now `now`; `undefined` where the file has no lines to decide. */
  async rowsOf(path: string, now: string): Promise<ReviewRows | undefined> {
    const file = this.#find(path);
    const rows = file && (await this.#rowsAfter(file));
    return rows && changedByPerson(rows, now);
  }

  /** Keeps one hunk of a file. False where it is not there any more. */
  async keepHunk(path: string, mark: HunkMark): Promise<boolean> {
    const file = this.#find(path);
    const rows = await this.#rowsNow(path);
    const at = rows && indexOfMark(rows, mark);
    if (file === undefined || rows === undefined || at === undefined) return false;
    await this.#note(file, decideHunk(rows, at, true));
    return true;
  }

  /** Takes one hunk of a file back. False where it is not there any more. Rejects with a `ToolRefusal` where the file can't be written. */
  async undoHunk(path: string, mark: HunkMark): Promise<boolean> {
    const rows = await this.#rowsNow(path);
    const at = rows && indexOfMark(rows, mark);
    const file = this.#find(path);
    if (file === undefined || rows === undefined || at === undefined) return false;
    const decided = decideHunk(rows, at, false);
    const gone = await goneChanges(this.ledger, file.changes, nowOf(decided));
    if (gone.length < file.changes.length) {
      await this.#write(file, rows, decided, gone);
      return true;
    }
    const { edited = [], failed = [] } = (await this.undoFile(path)) ?? {};
    if (failed[0] !== undefined) throw new ToolRefusal(failed[0].reason);
    return edited.length === 0;
  }

  /** Keeps everything that is undecided in one file, or in all files when no path is given. */
  async keep(path?: string): Promise<void> {
    const changes = changedFiles(undecidedChanges(this.ledger))
      .filter((file) => path === undefined || file.path === path)
      .flatMap((file) => file.changes);
    if (changes.length > 0) await this.ledger.keepChanges(changes.map(({ id }) => id));
  }

  /**
   * Keeps the hunks of a file that a commit contains and the commit before it does not: committing a change decides it. `before` and `committed` are
   * the texts in the two commits; `undefined` where a commit has no such file.
   */
  async keepCommitted(path: string, before: string | undefined, committed: string | undefined): Promise<void> {
    const file = this.#find(path);
    if (file === undefined || before === committed) return;
    const rows = await this.#rowsNow(path).catch(() => undefined);
    if (rows === undefined) {
      const isThere = (await readContent(this.ledger.workspace, path).catch(() => undefined)) !== undefined;
      if (!isThere && committed === undefined) await this.keep(path);
      return;
    }
    const keysIn = (text = ""): ReadonlySet<string> => new Set(marksOf(changedByPerson(rows, text)).map(keyOfMark));
    const [former, held] = [keysIn(before), keysIn(committed)];
    const keys = marksOf(rows).map(keyOfMark);
    const isHeld = (key: string): boolean => held.has(key) && !former.has(key);
    let left = rows;
    // The hunks are decided from the last one on, so that the indexes of the earlier ones stay valid.
    for (let at = keys.length - 1; at >= 0; at -= 1) if (isHeld(keys[at] ?? "")) left = decideHunk(left, at, true);
    // A file that was made empty, or was only renamed, has no lines to decide. Another one has none only while its change is being made.
    const hasNoLines = file.before === undefined || file.changes.some(({ to }) => to !== undefined);
    if (keys.length === 0 && hasNoLines && before === undefined && committed !== undefined) await this.keep(path);
    else if (left !== rows) await this.#note(file, left);
  }

  /**
   * Takes back what is undecided and keeps what the person has written. Where they wrote nothing, the file becomes what it was, to the byte. Rejects
   * with a `ToolRefusal` where it can't be written.
   */
  async undoFile(path: string): Promise<UndoOutcome | undefined> {
    const file = this.#find(path);
    if (file === undefined) return undefined;
    const isInPart = file.changes.some(({ review }) => review !== undefined);
    const isWhole = !isInPart && (await previewUndo(this.ledger, file.changes)).edited.length === 0;
    const rows = isWhole ? undefined : await this.#rowsNow(path);
    if (rows === undefined) return undoChanges(this.ledger, file.changes);
    const own = file.changes.filter(({ to }) => to === undefined);
    const kept = isInPart ? await keptChanges(this.ledger, own, textAfterUndo(rows)) : [];
    const now = await readContent(this.ledger.workspace, path);
    if (now === undefined || !isText(now)) return undefined;
    // The text is read again, because the person may have typed while all this was computed: the write below replaces exactly this text.
    const text = textAfterUndo(changedByPerson(rows, textOf(now)));
    const isMade = file.before === undefined && text === "" && now.as === "file";
    await undoAround(this.ledger, own, path, now, isMade ? undefined : { as: "text", text }, kept);
    // A file that was also renamed keeps its new name. Changes that a model has made meanwhile stay undecided.
    const renames = file.changes.filter(({ to }) => to !== undefined);
    if (renames.length > 0) await this.ledger.keepChanges(renames.map(({ id }) => id));
    return undefined;
  }

  /** The rows for the text that the disk, or an editor with unsaved changes, has now. */
  async #rowsNow(path: string): Promise<ReviewRows | undefined> {
    const content = await readContent(this.ledger.workspace, path);
    return content === undefined || !isText(content) ? undefined : this.rowsOf(path, textOf(content));
  }

  #find(path: string): ChangedFile | undefined {
    return changedFiles(undecidedChanges(this.ledger)).find((one) => one.path === path);
  }

  /** The hunks that are left to decide; `undefined` where nothing of the file is left to decide. */
  async #left(file: ChangedFile, shown: string | undefined): Promise<readonly ReviewHunk[] | undefined> {
    const { ledger } = this;
    const last = file.changes.findLast(({ to }) => to === undefined);
    const now: FileContent | undefined =
      shown === undefined ? await readContent(ledger.workspace, file.path) : { as: "text", text: shown };
    if (now === undefined) return last !== undefined && last.after === undefined ? [] : undefined;
    const rows = isText(now) ? await this.#rowsAfter(file) : undefined;
    if (rows === undefined) return [];
    const hunks = hunksOf(changedByPerson(rows, textOf(now)));
    if (hunks.length > 0) return hunks;
    const isMadeEmpty = file.before === undefined && textOf(now) === "" && last !== undefined;
    return isMadeEmpty || file.changes.some(({ to }) => to !== undefined) ? [] : undefined;
  }

  #rowsAfter(file: ChangedFile): Promise<ReviewRows | undefined> {
    const key = file.changes
      .map(({ id, after, review }) => [id, after?.hash, review?.before.hash, review?.after.hash].join(" "))
      .join();
    const known = this.#remembered.get(key);
    if (known) return known;
    const made = rowsAfter(this.ledger, file.changes);
    this.#remembered.set(key, made);
    return made;
  }

  /** Records the rows that are left undecided; where none are, all changes of the file are kept. */
  async #note(file: ChangedFile, rows: ReviewRows): Promise<void> {
    const last = file.changes.findLast(({ to }) => to === undefined);
    if (last === undefined) return;
    if (hunksOf(rows).length === 0) await this.ledger.keepChanges(file.changes.map(({ id }) => id));
    else await this.ledger.noteReview(last.id, textAfterUndo(rows), nowOf(rows), countRows(rows));
  }

  /** `gone`: the last changes of the file, if `decided` has nothing left of them. They count as undone, and can be redone. */
  async #write(file: ChangedFile, now: ReviewRows, decided: ReviewRows, gone: readonly FileChange[]): Promise<void> {
    const { path } = file;
    const text = nowOf(decided);
    if (gone.length === 0) await this.ledger.changesOf(hunkCause(file)).write(path, nowOf(now), text);
    else {
      const content = await readContent(this.ledger.workspace, path);
      if (content === undefined || textOf(content) !== nowOf(now))
        throw new ToolRefusal("The file was changed meanwhile. It was left as it is.");
      await undoAround(this.ledger, gone, path, content, { as: "text", text });
    }
    // The file is looked up again, because the write has changed what the ledger has of it.
    const left = this.#find(path);
    const content = await readContent(this.ledger.workspace, path);
    if (left && content) await this.#note(left, changedByPerson(decided, textOf(content)));
  }
}

function hunkCause({ changes }: ChangedFile): ChangeCause {
  const answers = changes.flatMap(({ cause }) => (cause.type === "undo" ? [] : [cause.answer]));
  return { type: "hunk", answer: answers.at(-1) ?? "" };
}

/**
 * The longest run of changes up to the last one, beginning with the first change of an answer, of which the text has no line left, kept or not. It is
 * found by bisection, because each comparison replays the run.
 */
async function goneChanges(
  ledger: ChangeLedger,
  changes: readonly FileChange[],
  text: string,
): Promise<readonly FileChange[]> {
  const runs = changes.flatMap(({ cause }, at) => {
    const before = changes[at - 1]?.cause;
    const isSame = cause.type !== "undo" && before?.type !== "undo" && before?.answer === cause.answer;
    return isSame ? [] : [changes.slice(at)];
  });
  let found: readonly FileChange[] = [];
  let [first, end] = [0, runs.length];
  while (first < end) {
    const middle = Math.floor((first + end) / 2);
    const run = runs[middle] ?? [];
    const isGone = run.every(({ to }) => to === undefined) && (await isNothingLeft(ledger, run, text));
    if (isGone) {
      found = run;
      end = middle;
    } else first = middle + 1;
  }
  return found;
}

async function isNothingLeft(ledger: ChangeLedger, run: readonly FileChange[], text: string): Promise<boolean> {
  const rows = await rowsAfter(ledger, run.map(withoutReview));
  return rows !== undefined && hunksOf(changedByPerson(rows, text)).length === 0;
}

/** Returns the ids of the changes of those answers of which the text still has a line. */
async function keptChanges(
  ledger: ChangeLedger,
  changes: readonly FileChange[],
  text: string,
): Promise<readonly string[]> {
  const replayed = changes.map(withoutReview);
  const kept: string[] = [];
  for (const [answer, own] of Map.groupBy(changes, answerOf)) {
    if (answer === undefined) continue;
    const rows = await rowsAfter(ledger, replayed, ({ cause }) => cause.type === "call" && cause.answer === answer);
    const isLeft = rows !== undefined && hunksOf(changedByPerson(rows, text)).length > 0;
    if (isLeft) kept.push(...own.map(({ id }) => id));
  }
  return kept;
}

function answerOf({ cause }: FileChange): string | undefined {
  return cause.type === "undo" ? undefined : cause.answer;
}

/** A review has the kept lines as decided. Without it they count as the model's. */
function withoutReview({ review: _review, ...change }: FileChange): FileChange {
  return change;
}

function undecidedChanges(ledger: ChangeLedger): readonly FileChange[] {
  return ledger.live.filter(({ isKept }) => !isKept);
}

type ChangedFile = Omit<UndecidedFile, "hunks">;

/** Groups changes, the oldest first, by file and follows renames. The files are in the order of their last changes. */
export function changedFiles(all: readonly FileChange[]): readonly ChangedFile[] {
  const files = new Map<string, ChangedFile>();
  for (const change of all) {
    const { path, label, to, before } = change;
    const known = files.get(path) ?? { path, label, changes: [] };
    const isFirst = to === undefined && known.changes.every((one) => one.to !== undefined);
    const changes = [...known.changes, change];
    files.delete(path);
    files.set(to ?? path, { ...known, path: to ?? path, changes, ...(isFirst && before ? { before } : {}) });
  }
  return [...files.values()];
}

/** Replays the changes into rows; `undefined` where a content is no text, or lost. `isOfModel`: whether the lines of a change are to be decided. */
export async function rowsAfter(
  ledger: ChangeLedger,
  changes: readonly FileChange[],
  isOfModel = ({ cause }: FileChange): boolean => cause.type === "call",
): Promise<ReviewRows | undefined> {
  let rows: ReviewRows | undefined;
  for (const change of changes) {
    const { to, before, after, review } = change;
    if (to !== undefined) continue;
    const [was, is] = [await textIn(ledger, before), await textIn(ledger, after)];
    if (was === undefined || is === undefined) return undefined;
    rows = rows === undefined ? decidedRows(was) : changedByPerson(rows, was);
    rows = isOfModel(change) ? changedByModel(rows, is) : changedByPerson(rows, is);
    if (review === undefined) continue;
    const [former, now] = [await textIn(ledger, review.before), await textIn(ledger, review.after)];
    if (former !== undefined && now !== undefined) rows = readRows(review.rows, former, now) ?? rows;
  }
  return rows;
}

/** Empty for no file. */
async function textIn(ledger: ChangeLedger, kept: KeptContent | undefined): Promise<string | undefined> {
  const content = await ledger.contentOf(kept);
  if (content === undefined) return "";
  return content === "lost" || !isText(content) ? undefined : textOf(content);
}

/** Removes carriage returns, because an editor may show other line ends than the file has. */
const withoutReturns = (lines: readonly string[]): string => lines.join("").replaceAll("\r", "");

/** The marks of all hunks, in order. */
export function marksOf(rows: ReviewRows): readonly HunkMark[] {
  return hunksOf(rows).map(({ start, added, removed }) => ({
    start,
    added: withoutReturns(added),
    removed: withoutReturns(removed),
  }));
}

const keyOfMark = ({ added, removed }: HunkMark): string => JSON.stringify([removed, added]);

/** The index of the nearest hunk with the same lines. */
export function indexOfMark(rows: ReviewRows, { start, added, removed }: HunkMark): number | undefined {
  let best: { readonly at: number; readonly distance: number } | undefined;
  for (const [at, mark] of marksOf(rows).entries()) {
    const distance = Math.abs(mark.start - start);
    const isSame = mark.added === added && mark.removed === removed;
    if (isSame && (best === undefined || distance < best.distance)) best = { at, distance };
  }
  return best?.at;
}
