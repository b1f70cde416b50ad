/** A project in memory as the resolver of references sees it. */
import { findMediaReferences, isSearchedDocument } from "../../../src/tasks/missing/findReferences";
import type { FoundReference } from "../../../src/tasks/missing/foundReference";
import { type EntryKind, type ListedFolders, ReferenceResolver } from "../../../src/tasks/missing/resolveReference";

export class ListedProject implements ListedFolders {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #folders = new Map<string, Map<string, EntryKind>>([["", new Map()]]);
  readonly #ignored: readonly string[];
  /** Folders that were listed. */
  readonly listed: string[] = [];

  constructor(files: Readonly<Record<string, string>>, ignored: readonly string[] = [], links: readonly string[] = []) {
    this.#texts = new Map(Object.entries(files));
    this.#ignored = ignored;
    for (const path of Object.keys(files)) this.#add(path, "file");
    for (const path of links) this.#add(path, "link");
  }

  #add(path: string, kind: EntryKind): void {
    const names = path.split("/");
    let folder = "";
    for (const [at, name] of names.entries()) {
      const isLast = at === names.length - 1;
      this.#folders.get(folder)?.set(name, isLast ? kind : "folder");
      folder += `${name}/`;
      if (!isLast && !this.#folders.has(folder)) this.#folders.set(folder, new Map());
    }
  }

  list(folder: string): Promise<ReadonlyMap<string, EntryKind> | undefined> {
    this.listed.push(folder);
    return Promise.resolve(this.#folders.get(folder));
  }

  read(path: string): Promise<string | undefined> {
    return Promise.resolve(this.#texts.get(path));
  }

  isIgnored(path: string): Promise<boolean> {
    return Promise.resolve(this.#ignored.some((folder) => path.startsWith(folder)));
  }

  /** The paths of what is missing, with the first reference to each. */
  async missing(): Promise<ReadonlyMap<string, FoundReference>> {
    const resolver = new ReferenceResolver(this);
    const found = new Map<string, FoundReference>();
    for (const [path, text] of this.#texts) {
      if (!isSearchedDocument(path) || (await resolver.isGeneratedDocument(path))) continue;
      for (const reference of findMediaReferences(path, text)) {
        const missing = await resolver.missingPath(path, reference);
        if (missing !== undefined && !found.has(missing)) found.set(missing, reference);
      }
    }
    return found;
  }
}
