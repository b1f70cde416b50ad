/** Tool: the text of a file, whole or a range of lines, or an image. */
import * as z from "zod/mini";
import { definedFields } from "../../base/definedFields";
import { TimeSlices } from "../../base/async/timeSlices";
import type { ScaleImage } from "../../domain/tools/toolPorts";
import { type CallEffects, type SeenTexts, type Tool, ToolRefusal } from "../../domain/tools/tool";
import type { Workspace } from "../../domain/tools/workspace";
import { fileAlias, lineRange, placeInPath } from "../base/argumentRules";
import { defineTool, pathArgument } from "../base/defineTool";
import { reasonsToAskForRead } from "../gate/cautions";
import { gateAgain, gateFile, readText } from "../gate/fileGate";
import { reportQuoted } from "../gate/quotedFiles";
import { fitImage, readWorkspaceImage } from "../base/fitImage";
import { describeNotebook, isNotebook } from "../edit/cells";
import { linesOf, cutLine, withoutLastLineEnd } from "../base/resultLines";

const lineCap = 2000;
const lineLengthCap = 2000;
const lengthCap = 256 * 1024;
/** Bytes of the notes below the lines. */
const noteSize = 200;
const sizeCap = 10 * 1024 * 1024;

export function readFile(workspace: Workspace, scale: ScaleImage): Tool {
  return defineTool({
    name: "read_file",
    effect: "reads",
    description: `Reads a file of the workspace: a text file by lines (at most ${lineCap} lines and ${lengthCap / 1024} KB at a time; ask for a range to see more), a notebook by its cells, or an image (PNG, JPEG, WebP, GIF), which you then see.`,
    parameters: z.strictObject({
      path: pathArgument("File, relative to the workspace."),
      start_line: z.optional(z.int().check(z.gte(1), z.describe("First line, counted from 1."))),
      end_line: z.optional(z.int().check(z.gte(1), z.describe("Last line, included."))),
    }),
    rules: [fileAlias, lineRange("start_line", "end_line"), placeInPath("path", "start_line")],
    async prepare({ path, start_line: start = 1, end_line: end }, signal) {
      const file = await gateFile(workspace, path, signal);
      if (end !== undefined && end < start) throw new ToolRefusal("end_line lies before start_line.");
      const isWhole = end === undefined && start === 1;
      const lines = isWhole ? undefined : { first: start, ...definedFields({ last: end }) };
      return {
        action: { type: "read-file", path: file.label, ...definedFields({ lines }) },
        ...definedFields({ reasons: reasonsToAskForRead(file.cautions) }),
        async run(running, effects) {
          const now = await gateAgain(gateFile, workspace, file, running);
          await reportQuoted(workspace, [now], running, effects);
          const shown = await readWorkspaceImage(workspace, now);
          if (shown !== undefined) return showImage(shown, now.label, scale, running, effects);
          const { text, isDamaged } = await readText(workspace, now, sizeCap);
          const cells = isNotebook(now.label) ? describeNotebook(text) : undefined;
          const room = Math.min(lengthCap, (effects?.room ?? Infinity) - noteSize);
          const wanted = { start, end, room };
          const picking = await pickLines(cells ?? text, wanted, new TimeSlices(running));
          const { picked, whole, shown: seen, range } = picking;
          if (seen) effects?.seen?.noteLines(now.path, text, seen);
          // A range may end behind the last line, and a result is cut at its limits.
          effects?.did?.({ type: "read-file", path: now.label, ...definedFields({ lines: range }) });
          if (whole !== undefined && room < lengthCap) effects?.shortened?.(whole);
          if (cells !== undefined && workspace.isUnsavedNotebook?.(now.path) === true) {
            return `${picked}\n(as it was saved: the notebook editor has unsaved changes)`;
          }
          return isDamaged ? `${picked}\n(not UTF-8: what could not be read is shown as \ufffd)` : picked;
        },
      };
    },
  });
}

async function showImage(
  bytes: Uint8Array,
  label: string,
  scale: ScaleImage,
  signal: AbortSignal,
  effects: CallEffects | undefined,
): Promise<string> {
  const fitted = await fitImage(bytes, label, scale, signal);
  if (typeof fitted === "string") throw new ToolRefusal(`${label} can't be shown. ${fitted}`);
  effects?.image?.(fitted.image);
  return `(${fitted.words}, ${bytes.length} bytes)`;
}

interface WantedLines {
  readonly start: number;
  readonly end: number | undefined;
  /** Bytes; the first line is given even if it is longer. */
  readonly room: number;
}

interface PickedLines {
  readonly picked: string;
  /** Characters of all wanted lines, where not all fit into the room. */
  readonly whole?: number;
  /** Missing where a line was cut. */
  readonly shown?: Parameters<SeenTexts["noteLines"]>[2];
  /** Missing where these are all lines of the file. */
  readonly range?: { readonly first: number; readonly last: number };
}

async function pickLines(text: string, { start, end, room }: WantedLines, slices: TimeSlices): Promise<PickedLines> {
  if (text === "") return { picked: "(the file is empty)", shown: { first: 1, last: 0, of: 0 } };
  const picked: string[] = [];
  const last = Math.min(end ?? Infinity, start + lineCap - 1);
  let length = 0;
  let whole = 0;
  let isFull = false;
  let isCut = false;
  let count = 0;
  for (const line of linesOf(withoutLastLineEnd(text))) {
    count += 1;
    if (count % 1000 === 0 && slices.isSpent) await slices.next();
    if (count < start || count > last) continue;
    whole += line.length + 1;
    if (isFull) continue;
    const shown = cutLine(line, lineLengthCap);
    const size = Buffer.byteLength(shown) + 1;
    isFull = picked.length > 0 && length + size > room;
    if (isFull) continue;
    length += size;
    picked.push(shown);
    isCut ||= shown !== line;
  }
  if (start > count) throw new ToolRefusal(`The file has ${count} lines.`);
  const shownLast = start + picked.length - 1;
  const goOn = shownLast < Math.min(end ?? Infinity, count) ? `; go on with start_line ${shownLast + 1}` : "";
  const note = `(lines ${start} to ${shownLast} of ${count}${goOn})`;
  const range = { first: start, last: shownLast };
  return {
    picked: `${picked.join("\n")}\n${note}`,
    ...(isFull ? { whole } : {}),
    ...(isCut ? {} : { shown: { ...range, of: count } }),
    ...(start === 1 && shownLast === count ? {} : { range }),
  };
}
