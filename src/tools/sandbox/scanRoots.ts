/** Looks through the folders of a workspace for what a sandboxed command must neither change nor read. */
import { type Dirent, lstatSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { TimeSlices } from "../../base/async/timeSlices";
import { isObeyedInRoot } from "../gate/executedNames";
import { isRepository } from "../gate/gitRepository";
import type { Confinement, SandboxPolicy, SandboxVerdict } from "../../domain/tools/sandbox";

/**
 * How an entry of the workspace is mounted. `fixed`: as it is, read-only. `hidden-…`: something empty is in its place. `scratch`: an empty folder
 * that can be written, and is gone with the command. `open`: a writable part of something fixed, or a folder that can't be moved.
 * `apart`: on a copy, one of the sandbox's own, which its commands find again: the folder of Cargo, all of which is obeyed. rust-analyzer loads libraries
 * from there, and starts programs that are linked from objects there.
 */
export type MountKind = "fixed" | "hidden-file" | "hidden-folder" | "scratch" | "open" | "apart";

/** The mounts by absolute path. Folders on the way to another entry are `open`: as mounts they can't be moved out of the way. */
export type Mounts = ReadonlyMap<string, MountKind>;

/** `isCopy`: on a copy nothing has to be kept as it is, only hidden. `readsGit`: git alone runs, which needs the contents of its repositories. */
export interface ScanFor {
  readonly isCopy: boolean;
  readonly readsGit: boolean;
}

/** Entries that are looked at, mounts that are made. With more of either the command is not started. */
const scanBounds = { entries: 400_000, mounts: 1500 };

/** Folders that tools write into a folder of packages, and run again from there: they must not hold code of a command afterwards. */
const packageCaches = [".cache", ".vite", ".vite-temp", ".vitest", ".tmp"];

function tooLarge(): Error {
  return new Error("the workspace has too many files, or too many that must not be changed");
}

interface Scan extends ScanFor {
  readonly mounts: Map<string, MountKind>;
  /** The verdict that the name of a link gives for its target, by the path of the link. */
  readonly links: Map<string, SandboxVerdict>;
  seen: number;
}

/** A folder to look through, with its `/`. `isFixed`: only secrets and what leads out are looked for, because it is read-only as a whole. */
interface Folder {
  readonly inRoot: string;
  readonly isFixed: boolean;
  /** Whether a folder above it is a package of Cargo, which builds in one folder for all of them. */
  readonly isInPackage?: boolean;
}

/** Rejects where the workspace is too large, with the signal's reason, or with the error of a folder that can't be listed. */
export async function scanRoots(
  { roots, policy }: Pick<Confinement, "roots" | "policy">,
  scanFor: ScanFor,
  signal: AbortSignal,
): Promise<Mounts> {
  const found: Scan = { ...scanFor, mounts: new Map(), links: new Map(), seen: 0 };
  const slices = new TimeSlices(signal);
  for (const root of roots) {
    const verdictOf = (inRoot: string): SandboxVerdict | undefined => verdictIn(root, inRoot, policy);
    await scanRoot(root, { ...policy, verdictOf }, found, slices);
  }
  for (const [link, verdict] of found.links) mountTarget(link, verdict, roots, found);
  const { mounts } = found;
  if (found.isCopy) for (const [path, kind] of mounts) if (!/^(?:hidden|apart)/u.test(kind)) mounts.delete(path);
  if (!found.isCopy) for (const path of [...mounts.keys()]) pin(path, roots, mounts);
  const count = found.isCopy ? [...mounts.values()].filter((kind) => kind === "hidden-folder").length : mounts.size;
  if (count > scanBounds.mounts) throw tooLarge();
  return mounts;
}

/**
 * The verdict on an entry of the root. An entry at the top is also looked up with the name of the root before its own, because `gh` in `.config` holds
 * secrets, and agents obey all in `.claude`. In a root like `.docker`, of which everything holds secrets, an entry goes by its own name, because each
 * command there asks.
 */
function verdictIn(root: string, inRoot: string, policy: SandboxPolicy): SandboxVerdict | undefined {
  const verdict = policy.verdictOf(inRoot);
  const isBelow = /\/./u.test(inRoot);
  if (isBelow) return verdict;
  const isSecret = (name: string): boolean => policy.verdictOf(`${basename(root)}/${name}`) === "secret";
  if (isSecret(inRoot) && !isSecret("")) return "secret";
  if (verdict === "secret" || verdict === "plain-secret") return verdict;
  return isObeyedInRoot(root, inRoot) ? "obeyed" : verdict;
}

async function scanRoot(root: string, policy: SandboxPolicy, found: Scan, slices: TimeSlices): Promise<void> {
  const folders: Folder[] = [{ inRoot: "", isFixed: false }];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    if (slices.isSpent) await slices.next();
    const { inRoot, isFixed, isInPackage = false } = folder;
    const path = join(root, inRoot.slice(0, -1));
    const entries = listed(path);
    if (entries === undefined) {
      if (inRoot !== "") found.mounts.set(path, found.isCopy ? "hidden-folder" : "fixed");
      continue;
    }
    found.seen += entries.length;
    if (found.seen > scanBounds.entries) throw tooLarge();
    if (inRoot !== "" && isRepository(entries.map(({ name }) => name))) {
      found.mounts.set(path, "fixed");
      hideInRepository(path, entries, found);
      continue;
    }
    const isPackage = found.isCopy && entries.some(({ name }) => name === "Cargo.toml");
    const target = isPackage ? entries.find(({ name }) => name === "target") : undefined;
    const hasTarget = isPackage && (target === undefined ? !isInPackage : target.isDirectory());
    if (hasTarget) found.mounts.set(join(path, "target"), "apart");
    for (const entry of entries) {
      if (hasTarget && entry === target) continue;
      const below = `${inRoot}${entry.name}${entry.isDirectory() ? "/" : ""}`;
      // The path is normal already: `join` would read it through for each entry.
      const next = addEntry(`${path}${sep}${entry.name}`, { inRoot: below, isFixed }, entry, policy, found);
      if (next !== undefined) folders.push({ ...next, isInPackage: isInPackage || isPackage });
    }
  }
}

/** The entries of a folder; none where it was removed meanwhile. `undefined` for one that can't be listed: a command could make it readable. */
function listed(folder: string): readonly Dirent[] | undefined {
  const entries = listFolder(folder);
  if (entries?.some(({ name }) => isUnreadable(name)) === true)
    throw new Error(`a name in ${folder} is not UTF-8, so what it names can't be protected`);
  return entries;
}

function listFolder(folder: string): readonly Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT") return [];
    if (code === "EACCES") return undefined;
    if (code === "ENAMETOOLONG") throw new Error("a folder of the workspace has too long a path to be protected");
    throw error;
  }
}

/** Whether the bytes of a name are no text: nothing is found under the name that Node gives for it. */
function isUnreadable(name: string): boolean {
  return name.includes("\ufffd");
}

/** Returns the entry where it is a folder to look through. */
function addEntry(
  path: string,
  { inRoot, isFixed }: Folder,
  entry: Dirent,
  policy: SandboxPolicy,
  found: Scan,
): Folder | undefined {
  const { mounts } = found;
  const isFolder = entry.isDirectory();
  // A socket leads to the program behind it, a pipe too.
  if (!isFolder && !entry.isFile() && !entry.isSymbolicLink()) {
    mounts.set(path, "hidden-file");
    return undefined;
  }
  const verdict = policy.verdictOf(inRoot);
  const isSecret = verdict === "secret" || verdict === "plain-secret";
  if (entry.isSymbolicLink()) {
    if (verdict !== undefined) found.links.set(path, verdict);
    return undefined;
  }
  if (isSecret) {
    const isHidden = verdict === "secret" || (!isFolder && policy.mayHoldSecret(textOf(path)));
    mounts.set(path, !isHidden ? "fixed" : isFolder ? "hidden-folder" : "hidden-file");
    return undefined;
  }
  if (entry.name.toLowerCase() === ".git") {
    if (!isFixed) mounts.set(path, "fixed");
    if (isFolder) hideInRepository(path, listed(path) ?? [], found);
    return undefined;
  }
  if (isFixed) return isFolder && verdict !== "packages" ? { inRoot, isFixed } : undefined;
  switch (verdict) {
    case "obeyed":
    case "executed":
      mounts.set(path, "fixed");
      return isFolder ? { inRoot, isFixed: true } : undefined;
    case "packages":
      mounts.set(path, "fixed");
      for (const name of packageCaches) if (isFolderAt(join(path, name))) mounts.set(join(path, name), "scratch");
      return undefined;
    case undefined:
      // Another name of the file may lie outside of the workspace.
      if (!isFolder && !found.isCopy && lstatSync(path, { throwIfNoEntry: false })?.nlink !== 1)
        mounts.set(path, "fixed");
      return isFolder ? { inRoot, isFixed } : undefined;
  }
}

/** Files and folders of a repository with the contents of files that it has or had, also as the patches and messages of a commit or a rebase. */
const quoting =
  /^(?:objects|lfs|modules|worktrees|rebase-apply|rebase-merge|rr-cache|COMMIT_EDITMSG|ADD_EDIT\.patch|addp-hunk-edit\.diff)$/u;

/** Hides files with a login, sockets of its programs, and, unless git alone runs, the contents of all files that the repository ever had. */
function hideInRepository(folder: string, entries: readonly Dirent[], { mounts, readsGit }: Scan): void {
  for (const entry of entries) {
    const path = join(folder, entry.name);
    const isOther = !entry.isDirectory() && !entry.isFile() && !entry.isSymbolicLink();
    if (isOther || (/^(?:config(?:\.worktree)?|FETCH_HEAD)$/u.test(entry.name) && mayHoldLogin(textOf(path))))
      mounts.set(path, "hidden-file");
    else if (!readsGit && !entry.isSymbolicLink() && quoting.test(entry.name))
      mounts.set(path, entry.isDirectory() ? "hidden-folder" : "hidden-file");
  }
}

function mayHoldLogin(settings: string): boolean {
  return /:\/\/[^\s/]*@|extraheader|password|token|secret/iu.test(settings);
}

/** Mounts the target of a link in a root by the verdict on the link's name. A target outside of the roots is not there. */
function mountTarget(link: string, verdict: SandboxVerdict, roots: readonly string[], { mounts }: Scan): void {
  const isInside = (path: string): boolean => roots.some((root) => path.startsWith(root + sep));
  const isSecret = verdict === "secret" || verdict === "plain-secret";
  try {
    const target = realpathSync(link);
    if (!isInside(target)) return;
    if (isSecret) mounts.set(target, statSync(target).isDirectory() ? "hidden-folder" : "hidden-file");
    else if (!mounts.get(target)?.startsWith("hidden")) mounts.set(target, "fixed");
  } catch {
    // It leads nowhere.
  }
}

/** The text of a file. One that cannot be read counts as if it held a token, because nothing is known of it. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "token";
  }
}

export function isFolderAt(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Mounts the folders between a root and the path, so that none can be renamed and replaced by another. In a fixed folder none can be anyway. */
function pin(path: string, roots: readonly string[], mounts: Map<string, MountKind>): void {
  const folders: string[] = [];
  for (let folder = dirname(path); !roots.includes(folder) && dirname(folder) !== folder; folder = dirname(folder))
    folders.push(folder);
  if (folders.some((folder) => mounts.get(folder) === "fixed")) return;
  for (const folder of folders) if (!mounts.has(folder)) mounts.set(folder, "open");
}
