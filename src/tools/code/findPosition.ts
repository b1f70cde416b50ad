/** Where a symbol is in a file: models know the line and the name, rarely the column. */
import { ToolRefusal } from "../../domain/tool";
import { linesOf } from "../lineRanges";

/** Lines around the given one in which the name is looked for: counts of models are often a little off. */
const reach = 20;

/** Counted from 1. Throws a `ToolRefusal` when the name is not near that line. */
export function findPosition(text: string, line: number, symbol: string): { line: number; column: number } {
  let found: { line: number; column: number } | undefined;
  let number = 0;
  for (const content of linesOf(text)) {
    number += 1;
    const column = columnOf(content, symbol);
    if (column === undefined) continue;
    if (found === undefined || Math.abs(number - line) < Math.abs(found.line - line)) found = { line: number, column };
  }
  if (found === undefined) throw new ToolRefusal(`The file does not hold “${symbol}”.`);
  if (Math.abs(found.line - line) > reach) {
    throw new ToolRefusal(`“${symbol}” is not near line ${line}; the nearest is in line ${found.line}.`);
  }
  return found;
}

/** As a whole word where there is one. */
function columnOf(line: string, symbol: string): number | undefined {
  const isPartOfWord = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}_$]/u.test(char);
  for (let at = line.indexOf(symbol); at >= 0; at = line.indexOf(symbol, at + 1)) {
    if (!isPartOfWord(line[at - 1]) && !isPartOfWord(line[at + symbol.length])) return at + 1;
  }
  return undefined;
}
