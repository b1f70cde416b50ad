/** Which words of a command name files and folders that belong to the project: what a rule for the command may let follow. */
import { join, relative } from "node:path";
import { TimeSlices } from "../../base/async/timeSlices";
import type { NamedPaths } from "../../domain/tools/grant";
import { ToolRefusal } from "../../domain/tools/tool";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import { reasonsToAskForRead } from "./cautions";
import { type GatedFolder, gateFile, gateFolder } from "./fileGate";
import { findUntracked } from "./trackedFiles";

/** A command with more words is asked about each time. */
const maxWords = 30;

/** `folder`: where the command runs. What is refused, asks, or is not tracked by git is left out. */
export async function findNamedPaths(
  workspace: ReadableWorkspace,
  folder: GatedFolder,
  words: readonly string[],
  signal: AbortSignal,
): Promise<NamedPaths> {
  const files: string[] = [];
  const folders: string[] = [];
  if (words.length > maxWords) return { files, folders };
  const above = join(folder.rootPath, relative(folder.root, folder.real));
  for (const word of words) {
    // An option, a pattern, or a path that leaves the folder.
    if (!/^[\p{L}\p{N}_.][\p{L}\p{N}_.@/:+-]*$/u.test(word) || /(?:^|\/)\.\.(?:\/|$)/u.test(word)) continue;
    // `file::test` of pytest, and `folder/...` of go.
    const path = join(above, (word.split("::", 1)[0] ?? "").replace(/\/\.\.\.$/u, ""));
    const found =
      (await unlessRefused(gateFile(workspace, path, signal))) ??
      (await unlessRefused(gateFolder(workspace, path, signal)));
    if (found === undefined || reasonsToAskForRead(found.cautions) !== undefined) continue;
    const isFolder = "rules" in found;
    const real = isFolder ? `${found.real}/` : found.real;
    if ((await findUntracked(workspace, [real], new TimeSlices(signal))).length === 0)
      (isFolder ? folders : files).push(word);
  }
  return { files, folders };
}

function unlessRefused<T>(gated: Promise<T>): Promise<T | undefined> {
  return gated.catch((error: unknown) => {
    if (error instanceof ToolRefusal) return undefined;
    throw error;
  });
}
