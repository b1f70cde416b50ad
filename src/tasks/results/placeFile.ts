/** Copies a result to its place in the project: whole or not at all, and never over another file without an explicit yes. */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { link, lstat, open, readdir, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { hasSystemCode, isMissingPath, isProcessAlive } from "../../base/systemErrors";
import { readFlags } from "../../node/diskFiles";
import { type HeldPath, holdPath } from "../../node/heldFolder";

export interface PlaceOptions {
  /** The folder that the file must be in, also when every link on its path is followed; any folder when left out. */
  readonly root?: string | undefined;
  /** A person has agreed that the file which is there is replaced. */
  readonly replaces?: boolean | undefined;
  /** The path of a file whose bytes may be replaced without a yes, as those of a placeholder. Other bytes stay. */
  readonly instead?: string | undefined;
}

/** `occupied`: another file is there and was left as it is. `placed` also when the very same file was there already. */
export type PlaceOutcome = "placed" | "occupied";

/** The parts that this process is writing, and how many it has begun: two copies to one place at the same time have a part each. */
const writing = new Set<string>();
let begun = 0;

/** Paths are absolute. The folder is held from the moment it is checked. Rejects with the file system's error. */
export async function placeFile(
  source: string,
  target: string,
  { root, ...options }: PlaceOptions = {},
): Promise<PlaceOutcome> {
  const folder = await holdPlace(dirname(target), root);
  try {
    return await placeIn(folder, source, basename(target), options);
  } finally {
    await folder.close();
  }
}

async function placeIn(
  folder: HeldPath,
  source: string,
  name: string,
  { replaces = false, instead }: Omit<PlaceOptions, "root">,
): Promise<PlaceOutcome> {
  const target = folder.at(name);
  const mayReplace = async (): Promise<boolean> =>
    replaces || (instead !== undefined && (await isSameFile(instead, target)));
  let isThere = false;
  if (await exists(target)) {
    // The file is this result where the window was closed after the copy.
    if (await isSameFile(source, target)) return "placed";
    if (!(await mayReplace())) return "occupied";
    isThere = true;
  }
  await removeLeftParts(folder, name);
  begun += 1;
  const partName = `.${name}.${process.pid}-${begun}.part`;
  const part = folder.at(partName);
  writing.add(partName);
  try {
    // The copy gets the permissions of a new file of the person's, not those of the private results folder.
    await pipeline(createReadStream(source), createWriteStream(part, { flags: "wx", mode: 0o666, flush: true }));
    // The file is compared again: it may have been changed while the bytes were copied.
    if (replaces || (isThere && (await mayReplace()))) await rename(part, target);
    else if (!(await linkNew(part, target))) return (await isSameFile(source, target)) ? "placed" : "occupied";
    return "placed";
  } finally {
    await rm(part, { force: true });
    writing.delete(partName);
  }
}

/** Gives the part its name: of two windows that place the same file, one succeeds. False when the name is taken. */
async function linkNew(part: string, target: string): Promise<boolean> {
  try {
    await link(part, target);
    return true;
  } catch (error) {
    if (hasSystemCode(error, "EEXIST")) return false;
    // Some file systems have no hard links, so the part is renamed; the name was free a moment ago.
    if (await exists(target)) return false;
    await rename(part, target);
    return true;
  }
}

/** Whether both are regular files with the same bytes. */
async function isSameFile(one: string, other: string): Promise<boolean> {
  const found = await Promise.all([lstat(one), lstat(other)]).catch(() => undefined);
  if (!found?.every((file) => file.isFile()) || found[0].size !== found[1].size) return false;
  const [a, b] = await Promise.all([hashOf(one), hashOf(other)]);
  return a === b;
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  // The flags neither follow a link nor wait for a pipe, which may have been put there since the check. The stream closes the file.
  const file = await open(path, readFlags);
  for await (const chunk of file.createReadStream()) hash.update(chunk as Uint8Array);
  return hash.digest("hex");
}

/** Holds the folder of a place, and makes the folders that are missing. Throws when a link on the path leads out of the root. */
async function holdPlace(folder: string, root: string | undefined): Promise<HeldPath> {
  const top = root === undefined ? undefined : await realpath(root);
  let existing = resolve(folder);
  while (!(await exists(existing)) && dirname(existing) !== existing) existing = dirname(existing);
  const real = await realpath(existing);
  if (top !== undefined && real !== top && !real.startsWith(top.endsWith(sep) ? top : top + sep)) {
    throw new Error(`${folder} leads out of ${root}, so nothing is written there.`);
  }
  return holdPath(join(real, relative(existing, resolve(folder))), { makes: true });
}

/** Removes the parts of processes that were killed while they copied. */
async function removeLeftParts(folder: HeldPath, name: string): Promise<void> {
  const prefix = `.${name}.`;
  for (const found of await readdir(folder.at("."))) {
    const pid = found.startsWith(prefix) ? /^(\d+)-\d+\.part$/.exec(found.slice(prefix.length))?.[1] : undefined;
    if (pid === undefined) continue;
    // A process that is gone may have had our process id.
    const isWritten = Number(pid) === process.pid ? writing.has(found) : isProcessAlive(Number(pid));
    if (!isWritten) await rm(folder.at(found), { force: true });
  }
}

/** Whether something is at the path; a link that leads nowhere counts. */
async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: unknown) => !isMissingPath(error),
  );
}
