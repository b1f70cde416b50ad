/** Whether the workspace has an untrusted file that git does not ignore: a command that runs there may print it (A4). */
import { definedFields } from "../../base/definedFields";
import { TimeSlices } from "../../base/async/timeSlices";
import type { CallEffects } from "../../domain/tools/tool";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import { FolderWalk, walkedFile } from "../base/walk";
import { findUntrusted, type QuotedFile, untrustedAmong } from "../gate/quotedFiles";
import type { GatedFolder } from "../gate/fileGate";
import { gateSearched } from "./prepareSearch";

/** The label of the first one; that of a folder where the walk has left out something. */
export async function findUntrustedBelow(
  workspace: ReadableWorkspace,
  signal: AbortSignal,
  wrote: CallEffects["wrote"],
): Promise<string | undefined> {
  return firstIn(
    workspace,
    await walkAll(workspace, await gateSearched(workspace, undefined, signal), signal),
    signal,
    wrote,
  );
}

/** The same of one folder, without what git keeps for itself. Files with the cautions that it is given are looked at, too. */
export async function findUntrustedIn(
  workspace: ReadableWorkspace,
  folder: GatedFolder,
  signal: AbortSignal,
  wrote: CallEffects["wrote"],
): Promise<string | undefined> {
  const { files, unread } = await walkAll(workspace, [folder], signal, (inFolder) => !isGits(inFolder));
  // What the walk has started with is no property of the files.
  return firstIn(workspace, { files: files.map(withoutCautions), ...definedFields({ unread }) }, signal, wrote);
}

/** The paths of all, as the editor names them. */
export async function listUntrustedBelow(
  workspace: ReadableWorkspace,
  signal: AbortSignal,
  wrote: CallEffects["wrote"],
): Promise<readonly string[]> {
  const { files } = await walkAll(workspace, await gateSearched(workspace, undefined, signal), signal);
  const paths: string[] = [];
  for await (const { path } of untrustedAmong(workspace, files, signal, wrote)) paths.push(path);
  return paths;
}

interface Walked {
  readonly files: readonly QuotedFile[];
  /** The label of a folder where the walk has left out something. */
  readonly unread?: string;
}

async function firstIn(
  workspace: ReadableWorkspace,
  { files, unread }: Walked,
  signal: AbortSignal,
  wrote: CallEffects["wrote"],
): Promise<string | undefined> {
  return unread ?? findUntrusted(workspace, files, signal, wrote);
}

function withoutCautions({ path, real, label }: QuotedFile): QuotedFile {
  return { path, real, label };
}

function isGits(inFolder: string): boolean {
  return /(?:^|\/)\.git\//u.test(inFolder);
}

async function walkAll(
  workspace: ReadableWorkspace,
  folders: readonly GatedFolder[],
  signal: AbortSignal,
  isWanted?: (inFolder: string) => boolean,
): Promise<Walked> {
  const files: QuotedFile[] = [];
  for (const folder of folders) {
    const walk = new FolderWalk(workspace, folder, new TimeSlices(signal));
    for await (const file of walk.files(isWanted)) files.push(walkedFile(folder, file));
    if (walk.notes.length > 0) return { files, unread: folder.label };
  }
  return { files };
}
