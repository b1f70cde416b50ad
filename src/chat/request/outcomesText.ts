/** Writes the text that tells the model, with its next request, what became of its edits (A16). Pure. */
import { fenceCode } from "../../base/text/codeFence";
import type { EditOutcome } from "../../domain/chat/editOutcome";
import { oneLine } from "./environmentText";

export function outcomesText(outcomes: readonly EditOutcome[]): string {
  const isBack = outcomes.some(({ is }) => is === "back");
  return [
    "(The person has looked at your edits. What became of them, by the lines of the files as you had left them:",
    ...outcomes.map((one) => `- ${oneLine(one.file)}${linesOf(one)}: ${wordOf(one)}`),
    isBack
      ? "What was taken back stays so: do not make it again, unless the person asks for it.)"
      : "What they have changed stays as it is now.)",
  ].join("\n");
}

function linesOf({ lines }: EditOutcome): string {
  if (lines === undefined) return "";
  const { first, last } = lines;
  if (last < first) return `, before line ${first}`;
  return first === last ? `, line ${first}` : `, lines ${first}-${last}`;
}

function wordOf({ is, lines, text }: EditOutcome): string {
  switch (is) {
    case "back":
      return "taken back";
    case "gone":
      return "the file is gone";
    case "there":
      return "there again, as you had left it";
    case "changed":
      if (text === "") return "deleted";
      if (text !== undefined) return `changed to\n${fenceCode(text.replace(/\r?\n$/u, ""))}`;
      return lines === undefined ? "changed in many places; read the file again" : "changed; read the lines again";
  }
}
