/** Tool: the rest of a result that was too long to be given at once: a range of its lines or characters, or the lines with a text. */
import * as z from "zod/mini";
import { definedFields } from "../base/definedFields";
import { TimeSlices } from "../base/async/timeSlices";
import { type Tool, ToolRefusal } from "../domain/tools/tool";
import { defineTool } from "./base/defineTool";
import type { KeptResults } from "./base/keptResults";
import { matchLines } from "./base/lineMatcher";
import { linesOf, withoutLastLineEnd } from "./base/lineRanges";

/** Characters of one answer. */
const pageLength = 64 * 1024;
const lineLengthCap = 2000;
const lineCap = 2000;

interface AskedLines {
  readonly first: number;
  readonly last: number;
  /** Only lines with it. */
  readonly wanted?: string;
  readonly isPattern: boolean;
}

export function readResult(kept: KeptResults): Tool {
  return defineTool({
    name: "read_result",
    description: `Reads a long result whose end or middle was left out, such as the output of a command. The note in that result names the id. Give start_line and end_line for a range of lines, text for the lines that contain it (with is_pattern: that match it), or skip for the characters after so many, where lines are very long. At most ${pageLength / 1024} KB at a time.`,
    parameters: z.strictObject({
      id: z.string().check(z.describe("The id that the note in the result names.")),
      start_line: z.optional(z.int().check(z.gte(1), z.describe("First line, counted from 1."))),
      end_line: z.optional(z.int().check(z.gte(1), z.describe("Last line, included."))),
      text: z.optional(
        z.string().check(z.minLength(1), z.maxLength(1000), z.describe("Only lines that contain this; case does not count.")),
      ),
      is_pattern: z.optional(z.boolean().check(z.describe("Whether text is a JavaScript regular expression."))),
      skip: z.optional(z.int().check(z.gte(0), z.describe("Characters to leave out. Not together with lines or text."))),
    }),
    prepare({ id, start_line: first = 1, end_line: last = Infinity, text: wanted, is_pattern: isPattern = false, skip }) {
      const result = kept.get(id);
      if (!result) throw new ToolRefusal("That result is not kept any more. Call its tool again.");
      const { name, text, untrusted } = result;
      if (last < first) throw new ToolRefusal("end_line lies before start_line.");
      // It throws a refusal for what it can't compile.
      if (wanted !== undefined) matchLines([], wanted, isPattern);
      return Promise.resolve({
        action: { type: "read-result", name },
        ...definedFields({ untrusted }),
        run: async (signal) =>
          skip === undefined
            ? linesIn(text, { first, last, isPattern, ...definedFields({ wanted }) }, new TimeSlices(signal))
            : charactersFrom(text, id, skip),
      });
    },
  });
}

/** The first page of a result, with how to get the next. */
export function charactersFrom(text: string, id: string, skip: number): string {
  const page = text.slice(skip, skip + pageLength);
  if (page === "") return `(the result has ${text.length} characters)`;
  const last = skip + page.length;
  const more = last < text.length ? `; read_result with id "${id}" and skip ${last} gives the next` : "";
  return `${page.toWellFormed()}\n(characters ${skip + 1} to ${last} of ${text.length}${more})`;
}

async function linesIn(
  text: string,
  { first, last, wanted, isPattern }: AskedLines,
  slices: TimeSlices,
): Promise<string> {
  const lines = [...linesOf(withoutLastLineEnd(text))];
  const count = lines.length;
  if (first > count) throw new ToolRefusal(`The result has ${count} lines.`);
  const asked = lines.slice(first - 1, last);
  if (slices.isSpent) await slices.next();
  const matched = wanted === undefined ? undefined : matchLines(asked, wanted, isPattern);
  const picked: string[] = [];
  let length = 0;
  for (const [at, line] of asked.entries()) {
    if (matched?.[at] === false) continue;
    const cut = line.length > lineLengthCap ? `${line.slice(0, lineLengthCap).toWellFormed()} … (line cut)` : line;
    const shown = matched ? `${first + at}: ${cut}` : cut;
    length += shown.length + 1;
    if (length > pageLength || picked.length === lineCap) return ended(first + at);
    picked.push(shown);
  }
  return ended(undefined);

  function ended(next: number | undefined): string {
    const goOn = next === undefined ? "" : `; go on with start_line ${next}`;
    if (matched) return [...picked, `(${picked.length === 0 ? "no" : picked.length} hits in ${count} lines${goOn})`].join("\n");
    return `${picked.join("\n")}\n(lines ${first} to ${first + picked.length - 1} of ${count}${goOn})`;
  }
}
