/** Which lines contain a text or match a pattern. A pattern of a model may take for ever on a line: its time is bounded. */
import { createContext, Script } from "node:vm";
import { isRecord } from "../../base/jsonValue";
import { ToolRefusal } from "../../domain/tools/tool";
import { compileSearched } from "./lineFinder";

/** Milliseconds that a pattern may hold the host, for all lines together. */
const timeLimit = 250;
/** Characters of a line that a pattern sees. */
const lineLengthCap = 10_000;

export class SlowPattern extends ToolRefusal {}

/** Throws a `ToolRefusal` for a pattern that is none, a `SlowPattern` for one that takes too long. Case does not count. */
export function matchLines(lines: readonly string[], text: string, isPattern: boolean): readonly boolean[] {
  if (!isPattern) {
    const wanted = text.toLowerCase();
    return lines.map((line) => line.toLowerCase().includes(wanted));
  }
  const expression = compileSearched({ text, isPattern, matchCase: false });
  const context = createContext({ expression, lines: lines.map((line) => line.slice(0, lineLengthCap)) });
  try {
    return [...(matching.runInContext(context, { timeout: timeLimit }) as boolean[])];
  } catch (error) {
    // The error is one of the context, whose `Error` is another one.
    if (isRecord(error) && error["code"] === "ERR_SCRIPT_EXECUTION_TIMEOUT")
      throw new SlowPattern("The pattern takes too long on this result. Use a plainer one, or a text.");
    throw error;
  }
}

/** The time limit of a context also ends a pattern that backtracks. */
const matching = new Script("lines.map((line) => expression.test(line))");
