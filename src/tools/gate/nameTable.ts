/** Matches paths with a table of file and folder names, regardless of case and of the unicode form. */

/** One kind of names, separated by blanks. `*` matches any characters but `/`. */
export interface NameKind {
  /** Names of files; with a `/`, the last parts of a path. */
  readonly names?: string;
  /** Names of folders anywhere in the path: everything below them belongs to the kind. */
  readonly folders?: string;
}

/** Whether the table has the name of an entry of one folder. */
export type NamesInFolder = (name: string, isFolder: boolean) => boolean;

export interface NameTable {
  /** Whether the table has a path; that of a folder ends with `/`. */
  readonly has: (path: string) => boolean;
  /** Like `has`, for the entries of a folder whose path is empty or ends with `/`: what depends on the folder is found once. */
  readonly in: (folder: string) => NamesInFolder;
}

export function compileNames(table: Readonly<Record<string, NameKind>>): NameTable {
  const kinds = Object.values(table);
  const isFileName = compileGlobs(kinds.map(({ names }) => names));
  const isFolderName = compileGlobs(kinds.map(({ folders }) => folders));
  const isBelow = (parts: readonly string[]): boolean =>
    parts.some((part, index) => isFolderName.one(part) || isFolderName.below(parts[index - 1])?.(part) === true);
  /** The folder and the names are in their plain form. */
  const inPlain = (folder: string): NamesInFolder => {
    const parts = folder.split("/");
    if (isBelow(parts)) return () => true;
    const parent = parts.at(-2);
    const [files, folders] = [isFileName.below(parent), isFolderName.below(parent)];
    return (name, isFolder) =>
      isFolderName.one(name) ||
      folders?.(name) === true ||
      (!isFolder && (isFileName.one(name) || files?.(name) === true));
  };
  /** The folder of the last query. It is kept because a walk through a workspace asks about the entries of a folder one after the other. */
  let last: { readonly folder: string; readonly isIn: NamesInFolder } | undefined;
  const has = (path: string): boolean => {
    const plain = plainForm(path);
    const at = plain.lastIndexOf("/") + 1;
    const folder = plain.slice(0, at);
    if (last?.folder !== folder) last = { folder, isIn: inPlain(folder) };
    return last.isIn(plain.slice(at), false);
  };
  return {
    has,
    in: (folder) => {
      const isIn = inPlain(plainForm(folder));
      return (name, isFolder) =>
        // Beyond ASCII the plain form may have a slash of its own.
        ascii.test(name) ? isIn(name.toLowerCase(), isFolder) : has(`${folder}${name}${isFolder ? "/" : ""}`);
    },
  };
}

interface Globs {
  /** Whether the name matches a glob without `/`. */
  one(name: string): boolean;
  /** Whether a name in a folder of that name matches a glob with a `/`; `undefined` where none does. */
  below(parent: string | undefined): ((name: string) => boolean) | undefined;
}

/** Most globs are whole names or endings, which a set finds at once. */
function compileGlobs(lists: readonly (string | undefined)[]): Globs {
  const all = lists.flatMap((list) => list?.split(/\s+/u) ?? []).filter((glob) => glob !== "");
  const paths = Map.groupBy(
    all.filter((glob) => glob.includes("/")),
    (glob) => glob.slice(0, glob.indexOf("/")),
  );
  const parents = [...paths].map(([parent, globs]) => {
    const names = toPattern(globs.map((glob) => glob.slice(parent.length + 1)));
    return { isParent: toPattern([parent]), names };
  });
  const exact = new Set(all.filter((glob) => !glob.includes("*")));
  const endings = new Set(all.filter((glob) => /^\*\.[^*/]+$/u.test(glob)).map((glob) => glob.slice(1)));
  const longest = Math.max(0, ...[...endings].map(({ length }) => length));
  const others = all.filter((glob) => !glob.includes("/") && !exact.has(glob) && !endings.has(glob.slice(1)));
  // Most names have an extension that no such glob has.
  const byExtension = new Map([...Map.groupBy(others, extensionOf)].map(([end, globs]) => [end, toPattern(globs)]));
  const isLike = (name: string, end: string): boolean => byExtension.get(end)?.test(name) === true;
  return {
    one(name) {
      for (let at = name.indexOf(".", name.length - longest); at >= 0; at = name.indexOf(".", at + 1)) {
        if (endings.has(name.slice(at))) return true;
      }
      const end = extensionOf(name);
      return exact.has(name) || isLike(name, "") || (end !== "" && isLike(name, end));
    },
    below(parent) {
      if (parent === undefined) return undefined;
      const inParent = parents.filter(({ isParent }) => isParent.test(parent));
      return inParent.length === 0 ? undefined : (name) => inParent.some(({ names }) => names.test(name));
    },
  };
}

/** The extension with its dot; that of a glob only without a wildcard. */
function extensionOf(name: string): string {
  const at = name.lastIndexOf(".");
  return at < 0 || at === name.length - 1 || name.includes("*", at) ? "" : name.slice(at);
}

function toPattern(globs: readonly string[]): RegExp {
  const escaped = globs.map((glob) => glob.replace(/[.+?^${}()|[\]\\]/gu, "\\$&").replaceAll("*", "[^/]*"));
  return new RegExp(`^(?:${escaped.join("|") || "(?!)"})$`, "u");
}

const ascii = /^[\0-\x7f]*$/u;

/** Folds case and unicode form, because some file systems take names for the same that differ only in these. */
function plainForm(path: string): string {
  if (ascii.test(path)) return path.toLowerCase();
  return path.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFKC");
}
