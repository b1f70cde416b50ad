/** Tool: another name or folder for a file. What it holds, unsaved changes too, goes with it. */
import * as z from "zod/mini";
import type { Tool } from "../../domain/tools/tool";
import type { Workspace } from "../../domain/tools/workspace";
import { alias } from "../base/argumentRules";
import { defineTool, pathArgument } from "../base/defineTool";
import { type FilePart, fileGrant } from "./changeParts";
import { type FileCaution, reasonsToAskForChange } from "../gate/cautions";
import { gateAgain, gateFile, gatePlace } from "../gate/fileGate";

export function renameFile(workspace: Workspace): Tool {
  return defineTool({
    name: "rename_file",
    effect: "changes",
    description: "Renames or moves one file. Missing folders are created. Nothing may exist at the new path.",
    parameters: z.strictObject({
      path: pathArgument("File, relative to the workspace."),
      new_path: pathArgument("New path, relative to the workspace."),
    }),
    rules: [
      alias("path", "old_path", "from", "source", "src", "source_path", "file_path", "file"),
      alias("new_path", "to", "destination", "target", "dest", "destination_path", "target_path", "new_name"),
    ],
    async prepare({ path, new_path: newPath }, signal) {
      const { make, ...asked } = await renaming(workspace, path, newPath, signal);
      return { ...asked, run: make };
    },
  });
}

export async function renaming(
  workspace: Workspace,
  path: string,
  newPath: string,
  signal: AbortSignal,
): Promise<FilePart> {
  const file = await gateFile(workspace, path, signal);
  const place = await gatePlace(workspace, newPath, signal);
  const cautions: FileCaution[] = [...new Set([...file.cautions, ...place.cautions])];
  return {
    action: { type: "rename-file", path: file.label, to: place.label },
    reasons: reasonsToAskForChange(cautions),
    ...fileGrant("rename", file, place),
    async make(running, effects) {
      const from = await gateAgain(gateFile, workspace, file, running);
      const to = await gateAgain(gatePlace, workspace, place, running);
      running.throwIfAborted();
      await (effects?.files ?? workspace).rename(from.path, to.path);
      return `Renamed ${from.label} to ${to.label}.`;
    },
  };
}
