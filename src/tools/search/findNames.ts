/** The search for files by name: a glob gives them in order, a part of the path gives the best first. */
import { listedName } from "../gate/pathNames";
import { ResultLines } from "../resultLines";
import type { FolderWalk } from "../walk";
import { overNote } from "./findLines";
import { compileGlobs, type FileFilter, isGlob } from "./globs";
import type { SearchProgress } from "./runSearch";
import type { NameSearch } from "./searchJob";

const pageLength = 200;

export async function findNames(
  { name, skip }: NameSearch,
  walk: FolderWalk,
  { onVisited, isOver }: SearchProgress,
): Promise<string> {
  const rankOf = isGlob(name) ? byGlob(compileGlobs([name])) : byPart(name);
  const found: { readonly path: string; readonly rank: number }[] = [];
  const notes: string[] = [];
  let files = 0;
  for await (const { inFolder } of walk.files()) {
    files += 1;
    onVisited(files);
    const rank = rankOf(inFolder);
    if (rank !== undefined) found.push({ path: inFolder, rank });
    if (isOver()) {
      notes.push(overNote);
      break;
    }
  }
  // Stable: equals stay in the order of the walk.
  found.sort((one, other) => one.rank - other.rank);
  const lines = new ResultLines();
  for (const { path } of found.slice(skip, skip + pageLength)) {
    if (lines.isFull) break;
    lines.add(listedName(path));
  }
  if (lines.count === 0) lines.add(skip === 0 || found.length === 0 ? "(no files)" : `(only ${found.length} files)`);
  const last = skip + lines.count;
  if (last < found.length) notes.push(`(files ${skip + 1} to ${last} of ${found.length}; skip ${last} gives the next)`);
  return [lines.text, ...notes, ...walk.notes].join("\n");
}

/** Lower is better; `undefined` for a path that is not meant. */
type RankOf = (path: string) => number | undefined;

function byGlob(matches: FileFilter): RankOf {
  return (path) => (matches(path) ? 0 : undefined);
}

/** The name itself, its beginning, a part of it, a part of the path, then the words anywhere. Shorter paths first. */
function byPart(part: string): RankOf {
  const wanted = part.replaceAll("\\", "/").toLowerCase();
  const words = wanted.split(/\s+/).filter((word) => word !== "");
  return (path) => {
    const whole = path.toLowerCase();
    const name = whole.slice(whole.lastIndexOf("/") + 1);
    const order = [
      name === wanted || whole === wanted,
      name.startsWith(wanted),
      name.includes(wanted),
      whole.includes(wanted),
      words.every((word) => whole.includes(word)),
    ].indexOf(true);
    // No path is longer than a system accepts.
    return order < 0 ? undefined : order * 100_000 + path.length;
  };
}
