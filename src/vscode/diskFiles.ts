/** The part of the workspace port that reads the disk, by Node itself: `workspace.fs` takes a round trip to the window for each call. */
import type { Dirent, Stats } from "node:fs";
import { constants, type FileHandle, lstat, open, opendir, realpath } from "node:fs/promises";
import type { FileKind, FileStatus, FolderEntry, OpenFile, Workspace } from "../domain/workspace";

// Windows has neither flag; there, links need a privilege and pipes are no files.
const { O_NOFOLLOW, O_NONBLOCK } = constants as Partial<typeof constants>;
const readFlags = constants.O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0);
const chunkLength = 256 * 1024;

export const diskFiles: Pick<Workspace, "realPath" | "status" | "list" | "open"> = {
  realPath: (path) => realpath(path),
  status: async (path) => statusOf(await lstat(path)),
  async list(folder, limit) {
    const entries: FolderEntry[] = [];
    // Read in batches: one readdir of 50,000 names makes all of its objects at once.
    for await (const entry of await opendir(folder, { bufferSize: 256 })) {
      if (entries.length === limit) return { entries, more: true };
      entries.push({ name: entry.name, kind: kindOf(entry) });
    }
    return { entries, more: false };
  },
  open: openFile,
};

async function openFile(path: string): Promise<OpenFile> {
  const handle = await open(path, readFlags);
  try {
    const status = statusOf(await handle.stat());
    return { status, read: (limit) => readUpTo(handle, limit), close: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function readUpTo(handle: FileHandle, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (length < limit) {
    const chunk = new Uint8Array(Math.min(chunkLength, limit - length));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, length);
    if (bytesRead === 0) break;
    chunks.push(chunk.subarray(0, bytesRead));
    length += bytesRead;
  }
  return Buffer.concat(chunks);
}

function statusOf(stats: Stats): FileStatus {
  return { kind: kindOf(stats), size: stats.size, links: stats.nlink, identity: `${stats.dev}:${stats.ino}` };
}

function kindOf(of: Dirent | Stats): FileKind {
  if (of.isSymbolicLink()) return "link";
  if (of.isDirectory()) return "folder";
  return of.isFile() ? "file" : "other";
}
