/** The search for files by name: a glob gives them in order, a part of the path gives the best first. */
import type { FolderWalk } from "../base/walk";
import { compileGlobs, isGlob } from "./globs";
import type { FoundFile, NameSearch, SearchProgress } from "./searchJob";

export async function findNames(
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

/** The name itself, its beginning, a part of it, a part of the path, then the words anywhere; of these the shorter path. */
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
