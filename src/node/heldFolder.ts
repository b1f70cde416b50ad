/**
 * Holds folders by open handles, so that changes can't be redirected to another place while an unwatched program renames folders or replaces
 * them by links. Only Linux gives the path of a handle; on other systems `holdPath` compares the path before and after.
 */
import {
  chmodSync,
  close,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  type Dirent,
  readdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  symlinkSync,
  unlinkSync,
  utimesSync,
} from "node:fs";
import { copyFile, lstat, mkdir, realpath } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { hasSystemCode, isMissingFile } from "../base/systemErrors";
import { folderReplaced, handlePath, hasOpenFolders, readFlags, statusOf } from "./diskFiles";

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;

/** The state of a file when it was read: a change is refused if the file differs by then. `undefined`: there was no file. */
export type SeenFile = Pick<Stats, "ino" | "size" | "mtimeMs" | "ctimeMs">;

class FileDiffers extends Error {
  override readonly name = "FileDiffers";
}

/** An open folder. Names are never paths. Its calls are synchronous and take microseconds; a promise would take most of a millisecond. */
export class HeldFolder {
  readonly #handle: number;

  private constructor(path: string) {
    this.#handle = openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  }

  /** The folder's current path, also after it was moved. */
  get path(): string {
    return readlinkSync(handlePath(this.#handle));
  }

  /** `path`: absolute, links resolved. */
  static open(path: string): HeldFolder {
    return new HeldFolder(path);
  }

  /** Opens a folder in this one; with `isMade` a missing one is created. Throws for a link and for anything that is no folder. */
  enter(name: string, isMade: boolean): HeldFolder {
    const path = this.at(name);
    try {
      if (isMade) mkdirSync(path);
    } catch (error) {
      if (!hasSystemCode(error, "EEXIST")) throw error;
    }
    return new HeldFolder(path);
  }

  /** The status of the entry itself, without following a link; `undefined` when there is none. */
  status(name: string): Stats | undefined {
    return lstatSync(this.at(name), { throwIfNoEntry: false });
  }

  /** The status of this folder. */
  get own(): Stats {
    return fstatSync(this.#handle);
  }

  names(): readonly string[] {
    return readdirSync(this.at("."));
  }

  entries(): readonly Dirent[] {
    return readdirSync(this.at("."), { withFileTypes: true });
  }

  /** Moves a file here in one step, from a folder that nobody else changes. A file on another disk is copied first. */
  async put(
    source: string,
    name: string,
    { seen, mode }: { readonly seen: SeenFile | undefined; readonly mode: number },
  ): Promise<void> {
    const to = this.at(name);
    const from = lstatSync(source);
    if (!from.isFile()) throw new FileDiffers("It is no file.");
    if (from.nlink === 1 && from.dev === fstatSync(this.#handle).dev) {
      chmodSync(source, mode);
      this.#check(name, seen);
      await withoutFreeing(to, () => renameSync(source, to));
      return;
    }
    const part = this.at(`.${randomUUID()}.part`);
    try {
      await copyFile(source, part, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
      chmodSync(part, mode);
      utimesSync(part, from.atime, from.mtime);
      this.#check(name, seen);
      await withoutFreeing(to, () => renameSync(part, to));
    } catch (error) {
      rmSync(part, { force: true });
      throw error;
    }
    unlinkSync(source);
  }

  async remove(name: string, seen: SeenFile): Promise<void> {
    this.#check(name, seen);
    await withoutFreeing(this.at(name), () => unlinkSync(this.at(name)));
  }

  /**
   * Moves a folder to the free path `to`, where another program deletes it: that takes a millisecond a file. A folder that can't be moved, as to
   * another disk, is removed at once.
   */
  discardFolder(name: string, to: string): void {
    try {
      if (this.status(name)?.isDirectory() === true) renameSync(this.at(name), to);
    } catch (error) {
      if (!hasSystemCode(error, "EXDEV", "EACCES", "EPERM")) throw error;
      this.#removeFolder(name);
    }
  }

  /** Removes a folder with its entries. A link in it is removed, not followed. */
  #removeFolder(name: string): void {
    const folder = this.enter(name, false);
    try {
      for (const each of folder.names()) {
        if (folder.status(each)?.isDirectory() === true) folder.#removeFolder(each);
        else unlinkSync(folder.at(each));
      }
    } finally {
      folder.close();
    }
    rmdirSync(this.at(name));
  }

  /** Removes a folder if it holds nothing but empty folders, which are removed first. A folder with other entries stays. */
  removeEmpty(name: string): void {
    const folder = this.enter(name, false);
    try {
      for (const each of folder.names()) if (folder.status(each)?.isDirectory() === true) folder.removeEmpty(each);
      if (folder.names().length > 0) return;
    } finally {
      folder.close();
    }
    rmdirSync(this.at(name));
  }

  /** Creates a link; throws when the name is taken. */
  link(target: string, name: string): void {
    symlinkSync(target, this.at(name));
  }

  close(): void {
    closeSync(this.#handle);
  }

  #check(name: string, seen: SeenFile | undefined): void {
    const now = this.status(name);
    const isSame = seen === undefined ? now === undefined : now !== undefined && isSeen(now, seen);
    if (!isSame) throw new FileDiffers("it was changed meanwhile");
  }

  /** The path of an entry, for calls that do not follow a link at its end. */
  at(name: string): string {
    return `${handlePath(this.#handle)}/${name}`;
  }
}

/** Files whose handles are being closed. */
const closings = new Set<Promise<void>>();
const closingCap = 64;

/**
 * The system frees the space of a file with its last name or its last handle, and waits for the disk: a millisecond for each of a thousand files.
 * The file is therefore held open during the change, and its handle is closed on another thread.
 */
async function withoutFreeing(path: string, change: () => void): Promise<void> {
  const handle = openIfFile(path);
  try {
    change();
  } finally {
    if (handle !== undefined) closeLater(handle);
  }
  if (closings.size >= closingCap) await Promise.race(closings);
}

function closeLater(handle: number): void {
  const closing = new Promise<void>((resolve) => {
    close(handle, () => {
      closings.delete(closing);
      resolve();
    });
  });
  closings.add(closing);
}

function openIfFile(path: string): number | undefined {
  try {
    return openSync(path, readFlags);
  } catch {
    return undefined;
  }
}

function isSeen(now: SeenFile, seen: SeenFile): boolean {
  return (["ino", "size", "mtimeMs", "ctimeMs"] as const).every((key) => now[key] === seen[key]);
}

/** How many folders are open at the same time. */
const openCap = 64;

/** Folders below one that is open, each opened once while several files in it are changed. */
export class HeldTree {
  readonly #root: HeldFolder;
  readonly #open = new Map<string, HeldFolder>();

  /** `path`: absolute, links resolved. */
  constructor(path: string) {
    this.#root = openWhole(path, false);
  }

  /** `path`: relative, with `/`; empty for the root. The folder is open at least until the next call. */
  folder(path: string, isMade: boolean): HeldFolder {
    if (path === "") return this.#root;
    const known = this.#open.get(path);
    if (known) return known;
    if (this.#open.size >= openCap) this.#closeOpen();
    let folder = this.#root;
    const names = path.split("/");
    for (const [at, name] of names.entries()) {
      const inRoot = names.slice(0, at + 1).join("/");
      const next = this.#open.get(inRoot) ?? folder.enter(name, isMade);
      this.#open.set(inRoot, next);
      folder = next;
    }
    return folder;
  }

  close(): void {
    this.#closeOpen();
    this.#root.close();
  }

  #closeOpen(): void {
    for (const folder of this.#open.values()) folder.close();
    this.#open.clear();
  }
}

export interface HeldPath {
  /** The path of an entry, for calls that do not follow a link at its end. */
  at(name: string): string;
  /** Rejects with code `ESTALE` when another folder, or a link, is at the folder's path by now. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/**
 * `path`: absolute, without a link. `makes`: missing folders are made, each in the one that is held. Rejects with code `ESTALE` when a part
 * of the path is a link, or becomes one, and with the file system's error.
 */
export async function holdPath(path: string, { makes = false } = {}): Promise<HeldPath> {
  if (!hasOpenFolders) return holdByName(path, makes);
  const folder = openWhole(path, makes);
  return {
    at: (name) => folder.at(name),
    check: () => (folder.path === path ? Promise.resolve() : Promise.reject(folderReplaced())),
    close() {
      folder.close();
      return Promise.resolve();
    },
  };
}

function openWhole(path: string, makes: boolean): HeldFolder {
  try {
    const folder = HeldFolder.open(path);
    // The flag is for the last name only; this compares all of them.
    if (folder.path === path) return folder;
    folder.close();
  } catch (error) {
    if (!makes || !isMissingFile(error) || dirname(path) === path) throw asReplaced(error);
    const above = openWhole(dirname(path), makes);
    try {
      return above.enter(basename(path), true);
    } catch (failure) {
      throw asReplaced(failure);
    } finally {
      above.close();
    }
  }
  throw folderReplaced();
}

function asReplaced(error: unknown): unknown {
  return hasSystemCode(error, "ELOOP", "ENOTDIR") ? folderReplaced() : error;
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
