/** The program of a search thread: does its share of one search after the other. */
import { parentPort } from "node:worker_threads";
import { TimeSlices } from "../../base/async/timeSlices";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import { ToolRefusal } from "../../domain/tools/tool";
import { toRefusal } from "../gate/fileAccess";
import { IgnoreTree } from "../gate/ignoreTree";
import { FolderWalk } from "../base/walk";
import { findLines } from "./findLines";
import { findNames } from "./findNames";
import type { FoundFile, FoundShare, SearchedFiles, SearchJob, SearchProgress, SearchShare } from "./searchJob";

export interface SearchRequest {
  readonly job: SearchJob;
  readonly share: SearchShare;
  /** Milliseconds after which the search ends with what it has. */
  readonly time: number;
}

export type ShareMessage = { readonly visited: number } | { readonly found: FoundShare } | { readonly refusal: string };

/** Files between two reports: some ten a second. */
const reportInterval = 500;

export function serveSearch(files: SearchedFiles): void {
  // Most folders have no rules of their own: an error a folder says so, and its stack takes longer than the call.
  Error.stackTraceLimit = 0;
  const send = (message: ShareMessage): void => parentPort?.postMessage(message);
  parentPort?.on("message", (request: SearchRequest) => {
    void search(request, files, send).then(send);
  });
}

async function search(
  { job, share, time }: SearchRequest,
  files: SearchedFiles,
  send: (message: ShareMessage) => void,
): Promise<ShareMessage> {
  const end = performance.now() + time;
  // Nothing else runs on this thread, and it is ended from outside.
  const slices = new TimeSlices(new AbortController().signal, Infinity);
  try {
    const found = await runSearch(job, share, files, slices, {
      onVisited(visited) {
        if (visited % reportInterval === 0) send({ visited });
      },
      isOver: () => performance.now() > end,
    });
    return { found };
  } catch (error) {
    const refusal = toRefusal(error, "The folder");
    return { refusal: refusal instanceof ToolRefusal ? refusal.message : "The search failed." };
  }
}

/** Searches the folders of a workspace. What this share of the files holds. */
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
