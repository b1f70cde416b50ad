/** Runs a search over a workspace, where it may take its time: on a thread of its own. */
import type { TimeSlices } from "../../base/timeSlices";
import type { Workspace } from "../../domain/workspace";
import { IgnoreTree } from "../gate/ignoreTree";
import { FolderWalk } from "../walk";
import { findLines } from "./findLines";
import { findNames } from "./findNames";
import type { FoundShare, SearchedFiles, SearchJob, SearchProgress, SearchShare } from "./searchJob";

/** What this share of the files holds. */
export async function runSearch(
  job: SearchJob,
  share: SearchShare,
  files: SearchedFiles,
  slices: TimeSlices,
  progress: SearchProgress,
): Promise<FoundShare> {
  const workspace: Workspace = {
    ...files,
    roots: () => [],
    unsavedTexts: () => [],
    shownText: (path) => (job.type === "text" ? job.unsaved.get(path) : undefined),
    write: () => Promise.reject(new Error("A search writes nothing.")),
    personalIgnoreFile: () => Promise.resolve(job.personalIgnoreFile),
  };
  const { real, root, label, cautions } = job.folder;
  const tree = new IgnoreTree(workspace, slices);
  const rules = await tree.descend(await tree.rulesOf(root), real);
  const walk = new FolderWalk(workspace, { label, cautions, rules }, slices);
  return job.type === "text"
    ? findLines(job, share, walk, workspace, slices, progress)
    : findNames(job, walk, progress);
}
