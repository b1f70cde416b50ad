/** Tool: files by their names. */
import * as z from "zod/mini";
import { definedFields } from "../../base/definedFields";
import type { Tool } from "../../domain/tools/tool";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import { alias, folderAlias } from "../base/argumentRules";
import { defineTool, pathArgument } from "../base/defineTool";
import { reportQuoted } from "../gate/quotedFiles";
import { foundFiles } from "../search/foundFiles";
import { compileGlobs } from "../search/globs";
import { gateSearched, labelOfSearched, prepareSearch, reasonsToAskForSearch } from "../search/prepareSearch";
import type { FileSearch } from "../search/searchJob";

export function findFiles(workspace: ReadableWorkspace, search: FileSearch): Tool {
  return defineTool({
    name: "find_files",
    effect: "reads",
    description:
      "Finds files by name. Give a part of the name or path to get the best matches first, or a glob such as src/**/*.test.ts to get all matches. Files that git ignores and files that may hold secrets are left out.",
    parameters: z.strictObject({
      name: z.string().check(z.minLength(1), z.maxLength(500), z.describe("Part of the name or path, or a glob.")),
      path: z.optional(pathArgument("Folder to search, relative to the workspace. Default: the whole workspace.")),
      skip: z.optional(
        z
          .int()
          .check(z.gte(0), z.lte(200_000), z.describe("Number of files to skip, to get the next part of a long list.")),
      ),
    }),
    rules: [
      alias("name", "pattern", "glob", "query", "glob_pattern", "file_pattern", "name_pattern", "file_name", "search"),
      folderAlias,
    ],
    async prepare({ name, path, skip = 0 }, signal) {
      compileGlobs([name]);
      const folders = await gateSearched(workspace, path, signal);
      return {
        action: { type: "find-files", name, ...definedFields({ folder: labelOfSearched(folders) }) },
        ...definedFields({ reasons: reasonsToAskForSearch(folders) }),
        async run(running, effects) {
          const { folders: searched, personalIgnoreFile } = await prepareSearch(workspace, folders, running);
          const job = { folders: searched, personalIgnoreFile, type: "names", name, skip } as const;
          const found = await search.run(job, running, (files) => effects?.activity({ type: "files-visited", files }));
          await reportQuoted(workspace, await foundFiles(workspace, found, "names", folders), running, effects);
          return found;
        },
      };
    },
  });
}
