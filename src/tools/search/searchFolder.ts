/** What a search of a gated folder needs of the workspace, as data for its thread. */
import { join, relative } from "node:path";
import type { ReadableWorkspace } from "../../domain/workspace";
import type { GatedFolder } from "../gate/fileGate";
import { isInside } from "../gate/pathNames";
import type { SearchJob, TextSearch } from "./searchJob";

/** Characters of all unsaved texts together: they are copied to the thread. */
const unsavedCap = 16 * 1024 * 1024;

export async function folderJob(
  workspace: ReadableWorkspace,
  { label, real, root, cautions }: GatedFolder,
): Promise<Pick<SearchJob, "folder" | "personalIgnoreFile">> {
  return { folder: { label, real, root, cautions }, personalIgnoreFile: await workspace.personalIgnoreFile() };
}

/** Editors know a file below the path of its root, which may be a link. */
export function unsavedBelow(
  workspace: ReadableWorkspace,
  { real, root, rootPath }: GatedFolder,
): TextSearch["unsaved"] {
  const unsaved = new Map<string, string>();
  let length = 0;
  for (const [path, text] of workspace.unsavedTexts()) {
    if (!isInside(rootPath, path)) continue;
    const realFile = join(root, relative(rootPath, path));
    length += text.length;
    if (isInside(real, realFile) && length <= unsavedCap) unsaved.set(realFile, text);
  }
  return unsaved;
}
