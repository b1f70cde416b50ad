/**
 * Gives another name to what a sandboxed command has made and git, an editor or an agent would obey: nothing obeys it then, and nothing is lost
 * (A13, R4).
 */
import { chmodSync, type Dirent, lstatSync, readdirSync, realpathSync, renameSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { TimeSlices } from "../../base/async/timeSlices";
import type { Confinement, SetAside } from "../../domain/tools/sandbox";
import { isRepository, isUnreadable, type Scanned, targetOf } from "./scanRoots";

/** What one command has made. */
export class SetAsideFiles {
  readonly #confinement: Confinement;
  readonly #before: Scanned;
  /** What the command has not made: places for mounts, and what the person has made meanwhile. */
  readonly #others: Set<string>;
  readonly #aside: SetAside[] = [];

  constructor(confinement: Confinement, before: Scanned, places: Iterable<string>) {
    this.#confinement = confinement;
    this.#before = before;
    this.#others = new Set(places);
  }

  /** By the paths they had and have now. */
  get files(): readonly SetAside[] {
    return this.#aside;
  }

  /**
   * Of an entry that has just been made, while the command runs: VS Code's own git runs git in a new repository half a second after it was
   * made, and git the program that is named there. `path`: absolute, as the window names it.
   */
  lookAt(path: string): void {
    const place = realPlace(path);
    const root = this.#confinement.roots.find((one) => place?.startsWith(one + sep));
    if (place === undefined || root === undefined) return;
    const names = relative(root, place).split(sep);
    for (let count = 1; count <= names.length; count += 1) {
      const each = join(root, ...names.slice(0, count));
      const status = lstatSync(each, { throwIfNoEntry: false });
      if (status === undefined || this.#isKept(each)) return;
      if (this.#isObeyed(root, each, status.isDirectory()) && this.#rename(each) !== undefined) return;
    }
  }

  /** The person has made this in the editor meanwhile, and the folders that it lies in. */
  keep(path: string): void {
    const place = realPlace(path);
    const root = this.#confinement.roots.find((one) => place?.startsWith(one + sep));
    for (let each = place; each !== undefined && root !== undefined && each !== root; each = dirname(each))
      this.#others.add(each);
  }

  /**
   * After the end of the command. Looks into all that it could write, whatever its size: a bound is one that the command could pass. `missing`:
   * what was not there, and would be obeyed.
   */
  async lookThrough(missing: readonly string[]): Promise<void> {
    for (const path of missing) if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) this.#rename(path);
    const slices = new TimeSlices();
    for (const root of this.#confinement.roots) {
      const folders = [root];
      for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
        if (slices.isSpent) await slices.next();
        folders.push(...this.#lookIn(root, folder));
      }
    }
  }

  /** Returns the folders in it to look through. */
  #lookIn(root: string, folder: string): readonly string[] {
    this.#renameUnreadable(folder);
    const entries = listed(folder);
    const head = join(folder, "HEAD");
    if (isRepository(entries) && !this.#isOld(head)) this.#rename(head);
    return entries.flatMap((entry) => {
      const path = join(folder, entry.name);
      const isFolder = entry.isDirectory();
      if (this.#isKept(path)) return [];
      const moved = this.#isObeyed(root, path, isFolder) ? this.#rename(path) : undefined;
      return isFolder ? [moved ?? path] : [];
    });
  }

  /** A name that is no text can't be looked at: it gets one that is. */
  #renameUnreadable(folder: string): void {
    if (!listed(folder).some(({ name }) => isUnreadable(name))) return;
    for (const name of orUndefined(() => readdirSync(folder, { encoding: "buffer" })) ?? []) {
      if (!isUnreadable(name.toString())) continue;
      const to = join(folder, `${name.toString("hex")}.set-aside`);
      const from = Buffer.concat([Buffer.from(folder + sep), name]);
      if (orUndefined(() => (renameSync(from, to), true)))
        this.#aside.push({ from: join(folder, name.toString()), to });
    }
  }

  #isObeyed(root: string, path: string, isFolder: boolean): boolean {
    const inRoot = relative(root, path).split(sep).join("/") + (isFolder ? "/" : "");
    return this.#confinement.policy.isObeyedWhenNew(inRoot) && !this.#isOld(path);
  }

  #isOld(path: string): boolean {
    const { obeyed } = this.#before;
    return obeyed.has(path) && obeyed.get(path) === targetOf(path);
  }

  /** The command could not change it. */
  #isKept(path: string): boolean {
    const kind = this.#before.mounts.get(path);
    return this.#others.has(path) || (kind !== undefined && kind !== "open");
  }

  #rename(path: string): string | undefined {
    const to = renameAside(path);
    if (to !== undefined) this.#aside.push({ from: path, to });
    return to;
  }
}

/** With the links of the folders on the way resolved. */
function realPlace(path: string): string | undefined {
  try {
    return join(realpathSync(dirname(path)), basename(path));
  } catch {
    return undefined;
  }
}

/** A folder that its owner may not list can be entered all the same: it is made listable. */
function listed(folder: string): readonly Dirent[] {
  const list = (): readonly Dirent[] => readdirSync(folder, { withFileTypes: true });
  try {
    return list();
  } catch {
    return makeOpen(folder) ? (orUndefined(list) ?? []) : [];
  }
}

/** Undefined where it can't be renamed. */
function renameAside(path: string): string | undefined {
  const folder = dirname(path);
  const taken = new Set(listed(folder).map(({ name }) => name));
  for (let count = 1; ; count += 1) {
    const name = `${basename(path)}.set-aside${count === 1 ? "" : `-${count}`}`;
    if (taken.has(name)) continue;
    const to = join(folder, name);
    const rename = (): string => {
      renameSync(path, to);
      return to;
    };
    return orUndefined(rename) ?? (makeOpen(folder) ? orUndefined(rename) : undefined);
  }
}

function makeOpen(folder: string): boolean {
  return orUndefined(() => (chmodSync(folder, (lstatSync(folder).mode & 0o777) | 0o700), true)) ?? false;
}

function orUndefined<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
