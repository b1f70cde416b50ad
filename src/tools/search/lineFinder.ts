/** Finds the lines of a text that match. A pattern can take for ever: it is used only where it can be ended from outside. */
import { ToolRefusal } from "../../domain/tool";
import { linesOf } from "../lineRanges";
import type { TextSearch } from "./searchJob";

export interface FoundLine {
  /** Counted from 1. */
  readonly number: number;
  /** Where the match begins in the line. */
  readonly column: number;
  readonly text: string;
}

export type LineFinder = (content: string) => Iterable<FoundLine>;

/** Throws a `ToolRefusal` for a pattern that is none. */
export function createLineFinder(search: Pick<TextSearch, "text" | "isPattern" | "matchCase">): LineFinder {
  const { text, isPattern, matchCase } = search;
  const expression = isPattern ? compilePattern(text, matchCase) : compileText(text, matchCase);
  return function* find(content) {
    // Most files have no match: the whole is searched before it is split. `^` and `$` are those of lines in both.
    if (!expression.test(content)) return;
    let number = 0;
    for (const line of linesOf(content)) {
      number += 1;
      const column = line.search(expression);
      if (column >= 0) yield { number, column, text: line };
    }
  };
}

function compileText(text: string, matchCase: boolean): RegExp {
  return new RegExp(text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), matchCase ? "mu" : "imu");
}

/** With Unicode where its stricter grammar allows the pattern: `\p{L}` needs it, and `\-` is an error in it. */
export function compilePattern(text: string, matchCase: boolean): RegExp {
  const flags = matchCase ? "m" : "im";
  try {
    return new RegExp(text, `${flags}u`);
  } catch {
    try {
      return new RegExp(text, flags);
    } catch (error) {
      throw new ToolRefusal(`That is no JavaScript regular expression: ${(error as Error).message.slice(0, 500)}`);
    }
  }
}
