/** The search for text: the lines that match, file by file in the order of the walk. */
import type { TimeSlices } from "../../base/async/timeSlices";
import type { OpenFile, ReadableWorkspace } from "../../domain/tools/workspace";
import { toRefusal } from "../gate/fileAccess";
import { decodeText } from "../../base/text/decodeText";
import { listedName } from "../gate/pathNames";
import type { FolderWalk, WalkedFile } from "../base/walk";
import { pageLengthOf, pageSizeOf } from "./foundPage";
import { compileGlobs } from "./globs";
import { LineFinder } from "./lineFinder";
import type { FoundFile, FoundHit, SearchProgress, SearchShare, TextSearch } from "./searchJob";

const sizeCap = 1024 * 1024;

export async function findLines(
  job: TextSearch,
  share: SearchShare,
  prefix: string,
  walk: FolderWalk,
  workspace: ReadableWorkspace,
  slices: TimeSlices,
  { onVisited, isOver }: SearchProgress,
): Promise<readonly FoundFile[]> {
  const finder = new LineFinder(job);
  const isWanted = filterOf(job);
  const files: FoundFile[] = [];
  let count = 0;
  let visited = 0;
  for await (const file of walk.files((path) => isOf(share, path) && isWanted(path), isOver)) {
    visited += 1;
    onVisited(visited);
    // One more than the page has: then it is known that there are more.
    const hits = await hitsIn(
      workspace,
      file,
      () => listedName(prefix + file.inFolder),
      finder,
      pageLengthOf(job) + 1 - count,
      slices,
    );
    if (hits.length === 0) continue;
    files.push({ path: prefix + file.inFolder, rank: 0, hits });
    count += hits.length;
    if (count > pageLengthOf(job) || finder.size > pageSizeOf(job)) break;
  }
  return files;
}

function filterOf({ include, exclude }: TextSearch): (path: string) => boolean {
  const isIncluded = include.length === 0 ? () => true : compileGlobs(include);
  const isExcluded = compileGlobs(exclude);
  return (path) => isIncluded(path) && !isExcluded(path);
}

/** By the path and not by a number: the shares are walked at the same time, and files may come and go. */
function isOf({ index, count }: SearchShare, path: string): boolean {
  if (count === 1) return true;
  let hash = 0;
  for (let at = 0; at < path.length; at += 1) hash = (hash * 31 + path.charCodeAt(at)) | 0;
  return (hash >>> 4) % count === index;
}

/**
 * The hits of a file, none in one that is too large, binary, hard-linked or gone since it was listed. Whether the open file lies at
 * its path is checked where there are hits: of any other nothing is reported.
 */
async function hitsIn(
  workspace: ReadableWorkspace,
  { path }: WalkedFile,
  name: () => string,
  finder: LineFinder,
  limit: number,
  slices: TimeSlices,
): Promise<readonly FoundHit[]> {
  try {
    const file = await workspace.open(path);
    try {
      if (file.status.kind !== "file" || file.status.links > 1) return [];
      const content = workspace.shownText(path) ?? (await textOf(file));
      if (content.length > sizeCap || !finder.isIn(content) || content.includes("\0")) return [];
      return (await file.isAt(path)) ? await finder.find(name(), content, limit, slices) : [];
    } finally {
      await file.close();
    }
  } catch (error) {
    if (toRefusal(error, "") === error) throw error;
    return [];
  }
}

/** Empty for a file that is too large. */
async function textOf(file: OpenFile): Promise<string> {
  return file.status.size > sizeCap ? "" : decodeText(await file.read(sizeCap)).text;
}
