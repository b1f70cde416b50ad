/** Reads the files that a person attached to a prompt, through the gate that the tools use: within the workspace, and with a question for secrets. */
import { isAbort } from "../base/abort";
import { definedFields } from "../base/definedFields";
import type { Attachment, FileReference } from "../domain/attachmentSchema";
import { labelOf } from "../domain/attachmentSchema";
import { ToolRefusal } from "../domain/tool";
import type { AskReason } from "../domain/transcript";
import type { Workspace } from "../domain/workspace";
import { reasonsToAskForRead } from "./gate/cautions";
import { gateAgain, gateFile } from "./gate/fileGate";
import { readText } from "./gate/fileText";

/** Characters of one attachment, and of all attachments of a prompt. */
const lengthCap = 100_000;
const totalCap = 300_000;
/** Bytes. */
const sizeCap = 10 * 1024 * 1024;

/** Whether the person lets the model have a file that asks. */
export type ConfirmAttachment = (path: string, reasons: readonly AskReason[]) => Promise<boolean>;

/** In the order of the references; what can't be read says why. Rejects with an `AbortError` only. */
export async function attachFiles(
  workspace: Workspace,
  references: readonly FileReference[],
  confirm: ConfirmAttachment,
  signal: AbortSignal,
): Promise<readonly Attachment[]> {
  const attachments: Attachment[] = [];
  let left = totalCap;
  for (const reference of references) {
    signal.throwIfAborted();
    try {
      const whole = await readReference(workspace, reference, confirm, signal);
      const text = whole.slice(0, Math.min(lengthCap, left)).toWellFormed();
      left -= text.length;
      const cutFrom = text.length < whole.length ? whole.length : undefined;
      attachments.push({ ...reference, type: "text", text, ...definedFields({ cutFrom }) });
    } catch (error) {
      if (signal.aborted || isAbort(error)) throw error;
      const reason = error instanceof ToolRefusal ? error.message : `${labelOf(reference)} can't be read.`;
      attachments.push({ ...reference, type: "unread", reason });
    }
  }
  return attachments;
}

async function readReference(
  workspace: Workspace,
  { path, lines }: FileReference,
  confirm: ConfirmAttachment,
  signal: AbortSignal,
): Promise<string> {
  const gated = await gateFile(workspace, path, signal);
  const reasons = reasonsToAskForRead(gated.cautions);
  if (reasons !== undefined && !(await confirm(gated.label, reasons)))
    throw new ToolRefusal(`The person did not send ${gated.label}.`);
  const { text } = await readText(workspace, await gateAgain(gateFile, workspace, gated, signal), sizeCap);
  if (lines === undefined) return text;
  return text
    .split(/\r\n|\r|\n/)
    .slice(lines.first - 1, lines.last)
    .join("\n");
}
