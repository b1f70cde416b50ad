/** Implements file calls of the workspace port through Node: `workspace.fs` would make a round trip to the window for each call. */
import { type Dirent, existsSync, type Stats } from "node:fs";
import { constants, type FileHandle, lstat, open, opendir, readlink, realpath, statfs } from "node:fs/promises";
import type { FileKind, FileStatus, FolderEntry, OpenFile, Workspace } from "../domain/tools/workspace";

// Windows has neither flag; there, links need a privilege and pipes are not in the file system.
const { O_NOFOLLOW, O_NONBLOCK } = constants as Partial<typeof constants>;
export const readFlags = constants.O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0);
const chunkLength = 256 * 1024;

export const diskFiles: Pick<Workspace, "realPath" | "status" | "list" | "open"> = {
  realPath: (path) => realpath(path),
  status: async (path) => statusOf(await lstat(path)),
  async list(folder, limit) {
    if (!hasOpenFolders) return listNamed(folder, folder, limit);
    // Checks and reads one open handle, so a rename in between can't swap the folder.
    const handle = await open(folder, readFlags | constants.O_DIRECTORY);
    try {
      return await listNamed(folder, handlePath(handle.fd), limit);
    } finally {
      await handle.close();
    }
  },
  open: openFile,
};

/** Only Linux gives the path of an open handle; elsewhere the path is resolved before and after the read. */
export const hasOpenFolders = process.platform === "linux" && existsSync("/proc/self/fd");
export const handlePath = (fd: number): string => `/proc/self/fd/${fd}`;

async function listNamed(folder: string, name: string, limit: number): ReturnType<Workspace["list"]> {
  const isUnmoved = async (): Promise<boolean> =>
    name === folder ? (await realpath(folder)) === folder : (await readlink(name)) === folder;
  const entries: FolderEntry[] = [];
  let more = false;
  const isUnmovedBefore = await isUnmoved();
  // The folder is read in batches: one readdir of 50,000 names would create all of its objects at once.
  for await (const entry of await opendir(name, { bufferSize: 256 })) {
    more = entries.length === limit;
    if (more) break;
    entries.push({ name: entry.name, kind: kindOf(entry) });
  }
  if (isUnmovedBefore && (await isUnmoved())) return { entries, more };
  throw folderReplaced();
}

export function folderReplaced(): Error {
  return Object.assign(new Error("The folder was replaced."), { code: "ESTALE" });
}

/** Looks twice, because a name can change and change back between two calls. */
async function isNamed(path: string, identity: string): Promise<boolean> {
  for (let look = 0; look < 2; look += 1) {
    if ((await realpath(path)) !== path || statusOf(await lstat(path)).identity !== identity) return false;
  }
  return true;
}

async function openFile(path: string): Promise<OpenFile> {
  const handle = await open(path, readFlags);
  try {
    const status = statusOf(await handle.stat());
    return {
      status,
      isAt: async (at) =>
        hasOpenFolders ? (await readlink(handlePath(handle.fd))) === at : isNamed(at, status.identity),
      read: (limit) => readUpTo(handle, status.size + 1, limit),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** A file that still has its expected length is read with one call into a buffer of that length; longer buffers would burden the collector. */
async function readUpTo(handle: FileHandle, expected: number, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let size = Math.min(expected, limit); ; size = Math.min(chunkLength, limit - length)) {
    const chunk = new Uint8Array(size);
    const { bytesRead } = await handle.read(chunk, 0, size, length);
    chunks.push(chunk.subarray(0, bytesRead));
    length += bytesRead;
    if (bytesRead < size || length >= limit) return Buffer.concat(chunks);
  }
}

export function statusOf(stats: Stats): FileStatus {
  return {
    kind: kindOf(stats),
    size: stats.size,
    links: stats.nlink,
    identity: `${stats.dev}:${stats.ino}`,
    ...(process.platform === "win32" ? {} : { mode: stats.mode & 0o777 }),
  };
}

export function kindOf(of: Dirent | Stats): FileKind {
  if (of.isSymbolicLink()) return "link";
  if (of.isDirectory()) return "folder";
  return of.isFile() ? "file" : "other";
}

/**
 * The free bytes that this person may still write on the disk of a folder; `undefined` where the file system does not report them.
 */
export async function freeSpace(folder: string): Promise<number | undefined> {
  const found = await statfs(folder).catch(() => undefined);
  // Some network drives report a total of zero.
  return found === undefined || found.blocks === 0 ? undefined : found.bavail * found.bsize;
}
