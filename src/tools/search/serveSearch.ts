/** The program of a search thread: walks for one search after the other, or reads the files that another thread walks over. */
import { parentPort } from "node:worker_threads";
import { TimeSlices } from "../../base/async/timeSlices";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import { ToolRefusal } from "../../domain/tools/tool";
import { toRefusal } from "../gate/fileAccess";
import { IgnoreTree } from "../gate/ignoreTree";
import { FolderWalk } from "../base/walk";
import { DealtBatches, type DealingEnd, searchBatches, type ReadingEnd } from "./dealtBatches";
import { type BatchReaders, findLines, LineSearch } from "./findLines";
import type {
  FoundFile,
  FoundShare,
  SearchedFiles,
  SearchJob,
  SearchProgress,
  TextSearch,
  NameSearch,
} from "./searchJob";
import { compileGlobs, isGlob } from "./globs";

/** `time`: milliseconds after which the search ends with what it has. */
export type SearchRequest = { readonly time: number } & (
  | { readonly type: "walk"; readonly job: SearchJob; readonly dealing: DealingEnd }
  | { readonly type: "read"; readonly job: TextSearch; readonly reading: ReadingEnd }
);

export type ShareMessage = { readonly visited: number } | { readonly found: FoundShare } | { readonly refusal: string };

/** Files between two reports: some ten a second. */
const reportInterval = 500;

export function serveSearch(files: SearchedFiles): void {
  // Most folders have no rule files: an error for each folder reports that, and its stack would take longer than the call.
  Error.stackTraceLimit = 0;
  const send = (message: ShareMessage): void => parentPort?.postMessage(message);
  parentPort?.on("message", (request: SearchRequest) => {
    void search(request, files, send).then(send);
  });
}

async function search(
  request: SearchRequest,
  files: SearchedFiles,
  send: (message: ShareMessage) => void,
): Promise<ShareMessage> {
  const end = performance.now() + request.time;
  // Nothing else runs on this thread, and it is ended from outside.
  const slices = new TimeSlices(new AbortController().signal, Infinity);
  const progress: SearchProgress = {
    onVisited(visited) {
      if (visited % reportInterval === 0) send({ visited });
    },
    isOver: () => performance.now() > end,
  };
  try {
    if (request.type === "walk") {
      const readers = new DealtBatches(request.dealing);
      const found = await runSearch(request.job, files, slices, progress, readers);
      // After a refusal the caller ends all threads.
      readers.end();
      return { found };
    }
    const lines = new LineSearch(request.job, workspaceOf(request.job, files), slices, progress);
    await searchBatches(request.reading, lines);
    return { found: { files: lines.files, notes: lines.notes } };
  } catch (error) {
    const refusal = toRefusal(error, "The folder");
    return { refusal: refusal instanceof ToolRefusal ? refusal.message : "The search failed." };
  }
}

const noReaders: BatchReaders = { take: () => false, isFull: false };

/** Searches the folders of a workspace. Returns what this thread has found, without what `readers` find. */
export async function runSearch(
  job: SearchJob,
  disk: SearchedFiles,
  slices: TimeSlices,
  progress: SearchProgress,
  readers = noReaders,
): Promise<FoundShare> {
  const workspace = workspaceOf(job, disk);
  const lines = job.type === "text" ? new LineSearch(job, workspace, slices, progress) : undefined;
  const files: FoundFile[] = [];
  const notes: string[] = [];
  for (const folder of job.folders) {
    const { prefix, real, root, label, cautions } = folder;
    if (lines?.isFull === true || readers.isFull) break;
    const tree = new IgnoreTree(workspace, slices);
    const rules = await tree.descend(await tree.rulesOf(root), real);
    const walk = new FolderWalk(workspace, { label, cautions, rules, root }, slices);
    if (job.type === "names") files.push(...(await findNames(job, prefix, walk, progress)));
    else if (lines) await findLines(job, folder, walk, lines, readers, progress.isOver);
    notes.push(...walk.notes);
  }
  return lines ? { files: lines.files, notes: [...notes, ...lines.notes] } : { files, notes };
}

function workspaceOf(job: SearchJob, disk: SearchedFiles): ReadableWorkspace {
  return {
    ...disk,
    roots: () => [],
    unsavedTexts: () => [],
    shownText: (path) => (job.type === "text" ? job.unsaved.get(path) : undefined),
    personalIgnoreFile: () => Promise.resolve(job.personalIgnoreFile),
  };
}

/** The search for files by name: a glob gives them in order, a part of the path gives the best first. */
async function findNames(
  { name }: NameSearch,
  prefix: string,
  walk: FolderWalk,
  { onVisited, isOver }: SearchProgress,
): Promise<readonly FoundFile[]> {
  const rankOf = isGlob(name) ? byGlob(name) : byPart(name);
  const files: FoundFile[] = [];
  let visited = 0;
  for await (const run of walk.runs(undefined, isOver)) {
    for (const { inFolder } of run) {
      visited += 1;
      onVisited(visited);
      const rank = rankOf(inFolder);
      if (rank !== undefined) files.push({ path: prefix + inFolder, rank, hits: [] });
    }
  }
  return files;
}

/** `undefined` for a path that is not meant. */
type RankOf = (path: string) => number | undefined;

function byGlob(glob: string): RankOf {
  const matches = compileGlobs([glob]);
  return (path) => (matches(path) ? 0 : undefined);
}

/** Ranks the name itself first, then its beginning, a part of it, a part of the path, and the words anywhere; of equals the shorter path. */
function byPart(part: string): RankOf {
  const wanted = part.replaceAll("\\", "/").toLowerCase();
  const words = wanted.split(/\s+/).filter((word) => word !== "");
  return (path) => {
    const whole = path.toLowerCase();
    // The other matches contain the words too.
    if (!words.every((word) => whole.includes(word))) return undefined;
    const name = whole.slice(whole.lastIndexOf("/") + 1);
    const order = [
      name === wanted || whole === wanted,
      name.startsWith(wanted),
      name.includes(wanted),
      whole.includes(wanted),
      true,
    ].indexOf(true);
    // No system accepts a path of this length.
    return order * 100_000 + path.length;
  };
}
