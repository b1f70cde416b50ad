/** Tool: an exact replacement in a file, shown as a diff and made only after a yes. */
import { t } from "@vscode/l10n";
import { structuredPatch } from "diff";
import * as z from "zod/mini";
import { type Tool, ToolRefusal } from "../domain/tool";
import type { DiffPreview } from "../domain/transcript";
import type { Workspace } from "../domain/workspace";
import { defineTool } from "./defineTool";
import { guardPath } from "./pathGuard";
import { replaceOnce } from "./replaceOnce";

export function editFile(workspace: Workspace): Tool {
  return defineTool({
    name: "edit_file",
    description:
      "Replaces a text in a file of the workspace by another. The old text must stand in the file exactly once: give enough lines around it. The person is asked first.",
    parameters: z.strictObject({
      path: z.string().check(z.describe("File, relative to the workspace.")),
      old_text: z.string().check(z.minLength(1), z.describe("The text as it stands in the file.")),
      new_text: z.string().check(z.describe("What stands there instead.")),
    }),
    async prepare({ path, old_text: oldText, new_text: newText }) {
      const file = await guardPath(workspace, path);
      const before = await workspace.read(file.path);
      const after = replaceOnce(before, oldText, newText);
      const preview = diffOf(file.label, before, after);
      const changed = countChanged(preview);
      return {
        title:
          changed === 1
            ? t("Edit {0}: 1 line changed", file.label)
            : t("Edit {0}: {1} lines changed", file.label, changed),
        ask: {
          reason: file.runs ?? file.secret ?? t("writes a file"),
          preview,
          change: { path: file.label, file: file.path, before, after },
        },
        async run() {
          // What was approved is a change of this very text; anything else since then is not overwritten.
          if ((await workspace.read(file.path)) !== before) {
            throw new ToolRefusal(`${file.label} was changed after the edit was shown. Read it again.`);
          }
          // Between the question and the yes, the path may have become a link to elsewhere.
          await guardPath(workspace, path);
          await workspace.write(file.path, after);
          return `Edited ${file.label}:\n${preview.hunks.map(({ lines }) => lines.join("\n")).join("\n…\n")}`;
        },
      };
    },
  });
}

function diffOf(path: string, before: string, after: string): DiffPreview {
  const { hunks } = structuredPatch(path, path, before, after, undefined, undefined, { context: 3 });
  return {
    path,
    hunks: hunks.map(({ oldStart, newStart, lines }) => ({ oldStart, newStart, lines: lines.map(trimCarriageReturn) })),
  };
}

function trimCarriageReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

/** Lines that are there after the change and were not before; for a pure deletion, those that went. */
function countChanged({ hunks }: DiffPreview): number {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const count = (mark: string): number => lines.filter((line) => line.startsWith(mark)).length;
  return Math.max(count("+"), count("-"));
}
