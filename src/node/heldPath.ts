/**
 * A folder that is held by an open handle: what is done in it can't be led elsewhere, while a program that nobody watches renames folders
 * and puts links in their places. Only Linux has paths of handles; elsewhere the path is compared before and after.
 */
import { constants, type FileHandle, lstat, mkdir, open, readlink, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { hasSystemCode, isMissingFile } from "../base/systemErrors";
import { folderReplaced, handlePath, hasOpenFolders, readFlags, statusOf } from "./diskFiles";

export interface HeldPath {
  /** The path of an entry, for calls that do not follow a link at its end. */
  at(name: string): string;
  /** Rejects with code `ESTALE` when another folder, or a link, is at the folder's path by now. */
  check(): Promise<void>;
  close(): Promise<void>;
}

const folderFlags = readFlags | constants.O_DIRECTORY;

/**
 * `path`: absolute, without a link. `makes`: missing folders are made, each in the one that is held. Rejects with code `ESTALE` when a part
 * of the path is a link, or becomes one, and with the file system's error.
 */
export async function holdPath(path: string, { makes = false } = {}): Promise<HeldPath> {
  if (!hasOpenFolders) return holdByName(path, makes);
  const { handle: first, missing } = await openExisting(path, makes);
  let handle = first;
  try {
    for (const name of missing) {
      const inside = join(handlePath(handle), name);
      await mkdir(inside).catch((error: unknown) => {
        if (!hasSystemCode(error, "EEXIST")) throw error;
      });
      const next = await openFolder(inside);
      await handle.close();
      handle = next;
    }
  } catch (error) {
    await handle.close();
    throw error;
  }
  return {
    at: (name) => `${handlePath(handle)}/${name}`,
    async check() {
      if ((await readlink(handlePath(handle))) !== path) throw folderReplaced();
    },
    close: () => handle.close(),
  };
}

/** The deepest folder of the path that is there, and the names of those below it. */
async function openExisting(
  path: string,
  makes: boolean,
): Promise<{ readonly handle: FileHandle; readonly missing: readonly string[] }> {
  try {
    const handle = await openFolder(path);
    // The flag is for the last name only; this compares all of them.
    if ((await readlink(handlePath(handle))) === path) return { handle, missing: [] };
    await handle.close();
  } catch (error) {
    if (!makes || !isMissingFile(error) || dirname(path) === path) throw error;
    const { handle, missing } = await openExisting(dirname(path), makes);
    return { handle, missing: [...missing, basename(path)] };
  }
  throw folderReplaced();
}

async function openFolder(path: string): Promise<FileHandle> {
  return open(path, folderFlags).catch((error: unknown) => {
    throw hasSystemCode(error, "ELOOP") || hasSystemCode(error, "ENOTDIR") ? folderReplaced() : error;
  });
}

async function holdByName(path: string, makes: boolean): Promise<HeldPath> {
  if (makes) await mkdir(path, { recursive: true });
  const identify = async (): Promise<string> => {
    if ((await realpath(path)) !== path) throw folderReplaced();
    return statusOf(await lstat(path)).identity;
  };
  const held = await identify();
  return {
    at: (name) => join(path, name),
    async check() {
      if ((await identify()) !== held) throw folderReplaced();
    },
    close: () => Promise.resolve(),
  };
}
