/** Tool: changes of several files in the form of a patch, shown as diffs and made only after a yes. The mechanism is that of the other tools that change files. */
import * as z from "zod/mini";
import type { TimeSlices } from "../../base/async/timeSlices";
import {
  type CallToApprove,
  type PendingTexts,
  type PreparedCall,
  type Tool,
  ToolRefusal,
} from "../../domain/tools/tool";
import type { Workspace } from "../../domain/tools/workspace";
import { alias } from "../base/argumentRules";
import { defineTool } from "../base/defineTool";
import { prepareFromRead, prepareText } from "./changeText";
import { deletionChange, renaming } from "./deleteFile";
import type { EditedText } from "../edit/applyEdit";
import { applyHunks, takesPatches, type PatchPart, readPatch } from "../edit/applyHunks";
import type { NewProblems } from "../edit/newProblems";
import { askForParts, type FilePart } from "./changeParts";
import { gateFile, type GatedFile, gatePlace } from "../gate/fileGate";
import { newFileChange } from "./writeFile";

const textCap = 500_000;
/** Files in one call. */
const fileCap = 50;

export function applyPatch(workspace: Workspace, problems: NewProblems): Tool {
  const patches = defineTool({
    name: "apply_patch",
    effect: "changes",
    description:
      "Changes files of the workspace by a patch. It begins with the line *** Begin Patch and ends with *** End Patch. Between them a section for each file: *** Add File: path, with + before each line; *** Delete File: path; or *** Update File: path (then *** Move to: new path to rename it) with hunks. A hunk begins with @@, or @@ and the line of the class or function that it is in; its lines begin with a space (unchanged), - (removed) or + (added). Give three unchanged lines above and below each change, copied exactly. Paths are relative to the workspace. All is made, or nothing.",
    parameters: z.strictObject({
      input: z.string().check(z.minLength(1), z.maxLength(textCap), z.describe("The whole patch.")),
    }),
    rules: [alias("input", "patch", "patch_text", "diff", "text", "content")],
    async prepare({ input }, signal, context): Promise<PreparedCall> {
      const parts = readPatch(input);
      if (parts.length > fileCap) throw new ToolRefusal(`A patch may change ${fileCap} files at most.`);
      const updated = parts.filter(({ type }) => type === "update");
      const files = await Promise.all(updated.map(({ path }) => gateFile(workspace, path, signal)));
      const prepare = async (_files: readonly GatedFile[], running: AbortSignal): Promise<CallToApprove> =>
        askForParts(await prepareParts(workspace, parts, running, context?.pending), workspace, problems);
      return prepareFromRead(workspace, files, prepare, signal);
    },
  });
  return { ...patches, isFor: takesPatches };
}

async function prepareParts(
  workspace: Workspace,
  parts: readonly PatchPart[],
  signal: AbortSignal,
  pending?: PendingTexts,
): Promise<readonly FilePart[]> {
  const prepared: FilePart[] = [];
  for (const part of parts) {
    try {
      prepared.push(...(await preparePart(workspace, part, signal, pending)));
    } catch (error) {
      if (!(error instanceof ToolRefusal)) throw error;
      throw new ToolRefusal(`Nothing of the patch was made, because of ${part.path}: ${error.message}`);
    }
  }
  return prepared;
}

async function preparePart(
  workspace: Workspace,
  part: PatchPart,
  signal: AbortSignal,
  pending?: PendingTexts,
): Promise<readonly FilePart[]> {
  switch (part.type) {
    case "add":
      if (!part.text.isWellFormed() || part.text.includes("\0")) throw new ToolRefusal("No text file can hold this.");
      return [newFileChange(workspace, await gatePlace(workspace, part.path, signal), part.text)];
    case "delete":
      return [await deletionChange(workspace, part.path, signal)];
    case "update": {
      const { path, to, hunks } = part;
      const file = await gateFile(workspace, path, signal);
      const makeText = (before: string, slices: TimeSlices): Promise<EditedText> => applyHunks(before, hunks, slices);
      const change = hunks.length > 0 ? [await prepareText(workspace, file, makeText, signal, pending)] : [];
      return to === undefined ? change : [...change, await renaming(workspace, path, to, signal)];
    }
  }
}
