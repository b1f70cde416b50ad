/** Groups the files of a project that were made here: named in its documents, not named, or larger than what they are shown as. Pure. */
import { hasLimits, type ShownReference } from "./mediaReference";

/** The groups in the order in which they are shown. */
export const assetGroups = ["too-large", "used", "unused"] as const;
export type AssetGroup = (typeof assetGroups)[number];

/** A place that names the file. */
export interface AssetUse extends Omit<ShownReference, "path"> {
  /** The URI of the document. */
  readonly document: string;
  /** Only the name matches the file: the path leads elsewhere, or a bundler or a server resolves it. */
  readonly isByName?: true;
}

/** The file on disk, read when the page was filled. `width` and `height` are missing where its header declares none. */
export interface AssetFile {
  readonly isThere: boolean;
  /** Bytes. */
  readonly size?: number;
  /** Pixels. */
  readonly width?: number;
  readonly height?: number;
}

/** The uses by the URI of the file. */
export type AssetUses = ReadonlyMap<string, readonly AssetUse[]>;

/** A use by name, with the places that its path may lead to. */
interface NamedUse {
  readonly file: string;
  readonly use: AssetUse;
  readonly places: readonly string[];
}

/** Uses by name that are kept for one file: they are less certain than those by path, and a name may be a common one. */
const maxNamedUses = 1000;

/**
 * Collects the places that name files, document by document. A file is named by its path, or by its name where the path leads to no known file: a
 * bundler or a server may find it elsewhere.
 */
export class UseCollector {
  readonly #uses = new Map<string, AssetUse[]>();
  readonly #named = new Map<string, string[]>();
  readonly #byName = new Map<string, NamedUse[]>();

  /** `files` are URIs. */
  constructor(files: Iterable<string>) {
    for (const file of files) {
      this.#uses.set(file, []);
      const name = nameOf(decoded(file));
      this.#named.set(name, [...(this.#named.get(name) ?? []), file]);
    }
  }

  /** The names with characters that end a path, which are found in a text only where they are looked for. */
  get unusualNames(): readonly string[] {
    return [...this.#named.keys()].filter(hasLimits);
  }

  /** `urisOf` returns the URIs that a path may lead to from that document. */
  add(document: string, references: readonly ShownReference[], urisOf: (path: string) => readonly string[]): void {
    for (const { path, ...where } of references) {
      const named = this.#named.get(nameOf(path));
      if (named === undefined) continue;
      const places = urisOf(path);
      const place = places.find((one) => this.#uses.has(one));
      if (place !== undefined) this.#uses.get(place)?.push({ document, ...where });
      else for (const file of named) this.#addNamed({ file, use: { document, ...where, isByName: true }, places });
    }
  }

  #addNamed(named: NamedUse): void {
    const known = this.#byName.get(named.file) ?? [];
    if (known.length === maxNamedUses) return;
    known.push(named);
    this.#byName.set(named.file, known);
    this.#uses.get(named.file)?.push(named.use);
  }

  /** To be called once all documents are added. A path that leads to another file is no use of those that only have its name. */
  async dropOthers(isThere: (place: string) => Promise<boolean>): Promise<void> {
    const known = new Map<string, boolean>();
    const others = new Set<AssetUse>();
    for (const { use, places } of [...this.#byName.values()].flat())
      for (const place of places) {
        const found = known.get(place) ?? (await isThere(place));
        known.set(place, found);
        if (!found) continue;
        others.add(use);
        break;
      }
    for (const file of this.#byName.keys())
      this.#uses.set(
        file,
        (this.#uses.get(file) ?? []).filter((use) => !others.has(use)),
      );
  }

  get uses(): AssetUses {
    return this.#uses;
  }
}

/** Bytes of a picture in a page beyond which its size is worth a look. */
const heavy = 500 * 1000;

export interface Oversize {
  /** CSS pixels: the largest width that any reference declares; set only where the file has more than twice as many. */
  readonly shownWidth?: number;
  readonly isHeavy?: true;
}

/** `undefined` for a file that is not oversized. Where one reference declares no width, the file may be shown at its full width. */
export function oversizeOf({ size = 0, width = 0 }: AssetFile, uses: readonly AssetUse[]): Oversize | undefined {
  if (uses.length === 0) return undefined;
  const widths = uses.flatMap((use) => use.width ?? []);
  const shownWidth = widths.length === uses.length ? Math.max(...widths) : Infinity;
  const found: Oversize = {
    ...(shownWidth * 2 < width ? { shownWidth } : {}),
    ...(size > heavy ? { isHeavy: true } : {}),
  };
  return Object.keys(found).length === 0 ? undefined : found;
}

/** `undefined` for a file that is gone: Problems reports where a document still names it. `isPicture`: no other kind can be made smaller here. */
export function groupOf(file: AssetFile, uses: readonly AssetUse[], isPicture: boolean): AssetGroup | undefined {
  if (!file.isThere) return undefined;
  if (isPicture && oversizeOf(file, uses) !== undefined) return "too-large";
  return uses.length === 0 ? "unused" : "used";
}

function nameOf(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? "";
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}
