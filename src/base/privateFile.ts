/** Writes files that only this person may read: atomically, in a private folder, and without following planted links. */
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { chmod, lstat, mkdir, open, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";

/** Creates the folder if it is missing. Rejects when a link or a file is in its place. */
export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  if (!found.isDirectory())
    throw new Error(`The folder ${basename(folder)} is a link to another place; nothing is saved there.`);
  // A folder that was there before keeps its mode. Windows has no such bits.
  if (process.platform !== "win32" && (found.mode & 0o077) !== 0) await chmod(folder, 0o700);
}

/** The flags for a new file with a random name, which can't be planted beforehand. On Windows O_NOFOLLOW is undefined, which counts as 0. */
export const newFileFlags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Writes a small file atomically; an existing file or link of that name is replaced. */
export async function writeAtomically(folder: string, name: string, content: Uint8Array | string): Promise<string> {
  const path = join(folder, name);
  const part = join(folder, `${randomUUID()}.tmp`);
  const file = await open(part, newFileFlags, 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
    await file.close();
    // Renaming replaces a link instead of following it.
    await rename(part, path);
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(part, { force: true });
    throw error;
  }
  return path;
}
