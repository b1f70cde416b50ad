/** The folders of a root on the disk, as the resolver of references lists them: below the root only, and through no link. */
import { join } from "node:path";
import { TimeSlices } from "../../base/async/timeSlices";
import { decodeText } from "../../base/text/decodeText";
import { isMissingPath } from "../../base/systemErrors";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import { type FolderRules, IgnoreTree } from "../../tools/gate/ignoreTree";
import { type EntryKind, folderPathOf, type ListedFolders, type Listing } from "./resolveReference";

/** Entries of one folder that are listed; of a folder with more, no name counts as missing. */
const maxEntries = 10_000;
/** Bytes of a package.json that is read. */
const maxManifest = 256 * 1024;

export class DiskListing implements ListedFolders {
  readonly #workspace: ReadableWorkspace;
  readonly root: string;
  readonly #tree: IgnoreTree;
  readonly #rules = new Map<string, Promise<FolderRules>>();

  /** `root`: absolute, with every link resolved. */
  constructor(workspace: ReadableWorkspace, root: string) {
    this.#workspace = workspace;
    this.root = root;
    this.#tree = new IgnoreTree(workspace, new TimeSlices());
  }

  async list(folder: string): Promise<Listing> {
    try {
      const { entries, more } = await this.#workspace.list(this.#pathOf(folder), maxEntries);
      return more ? "unknown" : new Map(entries.map(({ name, kind }): [string, EntryKind] => [name, kind]));
    } catch (error) {
      return isMissingPath(error) ? undefined : "unknown";
    }
  }

  async read(path: string): Promise<string | undefined> {
    try {
      const file = await this.#workspace.open(join(this.root, path));
      try {
        if (file.status.kind !== "file" || file.status.size > maxManifest) return undefined;
        return decodeText(await file.read(maxManifest)).text;
      } finally {
        await file.close();
      }
    } catch {
      return undefined;
    }
  }

  async isIgnored(path: string): Promise<boolean> {
    const folder = folderPathOf(path);
    return (await this.#tree.verdictOf(await this.#rulesOf(folder), path.slice(folder.length), false)) !== undefined;
  }

  #rulesOf(folder: string): Promise<FolderRules> {
    const known = this.#rules.get(folder);
    if (known) return known;
    const outer = folderPathOf(folder.slice(0, -1));
    const rules =
      folder === ""
        ? this.#tree.rulesOf(this.root)
        : this.#rulesOf(outer).then((parent) => this.#tree.enter(parent, folder.slice(outer.length, -1)));
    this.#rules.set(folder, rules);
    return rules;
  }

  #pathOf(folder: string): string {
    return folder === "" ? this.root : join(this.root, folder.slice(0, -1));
  }
}
