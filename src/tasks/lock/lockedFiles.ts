/**
 * Reads the files that a lock names, and nothing else: below the folder also when every link is followed, regular files only, without waiting for a
 * pipe or a device. Paths of a lock are foreign text.
 */
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { isMissingPath } from "../../base/systemErrors";
import { isLockPath, lockName, maxLockBytes } from "../../domain/lock/lockFile";

// Windows has neither flag; there, links need a privilege and pipes are not in the file system.
const { O_NOFOLLOW, O_NONBLOCK } = constants as Partial<typeof constants>;
const readFlags = constants.O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0);

/** The reason why a file was not read. `outside`: a link leads out of the folder. */
export type Unread = "missing" | "outside" | "not-a-file" | "too-large";

/** Bytes of a file that is hashed. */
const maxHashed = 4 * 1024 ** 3;

/** `path`: as in a lock. Rejects with the file system's error where the file is there and can't be read. */
async function openBelow(root: string, path: string): Promise<Awaited<ReturnType<typeof open>> | Unread> {
  if (!isLockPath(path)) return "outside";
  const top = await realpath(root);
  const file = join(top, ...path.split("/"));
  try {
    const real = await realpath(file);
    if (!real.startsWith(top.endsWith(sep) ? top : top + sep)) return "outside";
    // Opening a device may have an effect, so it is looked at first.
    if (!(await lstat(file)).isFile()) return "not-a-file";
    const handle = await open(real, readFlags);
    if ((await handle.stat()).isFile()) return handle;
    await handle.close();
    return "not-a-file";
  } catch (error) {
    if (!isMissingPath(error)) throw error;
    // A link that leads to nothing counts as there, because a program that writes a new file would follow it.
    return (await isNamed(file)) ? "not-a-file" : "missing";
  }
}

function isNamed(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}

/** Reads the whole file; resolves with the reason where it was not read. */
export async function readBelow(root: string, path: string, maxBytes: number): Promise<Buffer | Unread> {
  const file = await openBelow(root, path);
  if (typeof file === "string") return file;
  try {
    const { size } = await file.stat();
    if (size > maxBytes) return "too-large";
    const buffer = Buffer.alloc(size + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length, length);
      length += bytesRead;
      // The file grew since, so it is being written.
      if (length > size) return "too-large";
      if (bytesRead === 0) return buffer.subarray(0, length);
    }
  } finally {
    await file.close();
  }
}

/** The lock of a folder; a later read shows whether it is still the same. */
export function readLockFile(root: string): Promise<Buffer | Unread> {
  return readBelow(root, lockName, maxLockBytes);
}

export interface HashedFile {
  readonly sha256: string;
  readonly bytes: number;
  /** The first bytes, as many as were wanted. */
  readonly start: Buffer;
}

/**
 * `expected` is the file's length by the lock; a file of another length is not read, because its hash is another one too. `kept` is the number of
 * bytes in `start`, for what is read of the file.
 */
export async function hashBelow(
  root: string,
  path: string,
  expected?: number,
  kept = 0,
): Promise<HashedFile | Unread | "other"> {
  const file = await openBelow(root, path);
  if (typeof file === "string") return file;
  try {
    const { size } = await file.stat();
    if (expected !== undefined && size !== expected) return "other";
    if (size > maxHashed) return "too-large";
    const hash = createHash("sha256");
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of file.createReadStream({ autoClose: false, end: Math.max(0, size) })) {
      const part = chunk as Buffer;
      if (bytes < kept) chunks.push(part);
      hash.update(part);
      bytes += part.length;
    }
    return { sha256: hash.digest("hex"), bytes, start: Buffer.concat(chunks).subarray(0, kept) };
  } finally {
    await file.close();
  }
}

export function sha256Of(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
