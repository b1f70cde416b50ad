/** One search over the files of a folder, as data: it crosses to the thread that runs it. */
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import type { FileCaution } from "../gate/cautions";
import { listedName } from "../gate/pathNames";
import { ResultLines } from "../base/resultLines";

/** The gated folder. Its ignore rules are read again where the search runs. */
export interface SearchedFolder {
  /** It is put before the paths of its files, so that the other tools take them. */
  readonly prefix: string;
  readonly label: string;
  /** Absolute, links resolved. */
  readonly real: string;
  /** The real path of the root that it lies in. */
  readonly root: string;
  /** The cautions that a person approved. */
  readonly cautions: readonly FileCaution[];
}

interface AnySearch {
  /** The folders in the order that their files have on a page. */
  readonly folders: readonly SearchedFolder[];
  /** The ignore file of the person; see `ReadableWorkspace.personalIgnoreFile`. */
  readonly personalIgnoreFile: string | undefined;
  /** Results that an earlier page gave. */
  readonly skip: number;
}

export interface TextSearch extends AnySearch {
  readonly type: "text";
  readonly text: string;
  /** A JavaScript regular expression; otherwise the text itself. */
  readonly isPattern: boolean;
  readonly matchCase: boolean;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly contextLines: number;
  /** Texts of editors with unsaved changes, by real path. */
  readonly unsaved: ReadonlyMap<string, string>;
}

export interface NameSearch extends AnySearch {
  readonly type: "names";
  /** A glob, or a part of the path. */
  readonly name: string;
}

export type SearchJob = TextSearch | NameSearch;

/** The files that a search reads. Editors with unsaved changes are in its job. */
export type SearchedFiles = Pick<ReadableWorkspace, "realPath" | "status" | "list" | "open">;

export interface SearchProgress {
  /** Called for each file, with their number so far. */
  readonly onVisited: (files: number) => void;
  /** The search ends with what it has once this is true. */
  readonly isOver: () => boolean;
}

/** The files that one thread has found; the shares of one search are put together in the order of the walk. */
export interface FoundShare {
  readonly files: readonly FoundFile[];
  /** Notes about what the walk skipped, for the model. */
  readonly notes: readonly string[];
}

export interface FoundFile {
  /** The path by which the model names the file. */
  readonly path: string;
  /** Files with the smallest rank come first; equals are in the order of the walk. */
  readonly rank: number;
  readonly hits: readonly FoundHit[];
}

export interface FoundHit {
  /** The lines as they are shown: that of the hit, with those around it that no other hit shows. */
  readonly lines: readonly string[];
  /** Whether lines lie between this hit and the one before. */
  readonly isApart: boolean;
}

export interface FileSearch {
  /**
   * Rejects with a `ToolRefusal`, also when it takes too long, or with an `AbortError`.
   * `onVisited` gets the number of files so far, now and then.
   */
  run(job: SearchJob, signal: AbortSignal, onVisited?: (files: number) => void): Promise<FoundPage>;
}

/** One page of what a search has found. */
export interface FoundPage {
  /** The lines for the model. */
  readonly text: string;
  /** The paths of the files in these lines: a name can hold anything, so they can't be read from the text. */
  readonly paths: readonly string[];
}

/** Hits or files of a page. */
const pageLength = 200;

/** Results up to the end of the page that is asked for. */
export function pageLengthOf({ skip }: SearchJob): number {
  return skip + pageLength;
}

/** Characters that no page up to that one exceeds. */
export function pageSizeOf({ skip }: SearchJob): number {
  return ResultLines.lengthCap * (1 + skip);
}

export function describeFound(job: SearchJob, shares: readonly FoundShare[]): FoundPage {
  const files = shares
    .flatMap((share) => share.files)
    .sort((one, other) => one.rank - other.rank || comparePaths(one.path, other.path));
  const notes = [...new Set(shares.flatMap((share) => share.notes))];
  const paths = new Set<string>();
  const onShown = (path: string): void => void paths.add(path);
  const lines =
    job.type === "text" ? describeHits(job, files, notes, onShown) : describeFiles(job, files, notes, onShown);
  return { text: lines.join("\n"), paths: [...paths] };
}

function describeHits(
  { skip, contextLines }: TextSearch,
  files: readonly FoundFile[],
  notes: readonly string[],
  onShown: (path: string) => void,
): string[] {
  const lines = new ResultLines();
  let count = 0;
  for (const { path, hit, isFirst } of hitsOf(files)) {
    if (count === skip + pageLength || lines.isFull) {
      return [lines.text, `(hits ${skip + 1} to ${count}; there are more, skip ${count} gives them)`, ...notes];
    }
    count += 1;
    if (count <= skip) continue;
    // grep, too, puts this between lines that do not follow each other.
    if (contextLines > 0 && lines.count > 0 && (isFirst || hit.isApart)) lines.add("--");
    hit.lines.forEach((line) => lines.add(line));
    onShown(path);
  }
  if (lines.count > 0) return [lines.text, ...notes];
  return [count === 0 ? "(no hits)" : `(only ${count} hits)`, ...notes];
}

function* hitsOf(files: readonly FoundFile[]): Generator<{ path: string; hit: FoundHit; isFirst: boolean }> {
  for (const { path, hits } of files)
    for (const [index, hit] of hits.entries()) yield { path, hit, isFirst: index === 0 };
}

function describeFiles(
  { skip }: NameSearch,
  files: readonly FoundFile[],
  notes: readonly string[],
  onShown: (path: string) => void,
): string[] {
  const lines = new ResultLines();
  for (const { path } of files.slice(skip, skip + pageLength)) {
    if (lines.isFull) break;
    lines.add(listedName(path));
    onShown(path);
  }
  if (lines.count === 0) return [files.length === 0 ? "(no files)" : `(only ${files.length} files)`, ...notes];
  const last = skip + lines.count;
  if (last === files.length) return [lines.text, ...notes];
  return [lines.text, `(files ${skip + 1} to ${last} of ${files.length}; skip ${last} gives the next)`, ...notes];
}

/** Compares paths in the order of a walk: folder by folder, by name. */
export function comparePaths(one: string, other: string): number {
  const [names, others] = [one.split("/"), other.split("/")];
  const at = names.findIndex((name, index) => name !== others[index]);
  return at < 0 ? 0 : (names[at] ?? "") < (others[at] ?? "") ? -1 : 1;
}
