/** Tool: the lines that contain a text. */
import * as z from "zod/mini";
import { definedFields } from "../base/definedFields";
import { TimeSlices } from "../base/timeSlices";
import type { CallReporter, Tool } from "../domain/tool";
import type { Workspace } from "../domain/workspace";
import { defineTool, pathArgument } from "./defineTool";
import { reasonsToAskForRead } from "./gate/cautions";
import { openRegularFile } from "./gate/fileAccess";
import { gateAgain, gateFolder } from "./gate/fileGate";
import { decodeText } from "../base/decodeText";
import { listedName } from "./gate/pathNames";
import { linesOf } from "./lineRanges";
import { ResultLines } from "./resultLines";
import { FolderWalk } from "./walk";

const hitCap = 200;
const shownLength = 300;
const sizeCap = 1024 * 1024;
const textCap = 1000;
/** Files between two reports: some ten a second. */
const reportInterval = 100;

export function findText(workspace: Workspace): Tool {
  return defineTool({
    name: "find_text",
    description: "Finds a plain text (no pattern), in any case, in the files of the workspace. Gives file:line: text.",
    parameters: z.strictObject({
      text: z.string().check(z.minLength(1), z.maxLength(textCap), z.describe("What to look for.")),
      path: z.optional(pathArgument("Folder to look in. Left out: the whole workspace.")),
    }),
    async prepare({ text, path = "." }, signal) {
      const folder = await gateFolder(workspace, path, signal);
      const label = folder.label === "." ? undefined : folder.label;
      return {
        action: { type: "find-text", text, ...definedFields({ folder: label }) },
        ...definedFields({ reasons: reasonsToAskForRead(folder.cautions) }),
        async run(running, reporter) {
          const slices = new TimeSlices(running);
          const walk = new FolderWalk(workspace, await gateAgain(gateFolder, workspace, folder, running), slices);
          return searchFiles(workspace, walk, text.toLowerCase(), slices, reporter);
        },
      };
    },
  });
}

/** `wanted` is in lower case. */
async function searchFiles(
  workspace: Workspace,
  walk: FolderWalk,
  wanted: string,
  slices: TimeSlices,
  reporter: CallReporter | undefined,
): Promise<string> {
  const hits = new ResultLines();
  let files = 0;
  for await (const file of walk.files()) {
    files += 1;
    if (files % reportInterval === 0) reporter?.activity({ type: "files-visited", files });
    const content = await contentOf(workspace, file.path);
    if (content === undefined) continue;
    await collectHits(hits, listedName(file.inFolder), content, wanted, slices);
    if (isFull(hits)) return `${hits.text}\n(the first ${hits.count} hits)`;
  }
  return [hits.count === 0 ? "(no hits)" : hits.text, ...walk.notes].join("\n");
}

/** `undefined` for a file that is too large, binary, hard-linked, or gone since it was listed. */
async function contentOf(workspace: Workspace, path: string): Promise<string | undefined> {
  try {
    const file = await openRegularFile(workspace, path, "A file");
    try {
      const { size, links } = file.status;
      if (links > 1) return undefined;
      const shown = workspace.shownText(path);
      if (shown !== undefined) return shown.length > sizeCap ? undefined : shown;
      if (size > sizeCap) return undefined;
      const { text } = decodeText(await file.read(sizeCap));
      return text.includes("\0") ? undefined : text;
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}

/** `wanted` is in lower case. */
async function collectHits(
  hits: ResultLines,
  name: string,
  content: string,
  wanted: string,
  slices: TimeSlices,
): Promise<void> {
  if (!(await contains(content.toLowerCase(), wanted, slices))) return;
  let number = 0;
  for (const line of linesOf(content)) {
    number += 1;
    if (slices.isSpent) await slices.next();
    if (!(await contains(line.toLowerCase(), wanted, slices))) continue;
    hits.add(`${name}:${number}: ${line.trim().slice(0, shownLength).toWellFormed()}`);
    if (isFull(hits)) return;
  }
}

function isFull(hits: ResultLines): boolean {
  return hits.count === hitCap || hits.isFull;
}

const windowLength = 16 * 1024;

/** `includes` takes up to text × wanted steps: a long text is searched window by window, with pauses between. */
async function contains(text: string, wanted: string, slices: TimeSlices): Promise<boolean> {
  for (let from = 0; from <= text.length; from += windowLength) {
    const window = text.length <= windowLength ? text : text.slice(from, from + windowLength + wanted.length - 1);
    if (window.includes(wanted)) return true;
    if (slices.isSpent) await slices.next();
  }
  return false;
}
