/** Looks through the folders of a workspace for what a sandboxed command must neither change nor read. */
import { type Dirent, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { TimeSlices } from "../../base/async/timeSlices";
import type { Confinement, SandboxPolicy } from "../../domain/tools/sandbox";

/** How an entry of the workspace is mounted. `fixed`: as it is, read-only. `hidden-…`: something empty is in its place. `open`: a writable part of something fixed, or a folder that can't be moved. */
export type MountKind = "fixed" | "hidden-file" | "hidden-folder" | "open";

export interface Scanned {
  /** By absolute path. Folders on the way to another entry are `open`: as mounts they can't be moved out of the way. */
  readonly mounts: ReadonlyMap<string, MountKind>;
  /** What acts unasked, by path; with the target of one that is a link. */
  readonly obeyed: ReadonlyMap<string, string | undefined>;
}

/** Entries that are looked at, mounts that are made. With more of either the command is not started. */
const bounds = { entries: 400_000, mounts: 1500 };

/** What tools write into a folder of packages. */
const packageCaches = [".cache", ".vite", ".vite-temp", ".vitest", ".tmp"];

function tooLarge(): Error {
  return new Error("the workspace has too many files, or too many that must not be changed");
}

interface Found {
  readonly mounts: Map<string, MountKind>;
  readonly obeyed: Map<string, string | undefined>;
  seen: number;
}

/** Rejects where there is too much of it, with the signal's reason, or with the error of a folder that can't be listed. */
export async function scanRoots(
  { roots, policy }: Pick<Confinement, "roots" | "policy">,
  signal: AbortSignal,
): Promise<Scanned> {
  const found: Found = { mounts: new Map(), obeyed: new Map(), seen: 0 };
  const slices = new TimeSlices(signal);
  for (const root of roots) await scanRoot(root, policy, found, slices);
  for (const path of [...found.mounts.keys()]) pin(path, roots, found.mounts);
  if (found.mounts.size > bounds.mounts) throw tooLarge();
  return found;
}

async function scanRoot(root: string, policy: SandboxPolicy, found: Found, slices: TimeSlices): Promise<void> {
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    if (slices.isSpent) await slices.next();
    const entries = listed(join(root, folder));
    found.seen += entries.length;
    if (found.seen > bounds.entries) throw tooLarge();
    if (folder !== "" && isBareRepository(entries)) {
      found.mounts.set(join(root, folder.slice(0, -1)), "fixed");
      found.obeyed.set(join(root, folder, "HEAD"), undefined);
      continue;
    }
    for (const entry of entries) {
      const inRoot = `${folder}${entry.name}${entry.isDirectory() ? "/" : ""}`;
      if (addEntry(join(root, folder, entry.name), inRoot, entry, policy, found)) folders.push(inRoot);
    }
  }
}

/** One that was removed meanwhile is empty; one that can't be listed holds nothing that a command could read either, but it may be made readable by it. */
function listed(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "EACCES")) return [];
    throw error;
  }
}

/** git takes a folder with these for a repository, whatever its name, and obeys the settings in it. */
function isBareRepository(entries: readonly Dirent[]): boolean {
  const names = new Set(entries.map(({ name }) => name));
  return ["HEAD", "objects", "refs"].every((name) => names.has(name));
}

/** True for a folder to look through. */
function addEntry(path: string, inRoot: string, entry: Dirent, policy: SandboxPolicy, found: Found): boolean {
  const { mounts } = found;
  const isFolder = entry.isDirectory();
  // A socket leads to the program behind it, a pipe too.
  if (!isFolder && !entry.isFile() && !entry.isSymbolicLink()) {
    mounts.set(path, "hidden-file");
    return false;
  }
  const verdict = policy.verdictOf(inRoot);
  if (verdict === "obeyed") obey(path, entry.isSymbolicLink(), found);
  // What a link leads to is mounted under its own name, or is not there.
  if (entry.isSymbolicLink()) return false;
  switch (verdict) {
    case "obeyed":
      return false;
    case "executed":
      mounts.set(path, "fixed");
      return false;
    case "secret":
      mounts.set(path, isFolder ? "hidden-folder" : "hidden-file");
      return false;
    case "plain-secret":
      mounts.set(path, isFolder ? "fixed" : policy.mayHoldSecret(textOf(path)) ? "hidden-file" : "fixed");
      return false;
    case "packages":
      mounts.set(path, "fixed");
      for (const name of packageCaches) if (isFolderAt(join(path, name))) mounts.set(join(path, name), "open");
      return false;
    case undefined:
      // Its other name may lie outside of the workspace.
      if (!isFolder && lstatSync(path, { throwIfNoEntry: false })?.nlink !== 1) mounts.set(path, "fixed");
      return isFolder;
  }
}

function obey(path: string, isLink: boolean, { mounts, obeyed }: Found): void {
  obeyed.set(path, isLink ? targetOf(path) : undefined);
  if (!isLink) mounts.set(path, "fixed");
}

export function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** Of a file that can't be read nothing is known. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "token";
  }
}

function isFolderAt(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The folders between a root and the path: else one could be renamed, and another with other files put in its place. */
function pin(path: string, roots: readonly string[], mounts: Map<string, MountKind>): void {
  for (let folder = dirname(path); !roots.includes(folder) && dirname(folder) !== folder; folder = dirname(folder))
    if (!mounts.has(folder)) mounts.set(folder, "open");
}
