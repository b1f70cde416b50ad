/** Tool: what was changed since the last commit, through VS Code's git extension. Nothing is changed in the repository. */
import * as z from "zod/mini";
import { definedFields } from "../../base/definedFields";
import type { WorkingChange, EditorPort } from "../../domain/tools/toolPorts";
import type { Tool } from "../../domain/tools/tool";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import { fileAlias, placeInPath } from "../base/argumentRules";
import { defineTool, pathArgument } from "../base/defineTool";
import { reasonsToAskForRead } from "../gate/cautions";
import { gateAgain, gateFile } from "../gate/fileGate";
import { reportQuoted } from "../gate/quotedFiles";
import { ResultLines } from "../base/resultLines";
import { askEditor } from "./navigation";
import { KnownFiles } from "./knownFiles";

const cap = 300;
const diffLength = 64 * 1024;
const noGit = "(VS Code's git extension is not there, or has no repository open)";

export function listChanges(workspace: ReadableWorkspace, editor: EditorPort): Tool {
  return defineTool({
    name: "list_changes",
    effect: "reads",
    description: "Shows what changed since the last git commit: the list of changed files, or the diff of one file.",
    parameters: z.strictObject({
      path: z.optional(pathArgument("File whose diff to show. Default: the list of changed files.")),
    }),
    rules: [fileAlias, placeInPath("path")],
    async prepare({ path }, signal) {
      if (path === undefined) {
        return {
          action: { type: "list-changes" },
          async run(running, effects) {
            const files = new KnownFiles(workspace, running);
            const described = await describeChanges(await askEditor(editor.changes(), running), files);
            await files.report(effects);
            return described;
          },
        };
      }
      const file = await gateFile(workspace, path, signal);
      return {
        action: { type: "list-changes", path: file.label },
        ...definedFields({ reasons: reasonsToAskForRead(file.cautions) }),
        async run(running, effects) {
          const now = await gateAgain(gateFile, workspace, file, running);
          await reportQuoted(workspace, [now], running, effects);
          return describeDiff(await askEditor(editor.diffOf(now.path), running));
        },
      };
    },
  });
}

async function describeChanges(changes: readonly WorkingChange[] | undefined, files: KnownFiles): Promise<string> {
  if (changes === undefined) return noGit;
  const lines = new ResultLines();
  for (const { file, change, isStaged } of changes) {
    if (lines.count === cap || lines.isFull) {
      lines.add(`(the first ${lines.count} of ${changes.length} changes)`);
      break;
    }
    // A repository may be larger than the workspace.
    const { label, isOutside } = await files.get(file);
    if (isOutside) continue;
    lines.add(`${label}: ${change}${isStaged ? ", staged" : ""}`);
    // A deleted file is one of the last commit, so it was tracked.
    if (change !== "deleted") await files.addQuoted(file);
  }
  return lines.count === 0 ? "(no changes)" : lines.text;
}

function describeDiff(diff: string | undefined): string {
  if (diff === undefined) return noGit;
  if (diff === "") return "(no changes since the last commit, or a new file)";
  if (diff.length <= diffLength) return diff;
  return `${diff.slice(0, diffLength).toWellFormed()}\n(cut; the diff has ${diff.length} characters)`;
}
