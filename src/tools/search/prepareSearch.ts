/** The folders of a search, gated, and what its threads need of the workspace, as data. */
import { join, relative } from "node:path";
import type { AskReason } from "../../domain/chat/chat";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import { reasonsToAskForRead } from "../gate/cautions";
import { gateAgain, type GatedFolder, gateFolder } from "../gate/fileGate";
import { isInside, rootNames } from "../gate/pathNames";
import { comparePaths, type SearchJob, type TextSearch } from "./searchJob";

/** Characters of all unsaved texts together: they are copied to the threads. */
const unsavedCap = 16 * 1024 * 1024;

/** Gates the folder, or every root of the workspace where none or the workspace itself is named. */
export async function gateSearched(
  workspace: ReadableWorkspace,
  path: string | undefined,
  signal: AbortSignal,
): Promise<readonly GatedFolder[]> {
  const names = rootNames(workspace.roots());
  const given = (path ?? ".") === "." && names.length > 1 ? names : [path ?? "."];
  return Promise.all(given.map((one) => gateFolder(workspace, one, signal)));
}

/** The label of the one folder that is searched, if it is not the whole workspace. */
export function labelOfSearched(folders: readonly GatedFolder[]): string | undefined {
  const [first] = folders;
  return folders.length > 1 || first?.label === "." ? undefined : first?.label;
}

export function reasonsToAskForSearch(folders: readonly GatedFolder[]): readonly AskReason[] | undefined {
  return reasonsToAskForRead([...new Set(folders.flatMap(({ cautions }) => cautions))]);
}

/** Gates the folders again; rejects with a `ToolRefusal` when one is not what it was. */
export async function prepareSearch(
  workspace: ReadableWorkspace,
  approved: readonly GatedFolder[],
  signal: AbortSignal,
): Promise<Pick<SearchJob, "folders" | "personalIgnoreFile"> & Pick<TextSearch, "unsaved">> {
  const folders = await Promise.all(approved.map((one) => gateAgain(gateFolder, workspace, one, signal)));
  const searched = folders.map(({ label, real, root, cautions }) => {
    return { prefix: label === "." ? "" : label.replace(/\/?$/, "/"), label, real, root, cautions };
  });
  return {
    folders: searched.toSorted((one, other) => comparePaths(one.prefix, other.prefix)),
    personalIgnoreFile: await workspace.personalIgnoreFile(),
    unsaved: new Map(folders.flatMap((folder) => unsavedBelow(workspace, folder))),
  };
}

/** Editors name a file below the path of its root, which may be a link. */
function unsavedBelow(
  workspace: ReadableWorkspace,
  { real, root, rootPath }: GatedFolder,
): readonly (readonly [string, string])[] {
  const unsaved: (readonly [string, string])[] = [];
  let length = 0;
  for (const [path, text] of workspace.unsavedTexts()) {
    if (!isInside(rootPath, path)) continue;
    const realFile = join(root, relative(rootPath, path));
    length += text.length;
    if (isInside(real, realFile) && length <= unsavedCap) unsaved.push([realFile, text]);
  }
  return unsaved;
}
