/** Tool: what files there are. */
import * as z from "zod/mini";
import { definedFields } from "../base/definedFields";
import { TimeSlices } from "../base/timeSlices";
import type { Tool } from "../domain/tool";
import type { Workspace } from "../domain/workspace";
import { defineTool, pathArgument } from "./defineTool";
import { reasonsToAskForRead } from "./gate/cautions";
import { gateAgain, type GatedFolder, gateFolder } from "./gate/fileGate";
import { listedName } from "./gate/pathNames";
import { ResultLines } from "./resultLines";
import { FolderWalk } from "./walk";

const cap = 500;

export function listFiles(workspace: Workspace): Tool {
  return defineTool({
    name: "list_files",
    description:
      "Lists the files below a folder of the workspace, except links, secrets and those that git ignores. Unusual names are written as JSON strings.",
    parameters: z.strictObject({
      path: z.optional(pathArgument("Folder, relative to the workspace. Left out: the whole workspace.")),
    }),
    async prepare({ path = "." }, signal) {
      const folder = await gateFolder(workspace, path, signal);
      return {
        action: { type: "list-files", ...definedFields({ folder: folder.label === "." ? undefined : folder.label }) },
        ...definedFields({ reasons: reasonsToAskForRead(folder.cautions) }),
        async run(running) {
          const now = await gateAgain(gateFolder, workspace, folder, running);
          return listBelow(workspace, now, running);
        },
      };
    },
  });
}

/** The files below a gated folder, one a line, up to a cap that the text names. */
export async function listBelow(workspace: Workspace, folder: GatedFolder, signal: AbortSignal): Promise<string> {
  const walk = new FolderWalk(workspace, folder, new TimeSlices(signal));
  const files = new ResultLines();
  for await (const { inFolder } of walk.files()) {
    if (files.count === cap || files.isFull) {
      return `${files.text}\n(more than ${files.count} files; name a folder to see less)`;
    }
    files.add(listedName(inFolder));
  }
  return [files.count === 0 ? "(no files)" : files.text, ...walk.notes].join("\n");
}
