/** Tool: lists the files of a folder. */
import * as z from "zod/mini";
import { definedFields } from "../../base/definedFields";
import { TimeSlices } from "../../base/async/timeSlices";
import type { Tool } from "../../domain/tools/tool";
import type { Workspace } from "../../domain/tools/workspace";
import { folderAlias } from "../base/argumentRules";
import { defineTool, pathArgument } from "../base/defineTool";
import { gateAgain, type GatedFolder, gateFolder } from "../gate/fileGate";
import { listedName } from "../gate/pathNames";
import { type QuotedFile, reportQuoted } from "../gate/quotedFiles";
import { ResultLines } from "../base/resultLines";
import { gateSearched, labelOfSearched, reasonsToAskForSearch } from "../search/prepareSearch";
import { FolderWalk, walkedFile } from "../base/walk";

/** The most files of one result. */
const maxFiles = 500;

export function listFiles(workspace: Workspace): Tool {
  return defineTool({
    name: "list_files",
    effect: "reads",
    description:
      "Lists the files in a folder of the workspace and in its subfolders. Links, files that git ignores and files that may hold secrets are left out. Unusual names are written as JSON strings.",
    parameters: z.strictObject({
      path: z.optional(pathArgument("Folder, relative to the workspace. Default: the whole workspace.")),
      skip: z.optional(
        z.int().check(z.gte(0), z.describe("Number of files to skip, to get the next part of a long list.")),
      ),
    }),
    rules: [folderAlias],
    async prepare({ path, skip = 0 }, signal) {
      const folders = await gateSearched(workspace, path, signal);
      return {
        action: { type: "list-files", ...definedFields({ folder: labelOfSearched(folders) }) },
        ...definedFields({ reasons: reasonsToAskForSearch(folders) }),
        async run(running, effects) {
          const now = await Promise.all(folders.map((one) => gateAgain(gateFolder, workspace, one, running)));
          const { text, named } = await listBelow(workspace, now, running, skip);
          await reportQuoted(workspace, named, running, effects);
          return text;
        },
      };
    },
  });
}

/**
 * Lists the files below folders that have passed the gate, in order, one a line, and at most `cap` of them: where there are more, the last line says
 * how to get the next. With several folders each line begins with the label of its folder.
 */
export async function listBelow(
  workspace: Workspace,
  folders: readonly GatedFolder[],
  signal: AbortSignal,
  skip = 0,
): Promise<{ readonly text: string; readonly named: readonly QuotedFile[] }> {
  const files = new ResultLines();
  const named: QuotedFile[] = [];
  const notes: string[] = [];
  let count = 0;
  for (const folder of folders) {
    const walk = new FolderWalk(workspace, folder, new TimeSlices(signal));
    const before = folders.length === 1 ? "" : folder.label;
    for await (const file of walk.files()) {
      if (files.count === maxFiles || files.isFull) {
        const more = `(files ${skip + 1} to ${count}; there are more: name a folder to see less, skip ${count} gives the next)`;
        return { text: `${files.text}\n${more}`, named };
      }
      count += 1;
      if (count <= skip) continue;
      files.add(listedName(before + file.inFolder));
      named.push(walkedFile(folder, file));
    }
    notes.push(...walk.notes);
  }
  const none = count === 0 ? "(no files)" : `(only ${count} files)`;
  return { text: [files.count === 0 ? none : files.text, ...notes].join("\n"), named };
}
