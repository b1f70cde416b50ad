/** The search for text: the lines that match, file by file in the order of the walk. */
import { join } from "node:path";
import type { TimeSlices } from "../../base/async/timeSlices";
import type { OpenFile, ReadableWorkspace } from "../../domain/tools/workspace";
import { toRefusal } from "../gate/fileAccess";
import { decodeText } from "../../base/text/decodeText";
import { listedName } from "../gate/pathNames";
import { overNote, type FolderWalk } from "../base/walk";
import {
  pageLengthOf,
  pageSizeOf,
  type FoundFile,
  type FoundHit,
  type SearchedFolder,
  type SearchProgress,
  type TextSearch,
} from "./searchJob";
import { compileGlobs } from "./globs";
import { LineFinder } from "./lineFinder";

const sizeCap = 1024 * 1024;
/** Files of a batch: some milliseconds of reading. */
const batchLength = 128;

/** Files that a walk has found, in its order. */
export interface FileBatch {
  /** It is put before the names, so that the other tools take them. */
  readonly prefix: string;
  /** The folder where the walk began: absolute, without links. */
  readonly folder: string;
  /** Relative to the folder, with `/`. */
  readonly names: readonly string[];
}

/** Other threads that read files for a walk. */
export interface BatchReaders {
  /** False when all of them have enough to do. */
  take(batch: FileBatch): boolean;
  /** One of them has found a page of hits, all of them in files that it was given. */
  readonly isFull: boolean;
}

/** Reads files that come in the order of a walk, until the page that is asked for is full. */
export class LineSearch {
  readonly files: FoundFile[] = [];
  readonly notes: string[] = [];
  readonly #job: TextSearch;
  readonly #workspace: ReadableWorkspace;
  readonly #slices: TimeSlices;
  readonly #progress: SearchProgress;
  readonly #finder: LineFinder;
  #count = 0;
  #visited = 0;

  constructor(job: TextSearch, workspace: ReadableWorkspace, slices: TimeSlices, progress: SearchProgress) {
    this.#job = job;
    this.#workspace = workspace;
    this.#slices = slices;
    this.#progress = progress;
    this.#finder = new LineFinder(job);
  }

  /** Whether the page is full, so that no file that follows can be on it. */
  get isFull(): boolean {
    return this.#count > pageLengthOf(this.#job) || this.#finder.size > pageSizeOf(this.#job);
  }

  async add({ prefix, folder, names }: FileBatch): Promise<void> {
    for (const inFolder of names) {
      if (this.isFull) return;
      if (this.#progress.isOver()) {
        this.notes.push(overNote);
        return;
      }
      this.#visited += 1;
      this.#progress.onVisited(this.#visited);
      const name = prefix + inFolder;
      const hits = await this.#hitsIn(join(folder, inFolder), name);
      if (hits.length > 0) this.files.push({ path: name, rank: 0, hits });
      this.#count += hits.length;
    }
  }

  /**
   * The hits of a file, none in one that is too large, binary, hard-linked or gone since it was listed. Whether the open file lies at
   * its path is checked where there are hits: of any other nothing is reported.
   */
  async #hitsIn(path: string, name: string): Promise<readonly FoundHit[]> {
    try {
      const file = await this.#workspace.open(path);
      try {
        if (file.status.kind !== "file" || file.status.links > 1) return [];
        const content = this.#workspace.shownText(path) ?? (await textOf(file));
        if (content.length > sizeCap || !this.#finder.isIn(content) || content.includes("\0")) return [];
        // The limit is one more than the page has, so that it is known whether there are more.
        const limit = pageLengthOf(this.#job) + 1 - this.#count;
        return (await file.isAt(path)) ? await this.#finder.find(listedName(name), content, limit, this.#slices) : [];
      } finally {
        await file.close();
      }
    } catch (error) {
      if (toRefusal(error, "") === error) throw error;
      return [];
    }
  }
}

/** Walks a folder, and deals its files to other threads, or reads them here while those are busy. Resolves when no file is left to deal. */
export async function findLines(
  { include, exclude }: TextSearch,
  { prefix, real }: SearchedFolder,
  walk: FolderWalk,
  own: LineSearch,
  readers: BatchReaders,
  isOver: () => boolean,
): Promise<void> {
  const isIncluded = include.length === 0 ? () => true : compileGlobs(include);
  const isExcluded = exclude.length === 0 ? () => false : compileGlobs(exclude);
  let names: string[] = [];
  const deal = async (): Promise<void> => {
    const batch = { prefix, folder: real, names };
    names = [];
    if (!readers.take(batch)) await own.add(batch);
  };
  for await (const files of walk.runs((name) => isIncluded(name) && !isExcluded(name), isOver)) {
    for (const { inFolder } of files) {
      names.push(inFolder);
      if (names.length === batchLength) await deal();
    }
    if (own.isFull || readers.isFull) return;
  }
  await deal();
}

/** Empty for a file that is too large. */
async function textOf(file: OpenFile): Promise<string> {
  return file.status.size > sizeCap ? "" : decodeText(await file.read(sizeCap)).text;
}
