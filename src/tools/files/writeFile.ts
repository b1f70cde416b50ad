/** Tool: the whole text of a file, new or in the place of what it holds, shown and made only after a yes. */
import * as z from "zod/mini";
import type { TimeSlices } from "../../base/async/timeSlices";
import { countLines } from "../../domain/chat/changedLines";
import { type PreparedCall, type Tool, ToolRefusal } from "../../domain/tools/tool";
import type { Workspace } from "../../domain/tools/workspace";
import { alias, fileAlias } from "../base/argumentRules";
import { defineTool, pathArgument } from "../base/defineTool";
import type { EditedText } from "../edit/applyEdit";
import { createPreview } from "../edit/changePreview";
import { lineEndOf, withLineEnd } from "../edit/findPlaces";
import type { NewProblems } from "../edit/newProblems";
import { reasonsToAskForChange } from "../gate/cautions";
import { gateAgain, gateFile, type GatedFile, type GatedPlace, gatePlace, PlaceTaken } from "../gate/fileGate";
import { changeText } from "./changeText";
import { askForPart, type FilePart, fileGrant } from "./changeParts";

const textCap = 500_000;

export function writeFile(workspace: Workspace, problems: NewProblems): Tool {
  return defineTool({
    name: "write_file",
    effect: "changes",
    description:
      "Writes the whole text of a file in the workspace: creates it, with any missing folders, or replaces everything in it. Read an existing file first. To change only parts of a file, use edit_file.",
    parameters: z.strictObject({
      path: pathArgument("File, relative to the workspace."),
      text: z.string().check(z.maxLength(textCap), z.describe("Everything that the file will contain.")),
    }),
    rules: [fileAlias, alias("text", "content", "contents", "file_text", "code", "file_content")],
    async prepare({ path, text }, signal, { pending, seen } = {}): Promise<PreparedCall> {
      if (!text.isWellFormed() || text.includes("\0")) throw new ToolRefusal("text holds what no text file can hold.");
      const file = await fileOrPlace(workspace, path, signal);
      if (pending?.has(file.path) === true) {
        // The call is prepared again when the changes before it are made.
        throw new ToolRefusal(`An earlier call of this answer changes ${file.label}.`);
      }
      if (!file.isThere) return askForPart(newFileChange(workspace, file, text), workspace, problems);
      const replace = async (before: string, slices: TimeSlices): Promise<EditedText> => {
        if (slices.isSpent) await slices.next();
        return replaceWhole(file, before, text, seen?.has(file.path, before) === true);
      };
      return changeText(workspace, problems, file, replace, signal);
    },
  });
}

/** The file at that path, or the place for a new one. */
async function fileOrPlace(
  workspace: Workspace,
  path: string,
  signal: AbortSignal,
): Promise<GatedFile & { readonly isThere: boolean }> {
  try {
    return { ...(await gateFile(workspace, path, signal)), isThere: true };
  } catch (refusal) {
    if (!(refusal instanceof ToolRefusal)) throw refusal;
    const place = await gatePlace(workspace, path, signal).catch((error: unknown) => {
      // Something is there that is no file.
      throw error instanceof PlaceTaken ? refusal : error;
    });
    return { ...place, isThere: false };
  }
}

/** `isSeen`: the model has read the text that it replaces. */
function replaceWhole({ label }: GatedFile, before: string, text: string, isSeen: boolean): EditedText {
  if (!isSeen && before !== "") {
    throw new ToolRefusal(
      `${label} exists, and you have not read it as it is now, so writing it would lose what is in it. Read it first, or change parts of it with edit_file.`,
    );
  }
  const written = withLineEnd(text, lineEndOf(before));
  if (written === before) throw new ToolRefusal(`${label} reads like this already.`);
  const omission = findOmission(before, written);
  if (omission !== undefined) {
    throw new ToolRefusal(
      `text stands for the whole file, but leaves out a part of it: ${JSON.stringify(omission)}. Write out everything, or change parts of the file with edit_file.`,
    );
  }
  return { text: written, repairs: [], isWhole: true };
}

export function newFileChange(workspace: Workspace, place: GatedPlace, text: string): FilePart {
  const preview = createPreview(place.label, "", text);
  return {
    action: { type: "create-file", path: place.label, lines: countLines(preview.hunks) },
    reasons: reasonsToAskForChange(place.cautions),
    ...fileGrant("create", place),
    change: { file: place.path, before: "", after: text, preview },
    watched: { file: place.path, label: place.label, isNew: true },
    async make(running, effects) {
      const now = await gateAgain(gatePlace, workspace, place, running);
      running.throwIfAborted();
      await (effects?.files ?? workspace).create(now.path, new TextEncoder().encode(text));
      effects?.seen?.note(now.path, text);
      return `Created ${now.label}.`;
    },
  };
}

/** Characters of a line; a longer one is more than such a comment. */
const maxLength = 120;

/** The first line that stands for omitted text and that the text before did not have. */
export function findOmission(before: string, after: string): string | undefined {
  const known = new Set(before.split("\n").map((line) => line.trim()));
  return after
    .split("\n")
    .map((line) => line.trim())
    .find((line) => line.length <= maxLength && isOmission(line) && !known.has(line));
}

/** Whether the line is a comment with dots and a word for what is left out. */
function isOmission(line: string): boolean {
  return (
    /^(?:\/\/|\/\*|#|<!--|--|;|%|\{\/\*)\s*/.test(line) &&
    /\.{3}|…/.test(line) &&
    /\b(?:rest|existing|remaining|unchanged|previous|same as before|other (?:code|methods|functions|lines))\b/i.test(
      line,
    )
  );
}
