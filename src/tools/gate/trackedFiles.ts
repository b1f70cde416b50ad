/** Finds the files that git does not track, by the repository's index: these may have been downloaded or unpacked here (A4). git is not run. */
import { dirname, join, relative, sep } from "node:path";
import { TimeSlices } from "../../base/async/timeSlices";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import { readSmallFile } from "./fileAccess";
import { type GitRepository, readRepository } from "./gitRepository";
import { isExecutedPath } from "./executedNames";
import { isInside, toSlashes } from "./pathNames";
import { isSecretPath } from "./sensitiveNames";

/** Bytes; an index of 500,000 files. */
const maxIndexLength = 64 * 1024 * 1024;

/**
 * The files that lie in a repository and are not tracked, or outside of the workspace. Below a submodule its own index decides. A file outside of
 * any repository is not among them: Workspace Trust alone decides on it. With an index that can't be read no file counts as tracked. Before the
 * first commit those that were there when the folder was opened count as tracked. `files`: absolute, links resolved. A folder, of which
 * something must be tracked, ends with a slash.
 */
export async function findUntracked(
  workspace: ReadableWorkspace,
  files: readonly string[],
  slices: TimeSlices,
): Promise<readonly string[]> {
  return (await sortFiles(workspace, files, slices)).untracked;
}

/** The files that the project's own index names: outside of any repository, and in a submodule, there are none. `files` is as in `findUntracked`. */
export async function findTracked(
  workspace: ReadableWorkspace,
  files: readonly string[],
  slices: TimeSlices,
  onLink?: (link: TrackedLink) => void,
): Promise<ReadonlySet<string>> {
  const { untracked, unversioned, ofSubmodules } = await sortFiles(workspace, files, slices, onLink);
  const others = new Set([...untracked, ...unversioned, ...ofSubmodules]);
  return new Set(files.filter((file) => !others.has(file)));
}

/** More links than a person makes: each is resolved for each edit. */
const maxLinks = 1000;

/**
 * Whether git tracks all of these, and no link that it tracks gives one of them a name that a program obeys or that may hold a secret: an agent reads
 * `AGENTS.md` whatever the file is called that it leads to. Never rejects: what can't be read is not tracked. `files`: absolute.
 */
export async function areTracked(workspace: ReadableWorkspace, files: readonly string[]): Promise<boolean> {
  try {
    const real = await Promise.all(files.map((file) => workspace.realPath(file)));
    const slices = new TimeSlices();
    const links: TrackedLink[] = [];
    const tracked = await findTracked(workspace, real, slices, (link) => {
      if (links.length <= maxLinks) links.push(link);
    });
    if (links.length > maxLinks || !real.every((file) => tracked.has(file))) return false;
    for (const { top, path } of links) {
      if (slices.isSpent) await slices.next();
      const target = await workspace.realPath(join(top, path)).catch(() => undefined);
      if (target === undefined) continue;
      const others = real.flatMap((file) => (isInside(target, file) ? [join(path, relative(target, file))] : []));
      if (others.map(toSlashes).some((name) => isExecutedPath(name) || isSecretPath(name))) return false;
    }
    return true;
  } catch {
    return false;
  }
}

/** `path`: relative to the folder `top` of its repository. */
interface TrackedLink {
  readonly top: string;
  readonly path: string;
}

interface SortedFiles {
  readonly untracked: readonly string[];
  /** Files outside of any repository. */
  readonly unversioned: readonly string[];
  /** Files below a submodule, whether it tracks them or not. */
  readonly ofSubmodules: readonly string[];
}

/** The files that are looked for in one index, by their paths in it, as byte strings. */
interface WantedFiles {
  readonly top: string;
  readonly paths: Map<string, string>;
}

async function sortFiles(
  workspace: ReadableWorkspace,
  files: readonly string[],
  slices: TimeSlices,
  onLink?: (link: TrackedLink) => void,
): Promise<SortedFiles> {
  const roots = await Promise.all(workspace.roots().map(({ path }) => workspace.realPath(path).catch(() => undefined)));
  const repositories = new Map<string, Promise<GitRepository | undefined>>();
  const open = (top: string): Promise<GitRepository | undefined> => {
    const known = repositories.get(top) ?? readRepository(workspace, top);
    repositories.set(top, known);
    return known;
  };
  const owners = new Map<string, ReturnType<typeof findRepository>>();
  const untracked: string[] = [];
  const unversioned: string[] = [];
  const ofSubmodules: string[] = [];
  let wanted = new Map<GitRepository, WantedFiles>();
  const want = (into: typeof wanted, { top, repository }: FoundRepository, path: string, file: string): void => {
    const known = into.get(repository) ?? { top, paths: new Map<string, string>() };
    known.paths.set(path, file);
    into.set(repository, known);
  };
  for (const file of files) {
    const root = roots.find((one) => one !== undefined && isInside(one, file));
    if (slices.isSpent) await slices.next();
    if (root === undefined) {
      untracked.push(file);
      continue;
    }
    const owner = owners.get(dirname(file)) ?? findRepository(root, file, open);
    owners.set(dirname(file), owner);
    const found = await owner;
    if (!found) {
      unversioned.push(file);
      continue;
    }
    const inside = relative(found.top, file).replaceAll(sep, "/");
    const path = inside !== "" && file.endsWith("/") ? `${inside}/` : inside;
    want(wanted, found, Buffer.from(path).toString("latin1"), file);
  }
  // Each round goes one submodule deeper, with shorter paths.
  while (wanted.size > 0) {
    const deeper: typeof wanted = new Map();
    for (const [{ index, hashLength }, { top, paths }] of wanted) {
      const bytes = await readSmallFile(workspace, index, maxIndexLength);
      const submodules =
        bytes instanceof Uint8Array
          ? await dropTracked(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), hashLength, paths, {
              slices,
              ...(onLink && {
                onLink: (path: string) => onLink({ top, path: Buffer.from(path, "latin1").toString() }),
              }),
            })
          : new Set<string>();
      for (const [path, file] of paths) {
        const folder = folderAbove(path, submodules);
        if (folder === undefined) {
          if ((await workspace.wasThere?.(file)) !== true) untracked.push(file);
          continue;
        }
        ofSubmodules.push(file);
        const below = join(top, Buffer.from(folder, "latin1").toString());
        const repository = await open(below);
        if (repository) want(deeper, { top: below, repository }, path.slice(folder.length), file);
        else untracked.push(file);
      }
    }
    wanted = deeper;
  }
  return { untracked, unversioned, ofSubmodules };
}

interface FoundRepository {
  readonly top: string;
  readonly repository: GitRepository;
}

/** Finds the repository of the workspace folder, else the first one on the way down: one in an untracked folder does not vouch for its files. */
async function findRepository(
  root: string,
  file: string,
  open: (top: string) => Promise<GitRepository | undefined>,
): Promise<FoundRepository | undefined> {
  const above = [root];
  for (let folder = root; dirname(folder) !== folder; folder = dirname(folder)) above.push(dirname(folder));
  const names = relative(root, dirname(file)).split(sep);
  for (const top of [...above, ...names.map((_, at) => join(root, ...names.slice(0, at + 1)))]) {
    const repository = await open(top);
    if (repository) return { top, repository };
  }
  return undefined;
}

const submoduleMode = 0o160000;
const linkMode = 0o120000;

/**
 * Removes from `paths` what the index names, and resolves with the folders of submodules. A folder that a sparse checkout leaves
 * out does not make what lies in it tracked. Linear in both: the index, too, may be made by others. Names are byte strings.
 */
async function dropTracked(
  index: Buffer,
  hashLength: number,
  paths: Map<string, string>,
  { slices, onLink }: { readonly slices: TimeSlices; readonly onLink?: (path: string) => void },
): Promise<ReadonlySet<string>> {
  const wantedFolders = [...paths.keys()].filter((path) => path === "" || path.endsWith("/"));
  const submodules = new Set<string>();
  await readEntries(index, hashLength, slices, (name, mode) => {
    paths.delete(name);
    for (const folder of wantedFolders) if (name.startsWith(folder)) paths.delete(folder);
    if (mode === submoduleMode) submodules.add(`${name}/`);
    if (mode === linkMode) onLink?.(name);
    return paths.size > 0 || onLink !== undefined;
  });
  return submodules;
}

/** The first of the folders that the path leads through, or is itself. */
function folderAbove(path: string, folders: ReadonlySet<string>): string | undefined {
  if (folders.size === 0) return undefined;
  for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1)) {
    if (folders.has(path.slice(0, end + 1))) return path.slice(0, end + 1);
  }
  return undefined;
}

/** Reads entries of an index, in git's format of versions 2 to 4, until `onEntry` is false. What follows a damaged entry is not read. */
async function readEntries(
  index: Buffer,
  hashLength: number,
  slices: TimeSlices,
  onEntry: (name: string, mode: number) => boolean,
): Promise<void> {
  if (index.length < 12 || index.toString("latin1", 0, 4) !== "DIRC") return;
  const version = index.readUInt32BE(4);
  const count = index.readUInt32BE(8);
  if (version < 2 || version > 4) return;
  let name = "";
  let at = 12;
  for (let entry = 0; entry < count; entry += 1) {
    if (entry % 5000 === 0 && slices.isSpent) await slices.next();
    const start = at;
    const flagsAt = start + 40 + hashLength;
    if (flagsAt + 4 > index.length) return;
    const isExtended = version > 2 && (index.readUInt16BE(flagsAt) & 0x4000) !== 0;
    at = flagsAt + (isExtended ? 4 : 2);
    let kept = 0;
    if (version === 4) {
      const removed = readOffset(index, at);
      kept = name.length - removed.value;
      at = removed.next;
    }
    const end = index.indexOf(0, at);
    if (end < 0 || kept < 0) return;
    name = name.slice(0, kept) + index.toString("latin1", at, end);
    at = version === 4 ? end + 1 : start + (((end - start) >> 3) + 1) * 8;
    if (!onEntry(name, index.readUInt32BE(start + 24))) return;
  }
}

/** git's variable-length integer. */
function readOffset(index: Buffer, from: number): { readonly value: number; readonly next: number } {
  let at = from;
  let byte = index[at] ?? 0;
  let value = byte & 127;
  while ((byte & 128) !== 0 && at - from < 5) {
    at += 1;
    byte = index[at] ?? 0;
    value = (value + 1) * 128 + (byte & 127);
  }
  return { value, next: at + 1 };
}
