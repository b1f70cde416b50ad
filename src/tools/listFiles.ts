/** Tool: what files there are. */
import { t } from "@vscode/l10n";
import * as z from "zod/mini";
import { TimeSlices } from "../base/timeSlices";
import type { Tool } from "../domain/tool";
import type { Workspace } from "../domain/workspace";
import { defineTool } from "./defineTool";
import { reasonToAskForRead } from "./gate/cautions";
import { gateAgain, gateFolder } from "./gate/fileGate";
import { listedName } from "./gate/pathNames";
import { FolderWalk } from "./walk";

const cap = 500;

export function listFiles(workspace: Workspace): Tool {
  return defineTool({
    name: "list_files",
    description:
      "Lists the files below a folder of the workspace, except links, secrets and those that git ignores. Unusual names are written as JSON strings.",
    parameters: z.strictObject({
      path: z.optional(
        z.string().check(z.describe("Folder, relative to the workspace. Left out: the whole workspace.")),
      ),
    }),
    async prepare({ path = "." }, signal) {
      const folder = await gateFolder(workspace, path, signal);
      const reason = reasonToAskForRead(folder.cautions);
      return {
        title: folder.label === "." ? t("List files") : t("List files in {0}", folder.label),
        ...(reason === undefined ? {} : { ask: { reason } }),
        async run(running) {
          const walk = new FolderWalk(
            workspace,
            await gateAgain(gateFolder, workspace, folder, running),
            new TimeSlices(running),
          );
          const files: string[] = [];
          for await (const { inFolder } of walk.files()) {
            if (files.length === cap) return `${files.join("\n")}\n(more than ${cap} files; name a folder to see less)`;
            files.push(listedName(inFolder));
          }
          return [...(files.length === 0 ? ["(no files)"] : files), ...walk.notes].join("\n");
        },
      };
    },
  });
}
