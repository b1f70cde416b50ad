/** Reads the files, folders and problems that a person attached to a prompt, through the gate that the tools use: within the workspace, and with a question for secrets. */
import { createHash } from "node:crypto";
import { isAbort } from "../base/async/abort";
import { definedFields } from "../base/definedFields";
import { imageSizeCap } from "../domain/chat/imageTypes";
import { type Attachment, type FileReference, labelForModel } from "../domain/chat/attachmentSchema";
import { type CallEffects, ToolRefusal } from "../domain/tools/tool";
import type { AskReason } from "../domain/chat/chat";
import type { Workspace } from "../domain/tools/workspace";
import { type FileCaution, reasonsToAskForRead } from "./gate/cautions";
import { readText, gateAgain, gateFile, gateFolder } from "./gate/fileGate";
import { openRegularFile } from "./gate/fileAccess";
import { fileOfPath, filesInWorkspace, findUntrusted, type QuotedFile } from "./gate/quotedFiles";
import { listBelow } from "./files/listFiles";

/** Characters of one attachment, and of all attachments of a prompt. */
const lengthCap = 100_000;
const totalCap = 300_000;
/** Bytes. */
const sizeCap = 10 * 1024 * 1024;

/** Whether the person lets the model have a file that asks. */
export type ConfirmAttachment = (path: string, reasons: readonly AskReason[]) => Promise<boolean>;

export interface ListedProblems {
  /** Lines of `path:12:3 error: text`. */
  readonly text: string;
  /** Absolute paths of other files that they may quote. */
  readonly related: readonly string[];
}

/** The problems of a file or of some of its lines, or of the workspace for an empty path. */
export type ListProblems = (path: string, lines?: FileReference["lines"]) => ListedProblems | Promise<ListedProblems>;

/** The text of an attachment, and the files that it quotes or names. */
interface AttachedText {
  readonly text: string;
  readonly quoted: readonly QuotedFile[];
}

/** Reads the references in their order; one that can't be read gets the reason. `wrote`: as in `CallEffects`. Rejects with an `AbortError` only. */
export async function attachFiles(
  workspace: Workspace,
  references: readonly FileReference[],
  confirm: ConfirmAttachment,
  signal: AbortSignal,
  listProblems: ListProblems,
  wrote?: CallEffects["wrote"],
): Promise<readonly Attachment[]> {
  const attachments: Attachment[] = [];
  let left = totalCap;
  for (const reference of references) {
    signal.throwIfAborted();
    try {
      const { kind, path, lines } = reference;
      const { text: whole, quoted } =
        kind === "problems"
          ? await attachedProblems(workspace, await listProblems(path, lines))
          : kind === "folder"
            ? await listFolder(workspace, path, confirm, signal)
            : await readReference(workspace, reference, confirm, signal);
      const text = whole.slice(0, Math.min(lengthCap, left)).toWellFormed();
      left -= text.length;
      const cutFrom = text.length < whole.length ? whole.length : undefined;
      const untrusted = await findUntrusted(workspace, quoted, signal, wrote);
      attachments.push({ ...reference, type: "text", text, ...definedFields({ cutFrom, untrusted }) });
    } catch (error) {
      if (signal.aborted || isAbort(error)) throw error;
      const reason = error instanceof ToolRefusal ? error.message : `${labelForModel(reference)} can't be read.`;
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
): Promise<AttachedText> {
  const gated = await gateFile(workspace, path, signal);
  await askFor(gated, confirm);
  const now = await gateAgain(gateFile, workspace, gated, signal);
  const { text } = await readText(workspace, now, sizeCap);
  if (lines === undefined) return { text, quoted: [now] };
  const picked = text.split(/\r\n|\r|\n/).slice(lines.first - 1, lines.last);
  return { text: picked.join("\n"), quoted: [now] };
}

async function attachedProblems(workspace: Workspace, { text, related }: ListedProblems): Promise<AttachedText> {
  const paths = new Set([...text.matchAll(/^(.+?):\d+:\d+ /gm)].map(([, path = ""]) => path));
  const quoted = await Promise.all([...paths].map((path) => fileOfPath(workspace, path)));
  return { text: text || "(no problems)", quoted: [...quoted, ...(await filesInWorkspace(workspace, related))] };
}

/** The bytes of a file that is to be attached as an image; one byte more than `limit` for a larger one. Rejects with a `ToolRefusal` or an `AbortError`. */
export async function readImageFile(
  workspace: Workspace,
  path: string,
  limit: number,
  confirm: ConfirmAttachment,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const gated = await gateFile(workspace, path, signal);
  await askFor(gated, confirm);
  const { real, label } = await gateAgain(gateFile, workspace, gated, signal);
  const file = await openRegularFile(workspace, real, label);
  try {
    return await file.read(limit + 1);
  } finally {
    await file.close();
  }
}

/**
 * Returns the name of an attached image that others may have made, because a model also reads text in a picture. The image is trusted where the file
 * at that path has the same bytes and `findUntrusted` trusts the file; a pasted one is not. `id`: its SHA-256. Rejects with an `AbortError` only.
 */
export async function untrustedImage(
  workspace: Workspace,
  path: string,
  id: string,
  signal: AbortSignal,
  wrote?: CallEffects["wrote"],
): Promise<string | undefined> {
  try {
    // There is no question, because the person allowed the file when it was attached.
    const bytes = await readImageFile(workspace, path, imageSizeCap, () => Promise.resolve(true), signal);
    if (createHash("sha256").update(bytes).digest("hex") !== id) return path;
    return await findUntrusted(workspace, [await gateFile(workspace, path, signal)], signal, wrote);
  } catch (error) {
    if (signal.aborted || isAbort(error)) throw error;
    return path;
  }
}

/** Attaches the names of the files below a folder, as `list_files` gives them. */
async function listFolder(
  workspace: Workspace,
  path: string,
  confirm: ConfirmAttachment,
  signal: AbortSignal,
): Promise<AttachedText> {
  const gated = await gateFolder(workspace, path, signal);
  await askFor(gated, confirm);
  const { text, named } = await listBelow(workspace, [await gateAgain(gateFolder, workspace, gated, signal)], signal);
  return { text, quoted: named };
}

async function askFor(
  { label, cautions }: { readonly label: string; readonly cautions: readonly FileCaution[] },
  confirm: ConfirmAttachment,
): Promise<void> {
  const reasons = reasonsToAskForRead(cautions);
  if (reasons !== undefined && !(await confirm(label, reasons)))
    throw new ToolRefusal(`The person did not send ${label}.`);
}
