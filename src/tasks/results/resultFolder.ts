/** The results folder: private to the person, and links that were planted in it are not followed. */
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { chmod, lstat, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

/** Creates the folder if it is missing. Rejects, before anything is downloaded, when a link is in its place. */
export async function openResultFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  if (!found.isDirectory()) throw new Error("The results folder is a link to another place; nothing is saved there.");
  // An earlier version made it readable for everybody. Windows has no such bits.
  if (process.platform !== "win32" && (found.mode & 0o077) !== 0) await chmod(folder, 0o700);
}

/** A random name can't be planted beforehand; on Windows O_NOFOLLOW is undefined, which counts as 0. */
export const newFile = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Writes a small file atomically; an existing file or link of that name is replaced. */
export async function writeBeside(folder: string, name: string, content: Uint8Array | string): Promise<string> {
  const path = join(folder, name);
  const part = join(folder, `${randomUUID()}.tmp`);
  const file = await open(part, newFile, 0o600);
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

/** Whether a stored path is a regular file of this folder. */
export async function isResultFile(folder: string, path: string): Promise<boolean> {
  if (dirname(resolve(path)) !== resolve(folder)) return false;
  return lstat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

/** What a process that is gone has begun may be continued or removed. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
