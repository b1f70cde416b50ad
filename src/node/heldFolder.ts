/**
 * Changes files below a folder by open handles: no name on the way is followed as a link, whatever another program makes of the tree
 * meanwhile. Linux only, which gives the path of an open handle.
 */
import { constants, type Stats } from "node:fs";
import { chmod, copyFile, type FileHandle, lstat, mkdir, open, readdir, rename, rm, rmdir, symlink, unlink, utimes } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { hasSystemCode } from "../base/systemErrors";

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;

/** What a file was when it was read: a change is refused where it is another one. Missing: nothing was there. */
export type SeenFile = Pick<Stats, "ino" | "size" | "mtimeMs" | "ctimeMs">;

export class FileDiffers extends Error {
  override readonly name = "FileDiffers";
}

/** An open folder. Names are single ones, never paths. */
export class HeldFolder {
  readonly #handle: FileHandle;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** `path`: absolute, links resolved. */
  static async open(path: string): Promise<HeldFolder> {
    return new HeldFolder(await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  }

  /** A folder in it, which is made where it is missing and `isMade` says so. Rejects for a link and for anything else. */
  async enter(name: string, isMade: boolean): Promise<HeldFolder> {
    const path = this.#at(name);
    if (isMade) {
      await mkdir(path).catch((error: unknown) => {
        if (!hasSystemCode(error, "EEXIST")) throw error;
      });
    }
    return new HeldFolder(await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  }

  /** Of the name itself; `undefined` where nothing is there. */
  async status(name: string): Promise<Stats | undefined> {
    return lstat(this.#at(name)).catch((error: unknown) => {
      if (hasSystemCode(error, "ENOENT")) return undefined;
      throw error;
    });
  }

  names(): Promise<readonly string[]> {
    return readdir(this.#at("."));
  }

  /** Moves a file here in one step, from a folder that nobody else changes. On another disk it is copied first. */
  async put(source: string, name: string, { seen, mode }: { readonly seen: SeenFile | undefined; readonly mode: number }): Promise<void> {
    const to = this.#at(name);
    const from = await lstat(source);
    if (!from.isFile()) throw new FileDiffers("It is no file.");
    if (from.nlink === 1 && (from.dev === (await this.#handle.stat()).dev)) {
      await chmod(source, mode);
      await this.#check(name, seen);
      return rename(source, to);
    }
    const part = this.#at(`.${randomUUID()}.part`);
    try {
      await copyFile(source, part, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
      await chmod(part, mode);
      await utimes(part, from.atime, from.mtime);
      await this.#check(name, seen);
      await rename(part, to);
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
    await unlink(source);
  }

  async remove(name: string, seen: SeenFile): Promise<void> {
    await this.#check(name, seen);
    await unlink(this.#at(name));
  }

  /** With all that is in it. A link in it is removed, not followed. */
  async removeFolder(name: string): Promise<void> {
    const folder = await this.enter(name, false);
    try {
      for (const each of await folder.names()) {
        const status = await folder.status(each);
        if (status?.isDirectory() === true) await folder.removeFolder(each);
        else if (status !== undefined) await unlink(folder.#at(each));
      }
    } finally {
      await folder.close();
    }
    await rmdir(this.#at(name));
  }

  /** False where something is in it. */
  async removeEmpty(name: string): Promise<boolean> {
    return rmdir(this.#at(name)).then(
      () => true,
      () => false,
    );
  }

  /** Where nothing is. */
  async link(target: string, name: string): Promise<void> {
    await symlink(target, this.#at(name));
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  async #check(name: string, seen: SeenFile | undefined): Promise<void> {
    const now = await this.status(name);
    const isSame = seen === undefined ? now === undefined : now !== undefined && isSeen(now, seen);
    if (!isSame) throw new FileDiffers("It was changed meanwhile.");
  }

  #at(name: string): string {
    return `/proc/self/fd/${this.#handle.fd}/${name}`;
  }
}

export function isSeen(now: SeenFile, seen: SeenFile): boolean {
  return (["ino", "size", "mtimeMs", "ctimeMs"] as const).every((key) => now[key] === seen[key]);
}

/** How many folders are open at the same time. */
const openCap = 64;

/** Folders below one that is open, each opened once while several files in it are changed. */
export class HeldTree {
  readonly #root: HeldFolder;
  readonly #open = new Map<string, HeldFolder>();

  private constructor(root: HeldFolder) {
    this.#root = root;
  }

  static async open(path: string): Promise<HeldTree> {
    return new HeldTree(await HeldFolder.open(path));
  }

  /** `path`: relative, with `/`; empty for the root. Open until another one is asked for. */
  async folder(path: string, isMade: boolean): Promise<HeldFolder> {
    if (path === "") return this.#root;
    const known = this.#open.get(path);
    if (known) return known;
    if (this.#open.size >= openCap) await this.#closeOpen();
    let folder = this.#root;
    const names = path.split("/");
    for (const [at, name] of names.entries()) {
      const inRoot = names.slice(0, at + 1).join("/");
      const next = this.#open.get(inRoot) ?? (await folder.enter(name, isMade));
      this.#open.set(inRoot, next);
      folder = next;
    }
    return folder;
  }

  async close(): Promise<void> {
    await this.#closeOpen();
    await this.#root.close();
  }

  async #closeOpen(): Promise<void> {
    const open = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(open.map((folder) => folder.close()));
  }
}
