/** Tool: an exact replacement in a file, shown as a diff and made only after a yes. */
import { t } from "@vscode/l10n";
import * as z from "zod/mini";
import { TimeSlices } from "../base/timeSlices";
import { type AskingCall, type Tool, ToolRefusal } from "../domain/tool";
import type { Workspace } from "../domain/workspace";
import { defineTool, pathArgument } from "./defineTool";
import { countChangedLines, createPreview } from "./edit/changePreview";
import { replaceOnce } from "./edit/replaceOnce";
import { reasonToAskForChange, reasonToAskForRead } from "./gate/cautions";
import { gateAgain, gateFile, type GatedFile } from "./gate/fileGate";
import { readText } from "./gate/fileText";

const sizeCap = 2 * 1024 * 1024;
const textCap = 100_000;
/** Of the changed lines in the result; the model wrote them itself. */
const resultCap = 16 * 1024;

interface Edit {
  readonly oldText: string;
  readonly newText: string;
}

export function editFile(workspace: Workspace): Tool {
  return defineTool({
    name: "edit_file",
    description:
      "Replaces a text in a file of the workspace by another. The old text must stand in the file exactly once: give enough lines around it. The person is asked first.",
    parameters: z.strictObject({
      path: pathArgument("File, relative to the workspace."),
      old_text: z
        .string()
        .check(z.minLength(1), z.maxLength(textCap), z.describe("The text as it stands in the file.")),
      new_text: z.string().check(z.maxLength(textCap), z.describe("What stands there instead.")),
    }),
    async prepare({ path, old_text: oldText, new_text: newText }, signal) {
      const file = await gateFile(workspace, path, signal);
      const edit = { oldText, newText };
      const reason = reasonToAskForRead(file.cautions);
      if (reason === undefined) return prepareChange(workspace, file, edit, signal);
      // Whether the text is found, and what stands there instead, is told only after a yes to reading.
      return {
        title: t("Read {0} to prepare an edit", file.label),
        ask: { reason },
        run: async (running) =>
          prepareChange(workspace, await gateAgain(gateFile, workspace, file, running), edit, running),
      };
    },
  });
}

async function prepareChange(
  workspace: Workspace,
  file: GatedFile,
  { oldText, newText }: Edit,
  signal: AbortSignal,
): Promise<AskingCall> {
  const before = await readWritableText(workspace, file);
  const after = await replaceOnce(before, oldText, newText, new TimeSlices(signal));
  const preview = createPreview(file.label, before, after);
  const changed = countChangedLines(preview);
  return {
    title:
      changed === 1 ? t("Edit {0}: 1 line changed", file.label) : t("Edit {0}: {1} lines changed", file.label, changed),
    ask: {
      reason: reasonToAskForChange(file.cautions),
      preview,
      change: { path: file.label, file: file.path, before, after },
    },
    async run(running) {
      const now = await gateAgain(gateFile, workspace, file, running);
      // What was approved is a change of this very text; anything else since then is not overwritten.
      if ((await readWritableText(workspace, now)) !== before) {
        throw new ToolRefusal(`${file.label} was changed after the edit was shown. Read it again.`);
      }
      running.throwIfAborted();
      await workspace.write(now.path, before, after);
      const lines = preview.hunks.map((hunk) => hunk.lines.join("\n")).join("\n…\n");
      return `Edited ${file.label}:\n${lines.length > resultCap ? `(${changed} lines changed)` : lines}`;
    },
  };
}

async function readWritableText(workspace: Workspace, file: GatedFile): Promise<string> {
  const { text, isDamaged } = await readText(workspace, file, sizeCap);
  if (isDamaged) throw new ToolRefusal(`${file.label} is not UTF-8: an edit would damage it.`);
  return text;
}
