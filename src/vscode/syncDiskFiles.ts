/**
 * What a search reads through, with synchronous calls: on a thread of its own they take a fraction of the time of those of
 * `diskFiles`. On Linux a folder is checked once and held open, and its files are opened below that handle: whatever is renamed,
 * they lie in the folder that was checked.
 */
import {
  closeSync,
  fstatSync,
  lstatSync,
  opendirSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  constants,
} from "node:fs";
import { basename, dirname } from "node:path";
import type { FolderEntry, OpenFile, Workspace } from "../domain/workspace";
import { folderReplaced, hasOpenFolders, kindOf, readFlags, statusOf } from "./diskFiles";

/** Folders that are held open at a time. */
const mostHandles = 64;
const chunkLength = 64 * 1024;

export function createSyncDiskFiles(): Pick<Workspace, "realPath" | "status" | "list" | "open"> {
  const folders = new FolderHandles();
  return {
    realPath: (path) => settle(() => realpathSync.native(path)),
    status: (path) => settle(() => statusOf(lstatSync(path))),
    list: (folder, limit) =>
      settle(() =>
        hasOpenFolders ? readEntries(`/proc/self/fd/${folders.open(folder)}`, limit) : listUnmoved(folder, limit),
      ),
    open: (path) => settle(() => (hasOpenFolders ? folders.openFile(path) : openNamed(path))),
  };
}

function settle<T>(work: () => T): Promise<T> {
  return new Promise((resolve) => resolve(work()));
}

/** Handles of folders that were at their paths, with no link on them, when they were opened. The oldest one is closed for a new one. */
class FolderHandles {
  readonly #handles = new Map<string, number>();

  open(folder: string): number {
    const known = this.#handles.get(folder);
    if (known !== undefined) return known;
    const handle = openSync(folder, readFlags | constants.O_DIRECTORY);
    if (readlinkSync(`/proc/self/fd/${handle}`) !== folder) {
      closeSync(handle);
      throw folderReplaced();
    }
    const [oldest] = this.#handles;
    if (oldest && this.#handles.size === mostHandles) {
      this.#handles.delete(oldest[0]);
      closeSync(oldest[1]);
    }
    this.#handles.set(folder, handle);
    return handle;
  }

  openFile(path: string): OpenFile {
    const folder = this.open(dirname(path));
    return openedFile(openSync(`/proc/self/fd/${folder}/${basename(path)}`, readFlags), (at) => at === path);
  }
}

function listUnmoved(folder: string, limit: number): ReturnType<typeof readEntries> {
  const isUnmovedBefore = realpathSync.native(folder) === folder;
  const listed = readEntries(folder, limit);
  if (isUnmovedBefore && realpathSync.native(folder) === folder) return listed;
  throw folderReplaced();
}

function readEntries(
  folder: string,
  limit: number,
): { readonly entries: readonly FolderEntry[]; readonly more: boolean } {
  const entries: FolderEntry[] = [];
  const open = opendirSync(folder, { bufferSize: 256 });
  try {
    for (let entry = open.readSync(); entry; entry = open.readSync()) {
      if (entries.length === limit) return { entries, more: true };
      entries.push({ name: entry.name, kind: kindOf(entry) });
    }
    return { entries, more: false };
  } finally {
    open.closeSync();
  }
}

function openNamed(path: string): OpenFile {
  const handle = openSync(path, readFlags);
  const { identity } = statusOf(fstatSync(handle));
  // Looks twice, because a name can change and change back between two calls.
  const isNamed = (at: string): boolean =>
    realpathSync.native(at) === at && statusOf(lstatSync(at)).identity === identity;
  return openedFile(handle, (at) => isNamed(at) && isNamed(at));
}

function openedFile(handle: number, isAt: (path: string) => boolean): OpenFile {
  try {
    const status = statusOf(fstatSync(handle));
    return {
      status,
      isAt: (path) => settle(() => isAt(path)),
      read: (limit) => settle(() => readUpTo(handle, Math.min(limit, status.size + 1), limit)),
      close: () => settle(() => closeSync(handle)),
    };
  } catch (error) {
    closeSync(handle);
    throw error;
  }
}

/** A file of the length that its status gave is read with one call. */
function readUpTo(handle: number, expected: number, limit: number): Uint8Array {
  const first = Buffer.allocUnsafe(expected);
  const length = readSync(handle, first, 0, expected, 0);
  const chunks = [first.subarray(0, length)];
  for (let at = length; length === expected && at < limit;) {
    const chunk = Buffer.allocUnsafe(Math.min(chunkLength, limit - at));
    const read = readSync(handle, chunk, 0, chunk.length, at);
    if (read === 0) break;
    chunks.push(chunk.subarray(0, read));
    at += read;
  }
  return chunks.length === 1 ? (chunks[0] ?? first) : Buffer.concat(chunks);
}
