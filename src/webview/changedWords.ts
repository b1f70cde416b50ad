/** The words that differ between removed lines and the added ones in their place. Pure, in time proportional to the change. */
import { diffArrays } from "diff";

/** A run of a line's text. `isChanged`: the other side lacks it. */
export interface WordRun {
  readonly text: string;
  readonly isChanged: boolean;
}

/** The runs of each line, in order; `undefined` for a line that is shown without marks, because it is new as a whole. */
export interface ChangedWords {
  readonly removed: readonly (readonly WordRun[] | undefined)[];
  readonly added: readonly (readonly WordRun[] | undefined)[];
}

/** Limits for characters of a line, words of both sides together, and changes. Above them the lines count as rewritten. */
const bounds = { line: 500, words: 1000, changes: 60 };
/** The number of words that one comparer compares in all. */
const maxCompared = 20_000;
/** The share of a line of code, in characters, that must be unchanged. */
const keptOfCode = 1 / 3;

export class WordComparer {
  readonly #isSame: (one: string, other: string) => boolean;
  readonly #leastKept: number;
  #left = maxCompared;

  /** `isSame`: called for each comparison. `leastKept`: a line with a smaller unchanged share counts as new as a whole. */
  constructor(isSame = (one: string, other: string): boolean => one === other, leastKept = keptOfCode) {
    this.#isSame = isSame;
    this.#leastKept = leastKept;
  }

  /** `undefined` where the lines are too long, too many or too different. */
  compare(removed: readonly string[], added: readonly string[]): ChangedWords | undefined {
    if (removed.length === 0 || added.length === 0) return undefined;
    if ([...removed, ...added].some(({ length }) => length > bounds.line)) return undefined;
    if (removed.length + added.length > bounds.words) return undefined;
    const [before, after] = [wordsOf(removed), wordsOf(added)];
    const count = before.length + after.length;
    if (count > Math.min(bounds.words, this.#left)) return undefined;
    this.#left -= count;
    const changes = diffArrays(before, after, { maxEditLength: bounds.changes, comparator: this.#isSame });
    if (changes === undefined) return undefined;
    const runs = changes.map(({ added: isAdded, removed: isRemoved, value }) => ({
      text: value.join(""),
      isAdded,
      isRemoved,
    }));
    return {
      removed: linesOf(
        runs.filter(({ isAdded }) => !isAdded).map(({ text, isRemoved }) => ({ text, isChanged: isRemoved })),
        this.#leastKept,
      ),
      added: linesOf(
        runs.filter(({ isRemoved }) => !isRemoved).map(({ text, isAdded }) => ({ text, isChanged: isAdded })),
        this.#leastKept,
      ),
    };
  }
}

/** Splits lines into names, numbers, runs of blanks and single signs, with the line breaks between the lines. */
function wordsOf(lines: readonly string[]): string[] {
  return lines.flatMap((line, index) => [
    ...(index > 0 ? ["\n"] : []),
    ...(line.match(/[\p{L}\p{M}\p{N}_]+|\s+|[^\p{L}\p{M}\p{N}_\s]/gu) ?? []),
  ]);
}

function linesOf(runs: readonly WordRun[], leastKept: number): readonly (readonly WordRun[] | undefined)[] {
  const lines: WordRun[][] = [[]];
  for (const { text, isChanged } of runs) {
    text.split("\n").forEach((part, index) => {
      if (index > 0) lines.push([]);
      if (part !== "") lines.at(-1)?.push({ text: part, isChanged });
    });
  }
  return lines.map((line) => (hasWordsInCommon(line, leastKept) ? joinChanged(line) : undefined));
}

function hasWordsInCommon(line: readonly WordRun[], leastKept: number): boolean {
  const lengthOf = (some: readonly WordRun[]): number =>
    some.reduce((sum, { text }) => sum + text.replace(/\s/g, "").length, 0);
  return lengthOf(line.filter(({ isChanged }) => !isChanged)) >= lengthOf(line) * leastKept;
}

/** Marks the blanks between two changed words as changed too. */
function joinChanged(line: readonly WordRun[]): readonly WordRun[] {
  const joined: WordRun[] = [];
  line.forEach((run, index) => {
    const isBetween = line[index - 1]?.isChanged === true && line[index + 1]?.isChanged === true;
    const isChanged = run.isChanged || (isBetween && run.text.trim() === "");
    const last = joined.at(-1);
    if (last?.isChanged === isChanged) joined[joined.length - 1] = { text: last.text + run.text, isChanged };
    else joined.push({ text: run.text, isChanged });
  });
  return joined;
}
