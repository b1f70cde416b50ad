/** Why an edit can't be made, with what the model needs to correct its call; an edit and a hunk of a patch have the same reasons. */
import type { TimeSlices } from "../../base/async/timeSlices";
import { ToolRefusal } from "../../domain/tools/tool";
import { findNearest, quoteBlock } from "./nearestBlock";
import type { LinesPlace, TextLines } from "./textLines";

/** What the two texts of a replacement are called. */
export interface TextNames {
  readonly old: string;
  readonly now: string;
}

const argumentNames: TextNames = { old: "old_text", now: "new_text" };

export class EditRefusal extends ToolRefusal {
  /** For a tool whose texts have other names. */
  readonly describe: (names: TextNames) => string;

  constructor(describe: (names: TextNames) => string) {
    super(describe(argumentNames));
    this.describe = describe;
  }
}

/** The name of the line with that index, as the model is to find it. */
export type NameLine = (index: number) => string;

export function misfit(file: TextLines, place: LinesPlace, nameOf: NameLine): EditRefusal {
  return new EditRefusal(
    ({ old, now }) =>
      `The lines of ${old} are there from line ${nameOf(place.first)} on, but they are indented otherwise among each other. Write ${old} and ${now} with the file's indentation. ${quoted(file, place, nameOf)}`,
  );
}

/** Places that a refusal lists. */
export const listed = 10;

export function listPlaces(lines: readonly number[], nameOf: NameLine): string {
  const names = lines.slice(0, listed).map(nameOf).join(", ");
  return `at lines ${names}${lines.length > listed ? " and more" : ""}`;
}

export function notUnique(lines: readonly number[], nameOf: NameLine): EditRefusal {
  return new EditRefusal(
    ({ old }) =>
      `${old} stands in the file more than once: ${listPlaces(lines, nameOf)}. Give more lines around the one that you mean, or set replace_all to change all of them.`,
  );
}

export async function missing(
  file: TextLines,
  oldText: string,
  nameOf: NameLine,
  slices: TimeSlices,
): Promise<EditRefusal> {
  if (file.count === 0) return new EditRefusal(({ old }) => `${old} is not in the file: it is empty.`);
  const block = await findNearest(file, oldText, slices);
  if (!block)
    return new EditRefusal(({ old }) => `${old} is not in the file, nor anything like it. Read the file first.`);
  const range = block.end - block.first > 1 ? `lines ${nameOf(block.first)} to ` : "line ";
  const { differs } = block;
  return new EditRefusal(({ old }) => {
    const difference = differs
      ? ` Line ${nameOf(differs.line)} is the first that differs; ${old} has there: ${JSON.stringify(differs.wanted.slice(0, 200).toWellFormed())}.`
      : "";
    return `${old} is not in the file. Most like it: ${range}${nameOf(block.end - 1)}.${difference} ${quoted(file, block, nameOf)}`;
  });
}

function quoted(file: TextLines, block: Parameters<typeof quoteBlock>[1], nameOf: NameLine): string {
  return `The file reads (line number, tab, line):\n${quoteBlock(file, block, nameOf)}`;
}
