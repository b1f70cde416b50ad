/** Tool: an exact replacement in a file, shown as a diff and made only after a yes. */
import * as z from "zod/mini";
import { TimeSlices } from "../base/timeSlices";
import { type AskingCall, type PendingTexts, type ProposedChange, type Tool, ToolRefusal } from "../domain/tool";
import type { Workspace } from "../domain/workspace";
import { defineTool, pathArgument } from "./defineTool";
import { countChangedLines, createPreview } from "./edit/changePreview";
import { replaceOnce } from "./edit/replaceOnce";
import { reasonsToAskForChange, reasonsToAskForRead } from "./gate/cautions";
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
    async prepare({ path, old_text: oldText, new_text: newText }, signal, pending) {
      const file = await gateFile(workspace, path, signal);
      const edit = { oldText, newText };
      const reasons = reasonsToAskForRead(file.cautions);
      if (reasons === undefined) return prepareChange(workspace, file, edit, signal, pending);
      // Whether the text is found, and what the file holds instead, is answered only after a yes to reading.
      return {
        action: { type: "read-for-edit", path: file.label },
        reasons,
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
  pending?: PendingTexts,
): Promise<AskingCall> {
  const before = pending?.get(file.path) ?? (await readWritableText(workspace, file));
  const after = await replaceOnce(before, oldText, newText, new TimeSlices(signal));
  const preview = createPreview(file.label, before, after);
  const change: ProposedChange = { file: file.path, before, after, preview };
  const changedLines = countChangedLines(preview);
  return {
    action: { type: "edit-file", path: file.label, changedLines },
    reasons: reasonsToAskForChange(file.cautions),
    grant: { type: "file", change: "edit", path: file.label },
    change,
    async run(running) {
      await writeChange(workspace, file, change, running);
      const lines = preview.hunks.map((hunk) => hunk.lines.join("\n")).join("\n…\n");
      return `Edited ${file.label}:\n${lines.length > resultCap ? `(${changedLines} lines changed)` : lines}`;
    },
  };
}

/** The approval is for a change of exactly this text: a file that differs by now is not overwritten. */
async function writeChange(
  workspace: Workspace,
  file: GatedFile,
  { before, after }: ProposedChange,
  signal: AbortSignal,
): Promise<void> {
  const now = await gateAgain(gateFile, workspace, file, signal);
  if ((await readWritableText(workspace, now)) !== before) {
    throw new ToolRefusal(`${file.label} was changed after the edit was shown. Read it again.`);
  }
  signal.throwIfAborted();
  await workspace.write(now.path, before, after);
}

async function readWritableText(workspace: Workspace, file: GatedFile): Promise<string> {
  const { text, isDamaged } = await readText(workspace, file, sizeCap);
  if (isDamaged) throw new ToolRefusal(`${file.label} is not UTF-8: an edit would damage it.`);
  return text;
}
