/** Runs a search over a workspace, where it may take its time: on a thread of its own. */
import type { TimeSlices } from "../../base/async/timeSlices";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import { IgnoreTree } from "../gate/ignoreTree";
import { FolderWalk } from "../base/walk";
import { findLines } from "./findLines";
import { findNames } from "./findNames";
import type { FoundFile, FoundShare, SearchedFiles, SearchJob, SearchProgress, SearchShare } from "./searchJob";

/** What this share of the files holds. */
export async function runSearch(
  job: SearchJob,
  share: SearchShare,
  disk: SearchedFiles,
  slices: TimeSlices,
  progress: SearchProgress,
): Promise<FoundShare> {
  const workspace: ReadableWorkspace = {
    ...disk,
    roots: () => [],
    unsavedTexts: () => [],
    shownText: (path) => (job.type === "text" ? job.unsaved.get(path) : undefined),
    personalIgnoreFile: () => Promise.resolve(job.personalIgnoreFile),
  };
  const files: FoundFile[] = [];
  const notes: string[] = [];
  for (const { prefix, real, root, label, cautions } of job.folders) {
    const tree = new IgnoreTree(workspace, slices);
    const rules = await tree.descend(await tree.rulesOf(root), real);
    const walk = new FolderWalk(workspace, { label, cautions, rules, root }, slices);
    const found =
      job.type === "text"
        ? await findLines(job, share, prefix, walk, workspace, slices, progress)
        : await findNames(job, prefix, walk, progress);
    files.push(...found);
    notes.push(...walk.notes);
  }
  return { files, notes };
}
