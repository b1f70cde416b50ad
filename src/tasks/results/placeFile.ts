/** Copies a result to its place in the project: whole or not at all, and never over another file without an explicit yes. */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { link, lstat, mkdir, readdir, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { hasSystemCode, isMissingPath } from "../../base/systemErrors";
import { isProcessAlive } from "./folderFiles";

export interface PlaceOptions {
  /** The folder that the file must be in, also when every link on its path is followed; any folder when left out. */
  readonly root?: string | undefined;
  /** A person has agreed that the file which is there is replaced. */
  readonly replaces?: boolean | undefined;
}

/** `occupied`: another file is there and was left as it is. `placed` also when the very same file was there already. */
export type PlaceOutcome = "placed" | "occupied";

/** The parts that this process is writing, and how many it has begun: two copies to one place at the same time have a part each. */
const writing = new Set<string>();
let begun = 0;

/** Paths are absolute. Rejects with the file system's error. */
export async function placeFile(
  source: string,
  target: string,
  { root, replaces = false }: PlaceOptions = {},
): Promise<PlaceOutcome> {
  const folder = dirname(target);
  if (root !== undefined) await checkInside(folder, root);
  if (await exists(target)) {
    // Of this result, when the window was closed after the copy.
    if (await isSameFile(source, target)) return "placed";
    if (!replaces) return "occupied";
  }
  await mkdir(folder, { recursive: true });
  await removeLeftParts(folder, basename(target));
  begun += 1;
  const part = join(folder, `.${basename(target)}.${process.pid}-${begun}.part`);
  writing.add(part);
  try {
    // With the rights of a new file of the person's, not those of the private results folder.
    await pipeline(createReadStream(source), createWriteStream(part, { flags: "wx", mode: 0o666, flush: true }));
    if (replaces) await rename(part, target);
    else if (!(await linkNew(part, target))) return (await isSameFile(source, target)) ? "placed" : "occupied";
    return "placed";
  } finally {
    await rm(part, { force: true });
    writing.delete(part);
  }
}

/** Of two windows that place the same file, one makes the name. False when it is taken. */
async function linkNew(part: string, target: string): Promise<boolean> {
  try {
    await link(part, target);
    return true;
  } catch (error) {
    if (hasSystemCode(error, "EEXIST")) return false;
    // Some file systems have no hard links. The name was free a moment ago.
    if (await exists(target)) return false;
    await rename(part, target);
    return true;
  }
}

/** Regular files with the same bytes. */
async function isSameFile(one: string, other: string): Promise<boolean> {
  const found = await Promise.all([lstat(one), lstat(other)]).catch(() => undefined);
  if (!found?.every((file) => file.isFile()) || found[0].size !== found[1].size) return false;
  const [a, b] = await Promise.all([hashOf(one), hashOf(other)]);
  return a === b;
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return hash.digest("hex");
}

/** Throws when a link on the path leads out of the root. The folders that are still missing can't. */
async function checkInside(folder: string, root: string): Promise<void> {
  const top = await realpath(root);
  let existing = resolve(folder);
  while (!(await exists(existing)) && dirname(existing) !== existing) existing = dirname(existing);
  const real = await realpath(existing);
  if (real !== top && !real.startsWith(top.endsWith(sep) ? top : top + sep)) {
    throw new Error(`${folder} leads out of ${root}, so nothing is written there.`);
  }
}

/** Of processes that were killed while they copied. */
async function removeLeftParts(folder: string, name: string): Promise<void> {
  const prefix = `.${name}.`;
  for (const found of await readdir(folder)) {
    const pid = found.startsWith(prefix) ? /^(\d+)-\d+\.part$/.exec(found.slice(prefix.length))?.[1] : undefined;
    if (pid === undefined) continue;
    const part = join(folder, found);
    // A process that is gone may have had our number.
    const isWritten = Number(pid) === process.pid ? writing.has(part) : isProcessAlive(Number(pid));
    if (!isWritten) await rm(part, { force: true });
  }
}

/** Also a link that leads nowhere. */
async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: unknown) => !isMissingPath(error),
  );
}
