/**
 * The references of a project's documents and which of them lead nowhere. The references stay in memory, so that a file that comes or goes is judged by
 * the names in the folders alone, without reading a document again.
 */
import { join, relative, sep } from "node:path";
import type { TimeSlices } from "../../base/async/timeSlices";
import type { ReadableWorkspace, WorkspaceRoot } from "../../domain/tools/workspace";
import { DiskListing } from "./diskListing";
import { findMediaReferences, isSearchedDocument } from "./findReferences";
import { type PlacedReference, type TextPlace, withPlaces } from "./placedReferences";
import { ReferenceResolver } from "./resolveReference";
import { type WantedFile, wantedFile } from "./wantedFile";

export interface MissingReference {
  readonly from: TextPlace;
  readonly to: TextPlace;
  /** The folder of the workspace. */
  readonly root: WorkspaceRoot;
  /** The file that is to be made; its path is from `root`. */
  readonly wanted: WantedFile;
  /** The folder of the project that it belongs to, from the root. */
  readonly project: string;
}

interface SearchedRoot {
  readonly root: WorkspaceRoot;
  readonly folders: DiskListing;
  resolver: ReferenceResolver;
}

/** Limits: the references of all documents that are kept, and those that are missing, of one document and of all. */
const maxKept = 50_000;
const maxHints = 100;
const maxMissing = 2000;
/** Characters of a document that is open in the editor: a file that is larger is not read either. It is read again after each pause in typing. */
const maxText = 1024 * 1024;

export class MissingFiles {
  readonly #workspace: ReadableWorkspace;
  readonly #documents = new Map<string, readonly PlacedReference[]>();
  readonly #missing = new Map<string, readonly MissingReference[]>();
  #roots: readonly SearchedRoot[] = [];
  #kept = 0;
  /** The number of missing references of all documents. */
  #count = 0;

  constructor(workspace: ReadableWorkspace) {
    this.#workspace = workspace;
  }

  /** Starts anew with the folders of the workspace as they are now, without a document. */
  async reset(): Promise<void> {
    this.#documents.clear();
    this.#missing.clear();
    this.#count = 0;
    this.#kept = 0;
    const roots: SearchedRoot[] = [];
    for (const root of this.#workspace.roots()) {
      const real = await this.#workspace.realPath(root.path).catch(() => undefined);
      if (real === undefined) continue;
      const folders = new DiskListing(this.#workspace, real);
      roots.push({ root, folders, resolver: new ReferenceResolver(folders) });
    }
    this.#roots = roots;
  }

  /** Drops the listings of folders, because files have come or gone. */
  forgetListings(): void {
    for (const one of this.#roots)
      one.resolver = new ReferenceResolver(new DiskListing(this.#workspace, one.folders.root));
  }

  /** Whether a folder was at that path when the references were judged last: a reference leads into it, or a document is in it. */
  isKnownFolder(path: string): boolean {
    const place = this.#placeOf(path);
    if (place?.resolver.hasListed(`${place.path}/`) === true) return true;
    for (const document of this.#documents.keys()) if (document.startsWith(path + sep)) return true;
    return false;
  }

  get hasDocuments(): boolean {
    return this.#documents.size > 0;
  }

  get documents(): Iterable<string> {
    return this.#documents.keys();
  }

  /** Reads a document; `path` is absolute, as the editor names it. True where it has references, or had some. */
  read(path: string, text: string): boolean {
    const name = path.replaceAll("\\", "/");
    const isRead = text.length <= maxText && isSearchedDocument(name);
    return this.put(path, isRead ? withPlaces(text, findMediaReferences(name, text)) : []);
  }

  /** Takes the references of a document that was read elsewhere. Returns the same as `read`. */
  put(path: string, found: readonly PlacedReference[]): boolean {
    const before = this.#documents.get(path)?.length ?? 0;
    this.#kept -= before;
    if (found.length === 0 || this.#kept + found.length > maxKept) this.#documents.delete(path);
    else {
      this.#documents.set(path, found);
      this.#kept += found.length;
    }
    return before > 0 || found.length > 0;
  }

  /** Drops a document that is gone. */
  forget(path: string): void {
    this.#kept -= this.#documents.get(path)?.length ?? 0;
    this.#documents.delete(path);
    this.#count -= this.#missing.get(path)?.length ?? 0;
    this.#missing.delete(path);
  }

  /** Judges the references of one document. */
  async judge(path: string, slices: TimeSlices): Promise<readonly MissingReference[]> {
    const found: MissingReference[] = [];
    const before = this.#missing.get(path)?.length ?? 0;
    const place = this.#placeOf(path);
    if (place && !(await place.resolver.isGeneratedDocument(place.path)))
      for (const reference of this.#documents.get(path) ?? []) {
        if (found.length === maxHints || this.#count + found.length - before >= maxMissing) break;
        if (slices.isSpent) await slices.next();
        const missing = await place.resolver.missingPath(place.path, reference);
        if (missing === undefined) continue;
        const project = await place.resolver.projectFolder(missing);
        const { from, to } = reference;
        found.push({ from, to, root: place.root, wanted: wantedFile(missing, reference), project });
      }
    // Another look at the same document may have ended meanwhile.
    this.#count += found.length - (this.#missing.get(path)?.length ?? 0);
    if (found.length === 0) this.#missing.delete(path);
    else this.#missing.set(path, found);
    return found;
  }

  /** The missing file at `path` that the document names, and all that are made of the same picture, the largest first. */
  missingFromSamePicture(document: string, path: string): readonly MissingReference[] {
    const asked = this.#missing.get(document)?.find(({ wanted }) => wanted.path === path);
    if (asked === undefined) return [];
    const { wanted, root, project } = asked;
    if (wanted.set === undefined) return [asked];
    const all = [...this.#missing.values()]
      .flat()
      .filter((one) => one.root.path === root.path && one.project === project && one.wanted.set === wanted.set);
    const byPath = new Map<string, MissingReference>();
    for (const one of all) {
      const before = byPath.get(one.wanted.path);
      if (before === undefined || areaOf(one) > areaOf(before)) byPath.set(one.wanted.path, one);
    }
    return [...byPath.values()].sort((one, other) => areaOf(other) - areaOf(one)).slice(0, maxSet);
  }

  #placeOf(path: string): (SearchedRoot & { readonly path: string }) | undefined {
    for (const one of this.#roots) {
      const inRoot = relative(one.root.path, path);
      if (inRoot !== "" && !inRoot.startsWith("..") && join(one.root.path, inRoot) === path)
        return { ...one, path: inRoot.split(sep).join("/") };
    }
    return undefined;
  }
}

/** Files that are made of one picture. */
const maxSet = 40;

function areaOf({ wanted: { width = 0, height = 0 } }: MissingReference): number {
  return width * height;
}
