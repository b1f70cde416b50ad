/** Tool: files by their names. */
import * as z from "zod/mini";
import { definedFields } from "../base/definedFields";
import type { Tool } from "../domain/tool";
import type { Workspace } from "../domain/workspace";
import { defineTool, pathArgument } from "./defineTool";
import { reasonsToAskForRead } from "./gate/cautions";
import { gateAgain, gateFolder } from "./gate/fileGate";
import { compileGlobs } from "./search/globs";
import { folderJob } from "./search/searchFolder";
import type { FileSearch } from "./search/searchJob";

export function findFiles(workspace: Workspace, search: FileSearch): Tool {
  return defineTool({
    name: "find_files",
    description:
      "Finds files of the workspace by name, except secrets and those that git ignores. A part of the name or path gives the best first; a glob like src/**/*.test.ts gives all that match.",
    parameters: z.strictObject({
      name: z.string().check(z.minLength(1), z.maxLength(500), z.describe("Part of the path, or a glob.")),
      path: z.optional(pathArgument("Folder to look in. Left out: the whole workspace.")),
      skip: z.optional(
        z.int().check(z.gte(0), z.lte(200_000), z.describe("Files to leave out: those that an earlier call gave.")),
      ),
    }),
    async prepare({ name, path = ".", skip = 0 }, signal) {
      compileGlobs([name]);
      const folder = await gateFolder(workspace, path, signal);
      const label = folder.label === "." ? undefined : folder.label;
      return {
        action: { type: "find-files", name, ...definedFields({ folder: label }) },
        ...definedFields({ reasons: reasonsToAskForRead(folder.cautions) }),
        async run(running, reporter) {
          const now = await gateAgain(gateFolder, workspace, folder, running);
          return search.run({ ...(await folderJob(workspace, now)), type: "names", name, skip }, running, (files) =>
            reporter?.activity({ type: "files-visited", files }),
          );
        },
      };
    },
  });
}
