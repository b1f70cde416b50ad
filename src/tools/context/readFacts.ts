/** Reads what a model is given of each root before its first tool call: its path, its git branch, and the names at its top. */
import { join } from "node:path";
import { TimeSlices } from "../../base/async/timeSlices";
import { cutText } from "../../base/text/cutText";
import { definedFields } from "../../base/definedFields";
import type { ChatEnvironment } from "../../domain/chat/environmentSchema";
import type { FolderEntry, ReadableWorkspace, WorkspaceRoot } from "../../domain/tools/workspace";
import { gateFolder } from "../gate/fileGate";
import { findBranch } from "../gate/gitRepository";
import { verdictIn } from "../gate/ignoreTree";
import { pathForModel, toSlashes, listedName, rootNames } from "../gate/pathNames";
import { secretNamesIn, unlistedNamesIn } from "../gate/sensitiveNames";
import { findUntracked } from "../gate/trackedFiles";

/** Names of one root, and entries that are looked at. */
const factBounds = { names: 60, entries: 2000, branch: 60 };

type RootFacts = ChatEnvironment["roots"][number];

/** Rejects with the error of the file system, a `ToolRefusal` or an `AbortError`. */
export async function readFacts(workspace: ReadableWorkspace, signal: AbortSignal): Promise<readonly RootFacts[]> {
  const roots = workspace.roots();
  const names = rootNames(roots);
  const facts: RootFacts[] = [];
  for (const [index, root] of roots.entries())
    facts.push(
      await readRoot(workspace, root, { name: names[index] ?? root.name, path: pathForModel(roots, root, "") }, signal),
    );
  return facts;
}

async function readRoot(
  workspace: ReadableWorkspace,
  root: WorkspaceRoot,
  { name, path }: { readonly name: string; readonly path: string },
  signal: AbortSignal,
): Promise<RootFacts> {
  const slices = new TimeSlices(signal);
  const { rules, real } = await gateFolder(workspace, path, signal);
  const [isSecret, isUnlisted] = [secretNamesIn(`${toSlashes(rules.folder)}/`), unlistedNamesIn("")];
  const { entries: all } = await workspace.list(real, factBounds.entries);
  const listed = all.filter(({ name: entry, kind }) => {
    const isFolder = kind === "folder";
    if (!isFolder && kind !== "file") return false;
    return !isSecret(entry, isFolder) && !isUnlisted(entry, isFolder) && !verdictIn(rules, entry, isFolder);
  });
  // The names are sent in every request: those that others may have put there would end the person's rules for the whole chat.
  const pathOf = ({ name: entry, kind }: FolderEntry): string => join(real, entry) + (kind === "folder" ? "/" : "");
  const untracked = new Set(await findUntracked(workspace, listed.map(pathOf), slices));
  const own = listed
    .filter((entry) => !untracked.has(pathOf(entry)))
    .map(({ name: entry, kind }) => listedName(entry) + (kind === "folder" ? "/" : ""))
    .sort();
  const entries = own.slice(0, factBounds.names);
  const more = listed.length - entries.length;
  const branch = await findBranch(workspace, real);
  return {
    name,
    path: root.path,
    entries,
    ...definedFields({ branch: branch && shortBranch(branch), more: more === 0 ? undefined : more }),
  };
}

/** Cuts the name of a branch: it is in every request, and the author of a pull request may have chosen it. */
function shortBranch(branch: string): string {
  return listedName(
    branch.length > factBounds.branch ? `${cutText(branch, factBounds.branch).toWellFormed()}…` : branch,
  );
}
