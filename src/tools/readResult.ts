/** Tool: the rest of a result of which a request holds a part only: a range of its lines or characters, or the lines with a text. */
import { createContext, Script } from "node:vm";
import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import { definedFields } from "../base/definedFields";
import { TimeSlices } from "../base/async/timeSlices";
import { type Tool, ToolRefusal } from "../domain/tools/tool";
import { isRecord } from "../base/jsonValue";
import { firstBytes } from "../base/text/cutText";
import { alias } from "./base/argumentRules";
import { defineTool } from "./base/defineTool";
import { linesOf, cutLine, withoutLastLineEnd } from "./base/resultLines";
import { compileSearched } from "./search/lineFinder";

const lineLengthCap = 2000;
const lineCap = 2000;

interface AskedLines {
  readonly first: number;
  readonly last: number;
  /** Only lines that contain this text. */
  readonly wanted?: string;
  readonly isPattern: boolean;
  /** Bytes that the result may have. */
  readonly room: number;
}

/** Patterns that may take too long: each holds the host until it is ended, and an answer may have hundreds of calls. */
const mostSlow = 3;

export function readResult(results: KeptResults): Tool {
  let slow = 0;
  return defineTool({
    name: "read_result",
    effect: "reads",
    description: `Reads a long result of which only a part was given, such as the output of a command; the note in that result names the id. Give start_line and end_line for a range of lines, text for the lines that contain it (with is_pattern: that match it), or skip for the characters after so many, where lines are very long. At most ${pageSize / 1024} KB at a time.`,
    parameters: z.strictObject({
      id: z.string().check(z.describe("The id that the note in the result names.")),
      start_line: z.optional(z.int().check(z.gte(1), z.describe("First line, counted from 1."))),
      end_line: z.optional(z.int().check(z.gte(1), z.describe("Last line, included."))),
      text: z.optional(
        z
          .string()
          .check(z.minLength(1), z.maxLength(1000), z.describe("Only lines that contain this; case does not count.")),
      ),
      is_pattern: z.optional(z.boolean().check(z.describe("Whether text is a JavaScript regular expression."))),
      skip: z.optional(
        z.int().check(z.gte(0), z.describe("Characters to leave out. Not together with lines or text.")),
      ),
    }),
    rules: [alias("skip", "offset", "start")],
    prepare({
      id,
      start_line: first = 1,
      end_line: last = Infinity,
      text: wanted,
      is_pattern: isPattern = false,
      skip,
    }) {
      const result = results.get(id);
      if (!result) throw new ToolRefusal("That result is not kept any more. Call its tool again.");
      if (last < first) throw new ToolRefusal("end_line lies before start_line.");
      // Throws a refusal for what it can't compile.
      if (wanted !== undefined) matchLines([], wanted, isPattern);
      const refuseSlow = (): void => {
        if (isPattern && slow >= mostSlow)
          throw new ToolRefusal("Patterns took too long too often. Give a text without is_pattern.");
      };
      refuseSlow();
      const { tool, text, untrusted } = result;
      return Promise.resolve({
        action: { type: "read-result", name: tool },
        ...definedFields({ untrusted }),
        run: async (signal, effects) => {
          if (skip !== undefined) return pageOf(text, id, skip, effects?.room);
          const room = Math.min(pageSize, effects?.room ?? pageSize);
          refuseSlow();
          const asked = { first, last, isPattern, room, ...definedFields({ wanted }) };
          return await linesIn(text, asked, new TimeSlices(signal)).catch((error: unknown) => {
            if (error instanceof SlowPattern) slow += 1;
            throw error;
          });
        },
      });
    },
  });
}

async function linesIn(
  text: string,
  { first, last, wanted, isPattern, room }: AskedLines,
  slices: TimeSlices,
): Promise<string> {
  const lines = [...linesOf(withoutLastLineEnd(text))];
  if (first > lines.length) throw new ToolRefusal(`The result has ${lines.length} lines.`);
  const asked = lines.slice(first - 1, last);
  if (slices.isSpent) await slices.next();
  const matched = wanted === undefined ? undefined : matchLines(asked, wanted, isPattern);
  const picked: string[] = [];
  let size = 0;
  let next: number | undefined;
  for (const [at, line] of asked.entries()) {
    if (matched?.[at] === false) continue;
    const cut = cutLine(line, lineLengthCap);
    const shown = matched ? `${first + at}: ${cut}` : cut;
    size += Buffer.byteLength(shown) + 1;
    if (picked.length > 0 && (size > room - readNoteSize || picked.length === lineCap)) {
      next = first + at;
      break;
    }
    picked.push(shown);
  }
  const goOn = next === undefined ? "" : `; go on with start_line ${next}`;
  const note = matched
    ? `(${picked.length} hits in ${lines.length} lines${goOn})`
    : `(lines ${first} to ${first + picked.length - 1} of ${lines.length}${goOn})`;
  return [...picked, note].join("\n");
}

/** Bytes. */
const readNoteSize = 100;

/** Milliseconds that a pattern may hold the host, for all lines together. */
const timeLimit = 250;
/** Characters of a line that a pattern sees. */
const searchedLineCap = 10_000;

class SlowPattern extends ToolRefusal {}

/** Throws a `ToolRefusal` for an invalid pattern, a `SlowPattern` for one that takes too long. Case does not count. */
function matchLines(lines: readonly string[], text: string, isPattern: boolean): readonly boolean[] {
  if (!isPattern) {
    const wanted = text.toLowerCase();
    return lines.map((line) => line.toLowerCase().includes(wanted));
  }
  const expression = compileSearched({ text, isPattern, matchCase: false });
  const context = createContext({ expression, lines: lines.map((line) => line.slice(0, searchedLineCap)) });
  try {
    return [...(matching.runInContext(context, { timeout: timeLimit }) as boolean[])];
  } catch (error) {
    // The error comes from the context, which has an `Error` class of its own.
    if (isRecord(error) && error["code"] === "ERR_SCRIPT_EXECUTION_TIMEOUT")
      throw new SlowPattern("The pattern takes too long on this result. Use a plainer one, or a text.");
    throw error;
  }
}

/** The time limit of a context also ends a pattern that backtracks. */
const matching = new Script("lines.map((line) => expression.test(line))");

/** Bytes of a result, or of a page of it, unless it may have only fewer. */
export const pageSize = 64 * 1024;
/** Bytes for the note below a page. */
const noteSize = 200;
/** Characters of all kept results together; the oldest is dropped first. */
const maxKept = 16 * 1024 * 1024;

export interface KeptResult {
  /** The name of the tool as shown to the person. */
  readonly tool: string;
  readonly text: string;
  /** The same as `CallFacts.untrusted`. */
  readonly untrusted?: string;
}

export class KeptResults {
  readonly #kept = new Map<string, KeptResult>();
  #length = 0;

  /** Returns the id by which `read_result` finds it. */
  readonly keep = (result: KeptResult): string => {
    const id = randomUUID().slice(0, 8);
    this.#kept.set(id, result);
    this.#length += result.text.length;
    for (const [oldest, { text }] of this.#kept) {
      if (this.#length <= maxKept || oldest === id) break;
      this.#kept.delete(oldest);
      this.#length -= text.length;
    }
    return id;
  };

  get(id: string): KeptResult | undefined {
    return this.#kept.get(id);
  }
}

/** `room`: bytes that the whole result may have. */
export function pageOf(text: string, id: string, skip: number, room = Infinity): string {
  const page = firstBytes(text.slice(skip, skip + pageSize), Math.max(noteSize, Math.min(pageSize, room - noteSize)));
  if (page === "") return `(the result has ${text.length} characters)`;
  const last = skip + page.length;
  const more = last < text.length ? `; read_result with id "${id}" and skip ${last} gives the next` : "";
  return `${page}\n(characters ${skip + 1} to ${last} of ${text.length}${more})`;
}
