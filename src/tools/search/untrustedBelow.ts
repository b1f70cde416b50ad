/** Finds untrusted files of the workspace that git does not ignore: a command that runs there may print them (A4). */
import { join, relative } from "node:path";
import { definedFields } from "../../base/definedFields";
import { TimeSlices } from "../../base/async/timeSlices";
import type { CallEffects } from "../../domain/tools/tool";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import { FolderWalk, walkedFile } from "../base/walk";
import { findUntrusted, type QuotedFile, untrustedAmong } from "../gate/quotedFiles";
import { type GatedFolder, gateFolder } from "../gate/fileGate";
import type { NamedPaths } from "../../domain/tools/grant";
import { gateSearched } from "./prepareSearch";

/** The label of the first untrusted file, or of a folder where the walk has left out something. */
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

/** The same for one folder, without git's own files. Files with the folder's cautions are looked at, too. */
async function findUntrustedIn(
  workspace: ReadableWorkspace,
  folder: GatedFolder,
  signal: AbortSignal,
  wrote: CallEffects["wrote"],
): Promise<string | undefined> {
  const { files, unread } = await walkAll(workspace, [folder], signal, (inFolder) => !isGits(inFolder));
  // The cautions with which the walk has started are none of the files.
  return firstIn(workspace, { files: files.map(withoutCautions), ...definedFields({ unread }) }, signal, wrote);
}

/** The paths of all untrusted files, as the editor names them. */
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

/** These options of `git add` only take tracked files, or add nothing. */
const quietOption = /^(?:-[uvn]|--update|--verbose|--dry-run|--)$/u;
/** These options add what git ignores too. */
const forcing = /^-\w*f|^--f/u;

/** Whether a command is a `git add` that would take in foreign files. `folder`: where it runs. `paths`: what its words name. */
export async function stagesForeign(
  workspace: ReadableWorkspace,
  folder: GatedFolder,
  { argv, paths }: { readonly argv: readonly string[]; readonly paths: NamedPaths },
  signal: AbortSignal,
  wrote: CallEffects["wrote"],
): Promise<boolean> {
  const [program = "", command, ...rest] = argv;
  if (!/^git(?:\.(?:exe|cmd|bat|ps1))?$/iu.test(program) || command !== "add") return false;
  if (rest.some((word) => forcing.test(word))) return true;
  const others = rest.filter((word) => !quietOption.test(word) && !paths.files.includes(word));
  const named = others.filter((word) => paths.folders.includes(word));
  const isWhole = others.length > named.length;
  // In a repository above the root, files outside of the root would be taken in.
  if (isWhole && !(await isRepository(workspace, folder.root))) return true;
  const at = join(folder.rootPath, relative(folder.root, folder.real));
  const places = isWhole ? [folder.rootPath] : named.map((word) => join(at, word));
  for (const place of places) {
    const gated = await gateFolder(workspace, place, signal);
    const found = await findUntrustedIn(workspace, { ...gated, cautions: ["secret", "unlisted"] }, signal, wrote);
    if (found !== undefined) return true;
  }
  return false;
}

/** A `.git` that is a file is that of a worktree. */
async function isRepository(workspace: ReadableWorkspace, root: string): Promise<boolean> {
  const { kind } = await workspace.status(join(root, ".git")).catch(() => ({ kind: undefined }));
  return kind === "folder" || kind === "file";
}
