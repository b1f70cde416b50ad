/**
 * The one gate for text of files on its way to the model (A4): the tracked files of the workspace and those that the tools of
 * the chat made are the project's own; what quotes or names any other file is untrusted.
 */
import { join, relative } from "node:path";
import { TimeSlices } from "../../base/async/timeSlices";
import type { CallEffects } from "../../domain/tools/tool";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import type { FileCaution } from "./cautions";
import type { GatedFile } from "./fileGate";
import { labelInWorkspace, locate } from "./pathNames";
import { findUntracked } from "./trackedFiles";

/** A file that a text quotes or names. */
export interface QuotedFile extends Pick<GatedFile, "path" | "real" | "label"> {
  /** The cautions of the file, or of the folder that it was found in. */
  readonly cautions?: readonly FileCaution[];
}

/** Most files with one of these cautions were downloaded, built or installed, so none of them counts as the project's own. */
const foreignFiles: ReadonlySet<FileCaution> = new Set(["ignored", "ignore-rules-unreadable", "unlisted"]);

/** Returns the label of the first file that is not the project's own. `wrote`: as in `CallEffects`. */
export async function findUntrusted(
  workspace: ReadableWorkspace,
  files: Iterable<QuotedFile>,
  signal: AbortSignal,
  wrote: CallEffects["wrote"],
): Promise<string | undefined> {
  for await (const { label } of untrustedAmong(workspace, files, signal, wrote)) return label;
  return undefined;
}

/** Yields the files that are not the project's own, in order. */
export async function* untrustedAmong(
  workspace: ReadableWorkspace,
  files: Iterable<QuotedFile>,
  signal: AbortSignal,
  wrote: CallEffects["wrote"],
): AsyncGenerator<QuotedFile> {
  const quoted = new Map([...files].map((file) => [file.real, file]));
  const untracked = new Set(await findUntracked(workspace, [...quoted.keys()], new TimeSlices(signal)));
  for (const [real, file] of quoted) {
    const isForeign = untracked.has(real) || file.cautions?.some((caution) => foreignFiles.has(caution)) === true;
    if (isForeign && (await wrote?.(file.path)) !== true) yield file;
  }
}

/** Reports the first of the files that is untrusted, for a call whose result or refusal quotes or names them. */
export async function reportQuoted(
  workspace: ReadableWorkspace,
  files: Iterable<QuotedFile>,
  signal: AbortSignal,
  effects: CallEffects | undefined,
): Promise<void> {
  const untrusted = await findUntrusted(workspace, files, signal, effects?.wrote);
  if (untrusted !== undefined) effects?.untrusted?.(untrusted);
}

/** The file of a path in the workspace. Links below the root are not followed, because the walk that finds files does not follow any. */
export async function fileOfPath(
  workspace: ReadableWorkspace,
  given: string,
  cautions: readonly FileCaution[] = [],
): Promise<QuotedFile> {
  const [{ root, path }] = locate(workspace.roots(), given);
  return { path, real: join(await workspace.realPath(root.path), relative(root.path, path)), label: given, cautions };
}

/** Those of the absolute paths of a language extension that are in the workspace; files that the extension ships lie outside and are left out. */
export async function filesInWorkspace(
  workspace: ReadableWorkspace,
  paths: Iterable<string>,
): Promise<readonly QuotedFile[]> {
  const files = [...new Set(paths)].map(async (path): Promise<QuotedFile[]> => {
    const label = labelInWorkspace(workspace, path);
    if (label === undefined) return [];
    return [{ path, real: await workspace.realPath(path).catch(() => path), label }];
  });
  return (await Promise.all(files)).flat();
}
