/**
 * Names of a path as their folders list them. A name that would be refused is taken where it is listed exactly so: then it means that file on every
 * system, and shows what it is wherever it is written for a person. A name that is not there is the one that differs in its spaces or its normal form
 * only: models write `PM.md` with a usual space, and macOS lists decomposed letters.
 */
import { join, relative, sep } from "node:path";
import { ToolRefusal } from "../../domain/tools/tool";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import { foldedName, isInside, oddityOf } from "./pathNames";

/** Entries of a folder that are looked through. */
const maxEntries = 20_000;

/**
 * The path with each name as it is listed. `isNew`: the last name is that of a new file, which is taken as it was given. Rejects with a `ToolRefusal` for an odd
 * name that is not listed. Only folders inside of the root are listed.
 */
export async function asListed(
  workspace: ReadableWorkspace,
  root: string,
  path: string,
  isNew = false,
): Promise<string> {
  const names = relative(root, path)
    .split(sep)
    .filter((name) => name !== "");
  let folder = root;
  for (const [at, name] of names.entries()) {
    const odd = oddityOf(name);
    const isGiven = isNew && at === names.length - 1;
    const isThere = odd === undefined && (isGiven || (await exists(workspace, join(folder, name))));
    const listed = isThere ? name : await listedAs(workspace, root, folder, name, isGiven);
    if (listed === undefined && (odd !== undefined || !isGiven)) return refuseOdd(root, folder, names.slice(at));
    folder = join(folder, listed ?? name);
  }
  return folder;
}

/** The path with names that are not listed, of which none may be odd. */
function refuseOdd(root: string, folder: string, names: readonly string[]): string {
  const path = join(folder, ...names);
  const odd = names.map((name) => oddityOf(name)).find((reason) => reason !== undefined);
  if (odd === undefined) return path;
  throw new ToolRefusal(`The path ${JSON.stringify(relative(root, path))} is refused: ${odd}.`);
}

/** `undefined` where no name is meant, or none for certain. */
async function listedAs(
  workspace: ReadableWorkspace,
  root: string,
  folder: string,
  name: string,
  isExact: boolean,
): Promise<string | undefined> {
  const [realRoot, real] = await Promise.all(
    [root, folder].map((one) => workspace.realPath(one).catch(() => undefined)),
  );
  if (realRoot === undefined || real === undefined || !isInside(realRoot, real)) return undefined;
  const listing = await workspace.list(real, maxEntries).catch(() => undefined);
  const names = listing?.entries.map((entry) => entry.name) ?? [];
  if (names.includes(name)) return name;
  if (isExact) return undefined;
  const wanted = foldedName(name);
  const alike = names.filter((one) => foldedName(one) === wanted);
  if (alike.length > 1)
    throw new ToolRefusal(
      `${JSON.stringify(name)} may be each of ${alike.map((one) => JSON.stringify(one)).join(", ")}: they differ in their spaces only. Copy the name as it is listed.`,
    );
  return alike[0];
}

function exists(workspace: ReadableWorkspace, path: string): Promise<boolean> {
  return workspace.status(path).then(
    () => true,
    () => false,
  );
}
