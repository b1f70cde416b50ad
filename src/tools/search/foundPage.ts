/** The page of results that the model gets, of what the shares of a search have found. */
import { listedName } from "../gate/pathNames";
import { ResultLines } from "../base/resultLines";
import type { FoundFile, FoundHit, FoundShare, NameSearch, SearchJob, TextSearch } from "./searchJob";

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

export function describeFound(job: SearchJob, shares: readonly FoundShare[]): string {
  const files = shares
    .flatMap((share) => share.files)
    .sort((one, other) => one.rank - other.rank || comparePaths(one.path, other.path));
  const notes = [...new Set(shares.flatMap((share) => share.notes))];
  return (job.type === "text" ? describeHits(job, files, notes) : describeFiles(job, files, notes)).join("\n");
}

function describeHits(
  { skip, contextLines }: TextSearch,
  files: readonly FoundFile[],
  notes: readonly string[],
): string[] {
  const lines = new ResultLines();
  let count = 0;
  for (const { hit, isFirst } of hitsOf(files)) {
    if (count === skip + pageLength || lines.isFull) {
      return [lines.text, `(hits ${skip + 1} to ${count}; there are more, skip ${count} gives them)`, ...notes];
    }
    count += 1;
    if (count <= skip) continue;
    // As grep does between lines that do not follow each other.
    if (contextLines > 0 && lines.count > 0 && (isFirst || hit.isApart)) lines.add("--");
    hit.lines.forEach((line) => lines.add(line));
  }
  if (lines.count > 0) return [lines.text, ...notes];
  return [count === 0 ? "(no hits)" : `(only ${count} hits)`, ...notes];
}

function* hitsOf(files: readonly FoundFile[]): Generator<{ hit: FoundHit; isFirst: boolean }> {
  for (const { hits } of files) for (const [index, hit] of hits.entries()) yield { hit, isFirst: index === 0 };
}

function describeFiles({ skip }: NameSearch, files: readonly FoundFile[], notes: readonly string[]): string[] {
  const lines = new ResultLines();
  for (const { path } of files.slice(skip, skip + pageLength)) {
    if (lines.isFull) break;
    lines.add(listedName(path));
  }
  if (lines.count === 0) return [files.length === 0 ? "(no files)" : `(only ${files.length} files)`, ...notes];
  const last = skip + lines.count;
  if (last === files.length) return [lines.text, ...notes];
  return [lines.text, `(files ${skip + 1} to ${last} of ${files.length}; skip ${last} gives the next)`, ...notes];
}

/** The order in which a walk meets them: folder by folder, by name. */
export function comparePaths(one: string, other: string): number {
  const [names, others] = [one.split("/"), other.split("/")];
  const at = names.findIndex((name, index) => name !== others[index]);
  return at < 0 ? 0 : (names[at] ?? "") < (others[at] ?? "") ? -1 : 1;
}
