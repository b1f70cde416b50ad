/** The search for text: the lines that match, file by file in the order of the walk. */
import type { TimeSlices } from "../../base/timeSlices";
import type { Workspace } from "../../domain/workspace";
import { openRegularFile } from "../gate/fileAccess";
import { decodeText } from "../gate/fileText";
import { listedName } from "../gate/pathNames";
import { linesOf } from "../lineRanges";
import { ResultLines } from "../resultLines";
import type { FolderWalk } from "../walk";
import { compileGlobs } from "./globs";
import { createLineFinder, type FoundLine, type LineFinder } from "./lineFinder";
import type { SearchProgress } from "./runSearch";
import type { TextSearch } from "./searchJob";

const hitCap = 200;
const shownLength = 300;
/** Characters before a match in a line that is cut. */
const shownBefore = 100;
const sizeCap = 1024 * 1024;

export async function findLines(
  job: TextSearch,
  walk: FolderWalk,
  workspace: Workspace,
  slices: TimeSlices,
  { onVisited, isOver }: SearchProgress,
): Promise<string> {
  const hits = new Hits(job, createLineFinder(job));
  const included = job.include.length === 0 ? () => true : compileGlobs(job.include);
  const excluded = compileGlobs(job.exclude);
  let files = 0;
  for await (const { path, inFolder } of walk.files()) {
    files += 1;
    onVisited(files);
    if (isOver()) return hits.describe([overNote, ...walk.notes]);
    if (!included(inFolder) || excluded(inFolder)) continue;
    const content = await contentOf(workspace, path);
    if (content !== undefined && (await hits.add(listedName(inFolder), content, slices))) break;
  }
  return hits.describe(walk.notes);
}

export const overNote = "(the search was ended because of its time: name a folder to search less)";

/** `undefined` for a file that is too large, binary, hard-linked, or gone since it was listed. */
async function contentOf(workspace: Workspace, path: string): Promise<string | undefined> {
  try {
    const file = await openRegularFile(workspace, path, "A file");
    try {
      const { size, links } = file.status;
      if (links > 1) return undefined;
      const shown = workspace.shownText(path);
      if (shown !== undefined) return shown.length > sizeCap ? undefined : shown;
      if (size > sizeCap) return undefined;
      const { text } = decodeText(await file.read(sizeCap));
      return text.includes("\0") ? undefined : text;
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}

/** One page of hits, with the lines around them. */
class Hits {
  readonly #job: TextSearch;
  readonly #find: LineFinder;
  readonly #lines = new ResultLines();
  /** Those that an earlier page gave among them. */
  #count = 0;
  #hasMore = false;

  constructor(job: TextSearch, find: LineFinder) {
    this.#job = job;
    this.#find = find;
  }

  /** True when the page is full. */
  async add(name: string, content: string, slices: TimeSlices): Promise<boolean> {
    const found: FoundLine[] = [];
    for (const line of this.#find(content)) {
      if (slices.isSpent) await slices.next();
      this.#hasMore = this.#count === this.#job.skip + hitCap || this.#lines.isFull;
      if (this.#hasMore) break;
      this.#count += 1;
      if (this.#count <= this.#job.skip) continue;
      if (this.#job.contextLines > 0) found.push(line);
      else this.#lines.add(`${name}:${line.number}: ${shownPart(line.text.trim(), line)}`);
    }
    if (found.length > 0) this.#addWithContext(name, content, found);
    return this.#hasMore;
  }

  /** Groups of neighbouring lines are set apart by `--`, as grep does. */
  #addWithContext(name: string, content: string, found: readonly FoundLine[]): void {
    const { contextLines } = this.#job;
    const hits = new Map(found.map((line) => [line.number, line]));
    let wantedUntil = 0;
    let lastShown = 0;
    let number = 0;
    const before: string[] = [];
    for (const text of linesOf(content)) {
      number += 1;
      const hit = hits.get(number);
      if (hit) {
        const first = number - before.length;
        if (this.#lines.count > 0 && (lastShown === 0 || first > lastShown + 1)) this.#lines.add("--");
        before.forEach((line, index) => this.#lines.add(`${name}-${first + index}- ${cut(line)}`));
        this.#lines.add(`${name}:${number}: ${shownPart(text.trimEnd(), hit)}`);
        wantedUntil = number + contextLines;
      } else if (number <= wantedUntil) this.#lines.add(`${name}-${number}- ${cut(text)}`);
      else {
        before.push(text);
        if (before.length > contextLines) before.shift();
        continue;
      }
      before.length = 0;
      lastShown = number;
    }
  }

  describe(notes: readonly string[]): string {
    const { skip } = this.#job;
    if (this.#count <= skip)
      return [skip === 0 ? "(no hits)" : `(no hits after the first ${skip})`, ...notes].join("\n");
    const page = this.#hasMore
      ? [`(hits ${skip + 1} to ${this.#count}; there are more, skip ${this.#count} gives them)`]
      : notes;
    return [this.#lines.text, ...page].join("\n");
  }
}

function cut(line: string): string {
  return line.trimEnd().slice(0, shownLength).toWellFormed();
}

/** The beginning of the line, or the part with the match where that lies further on. */
function shownPart(line: string, { column }: FoundLine): string {
  if (line.length <= shownLength || column < shownLength - shownBefore) return cut(line);
  return `… ${line.slice(column - shownBefore, column - shownBefore + shownLength).toWellFormed()}`;
}
