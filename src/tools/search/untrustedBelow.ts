/** Whether the workspace has an untrusted file that git does not ignore: a command that runs there may print it (A4). */
import { TimeSlices } from "../../base/async/timeSlices";
import type { CallEffects } from "../../domain/tools/tool";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import { FolderWalk, walkedFile } from "../base/walk";
import { findUntrusted, type QuotedFile, untrustedAmong } from "../gate/quotedFiles";
import { gateSearched } from "./prepareSearch";

/** The label of the first one; that of a folder where the walk has left out something. */
export async function findUntrustedBelow(
  workspace: ReadableWorkspace,
  signal: AbortSignal,
  wrote: CallEffects["wrote"],
): Promise<string | undefined> {
  const { files, unread } = await walkAll(workspace, signal);
  return unread ?? findUntrusted(workspace, files, signal, wrote);
}

/** The paths of all, as the editor names them. */
export async function listUntrustedBelow(
  workspace: ReadableWorkspace,
  signal: AbortSignal,
  wrote: CallEffects["wrote"],
): Promise<readonly string[]> {
  const { files } = await walkAll(workspace, signal);
  const paths: string[] = [];
  for await (const { path } of untrustedAmong(workspace, files, signal, wrote)) paths.push(path);
  return paths;
}

/** `unread`: the label of a folder where the walk has left out something. */
async function walkAll(
  workspace: ReadableWorkspace,
  signal: AbortSignal,
): Promise<{ readonly files: readonly QuotedFile[]; readonly unread?: string }> {
  const files: QuotedFile[] = [];
  for (const folder of await gateSearched(workspace, undefined, signal)) {
    const walk = new FolderWalk(workspace, folder, new TimeSlices(signal));
    for await (const file of walk.files()) files.push(walkedFile(folder, file));
    if (walk.notes.length > 0) return { files, unread: folder.label };
  }
  return { files };
}
