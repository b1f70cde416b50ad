/** Finds the lines of a text that match. A pattern can take for ever: it is used only where it can be ended from outside. */
import type { TimeSlices } from "../../base/async/timeSlices";
import { ToolRefusal } from "../../domain/tools/tool";
import { linesOf, withoutLastLineEnd } from "../base/resultLines";
import type { FoundHit, TextSearch } from "./searchJob";

const shownLength = 300;
/** Characters before a match in a line that is cut. */
const shownBefore = 100;

export class LineFinder {
  /** Characters of all lines found so far. */
  size = 0;
  readonly #expression: RegExp;
  readonly #contextLines: number;

  /** Throws a `ToolRefusal` for an invalid pattern. */
  constructor(search: TextSearch) {
    this.#expression = compileSearched(search);
    this.#contextLines = search.contextLines;
  }

  /** Whether there may be a hit; most files have none. `^` and `$` are those of lines here too. */
  isIn(content: string): boolean {
    return this.#expression.test(content);
  }

  /** The first `limit` hits. `name` is that of the file, as it is shown. */
  async find(name: string, content: string, limit: number, slices: TimeSlices): Promise<readonly FoundHit[]> {
    const hits: { lines: string[]; isApart: boolean }[] = [];
    const before: string[] = [];
    let lastHit = -Infinity;
    let shownUntil = 0;
    let number = 0;
    for (const line of linesOf(withoutLastLineEnd(content))) {
      number += 1;
      if (slices.isSpent) await slices.next();
      const column = hits.length < limit ? line.search(this.#expression) : -1;
      if (column >= 0) {
        const first = number - before.length;
        const lines = before.map((text, index) => this.#keep(`${name}-${first + index}- ${cut(text)}`));
        lines.push(this.#keep(`${name}:${number}: ${this.#shown(line, column)}`));
        hits.push({ lines, isApart: first > shownUntil + 1 });
        before.length = 0;
        lastHit = number;
        shownUntil = number;
      } else if (number <= lastHit + this.#contextLines) {
        hits.at(-1)?.lines.push(this.#keep(`${name}-${number}- ${cut(line)}`));
        shownUntil = number;
      } else if (hits.length === limit) break;
      else if (before.push(line) > this.#contextLines) before.shift();
    }
    return hits;
  }

  #keep(line: string): string {
    this.size += line.length;
    return line;
  }

  /** The beginning of the line, or the part with the match where that lies further on. Indents matter among other lines only. */
  #shown(line: string, column: number): string {
    const indent = this.#contextLines > 0 ? 0 : line.length - line.trimStart().length;
    if (line.length <= shownLength || column - indent < shownLength - shownBefore) return cut(line.slice(indent));
    const from = column - shownBefore;
    return `… ${line
      .slice(from, from + shownLength)
      .trimEnd()
      .toWellFormed()}`;
  }
}

function cut(line: string): string {
  return line.slice(0, shownLength).trimEnd().toWellFormed();
}

/**
 * Compiles without Unicode where its stricter grammar does not allow the pattern: `\p{L}` needs it, and `\-` is an error in it.
 * Throws a `ToolRefusal` for an invalid pattern.
 */
export function compileSearched({
  text,
  isPattern,
  matchCase,
}: Pick<TextSearch, "text" | "isPattern" | "matchCase">): RegExp {
  const flags = matchCase ? "m" : "im";
  const source = isPattern ? text : text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    try {
      return new RegExp(source, flags);
    } catch (error) {
      throw new ToolRefusal(`That is no JavaScript regular expression: ${(error as Error).message.slice(0, 500)}`);
    }
  }
}
