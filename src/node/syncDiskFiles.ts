/**
 * `diskFiles` with synchronous calls, for a separate thread: asynchronous calls cost several times as much as the work itself.
 */
import {
  closeSync,
  fstatSync,
  lstatSync,
  readdirSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  constants,
} from "node:fs";
import type { FolderEntry, OpenFile, Workspace } from "../domain/tools/workspace";
import { folderReplaced, handlePath, hasOpenFolders, kindOf, readFlags, statusOf } from "./diskFiles";

const chunkLength = 64 * 1024;

/** The bytes that a file gives are valid until the next file is read. */
export const syncDiskFiles: Pick<Workspace, "realPath" | "status" | "list" | "open"> = {
  realPath: (path) => settle(() => realpathSync.native(path)),
  status: (path) => settle(() => statusOf(lstatSync(path))),
  list: (folder, limit) => settle(() => (hasOpenFolders ? listOpen(folder, limit) : listUnmoved(folder, limit))),
  open: (path) => settle(() => openFile(path)),
};

function settle<T>(work: () => T): Promise<T> {
  return new Promise((resolve) => resolve(work()));
}

function listOpen(folder: string, limit: number): ReturnType<typeof readEntries> {
  const handle = openSync(folder, readFlags | constants.O_DIRECTORY);
  try {
    const name = handlePath(handle);
    if (readlinkSync(name) === folder) return readEntries(name, limit);
    throw folderReplaced();
  } finally {
    closeSync(handle);
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
  // A `Dir` would take the names in batches, and twice the time.
  const found = readdirSync(folder, { withFileTypes: true });
  const entries = found.slice(0, limit).map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
  return { entries, more: found.length > limit };
}

function openFile(path: string): OpenFile {
  const handle = openSync(path, readFlags);
  try {
    const status = statusOf(fstatSync(handle));
    // Looks twice, because a name can change and change back between two calls.
    const isNamed = (at: string): boolean =>
      realpathSync.native(at) === at && statusOf(lstatSync(at)).identity === status.identity;
    return {
      status,
      isAt: (at) =>
        settle(() => (hasOpenFolders ? readlinkSync(handlePath(handle)) === at : isNamed(at) && isNamed(at))),
      read: (limit) => settle(() => readUpTo(handle, Math.min(limit, status.size + 1), limit)),
      close: () => settle(() => closeSync(handle)),
    };
  } catch (error) {
    closeSync(handle);
    throw error;
  }
}

/** The buffer into which most files are read: a new one for each file would burden the garbage collector. */
const shared = Buffer.allocUnsafe(256 * 1024);

/** A file that still has its expected length is read with one call. */
function readUpTo(handle: number, expected: number, limit: number): Uint8Array {
  const first = expected <= shared.length ? shared.subarray(0, expected) : Buffer.allocUnsafe(expected);
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
