/** Matches paths with a table of file and folder names, regardless of case and of the unicode form. */

/** One kind of names, separated by blanks. `*` matches any characters but `/`. */
export interface NameKind {
  /** Of files; with a `/` the last parts of a path. */
  readonly names?: string;
  /** Of folders anywhere in the path: everything below them belongs to the kind. */
  readonly folders?: string;
}

/** The result takes paths relative to a root, with `/`. It is called for each file of a walk. */
export function compileNames(table: Readonly<Record<string, NameKind>>): (path: string) => boolean {
  const kinds = Object.values(table);
  const isName = compileGlobs(kinds.map(({ names }) => names));
  const isFolder = compileGlobs(kinds.map(({ folders }) => folders));
  const isBelow = (parts: readonly string[]): boolean =>
    parts.some((part, index) => isFolder.one(part) || isFolder.last(parts.slice(Math.max(0, index - 1), index + 1)));
  // A walk asks for one file of a folder after the other.
  let known = { folder: "", isBelow: false };
  return (path) => {
    const plain = plainForm(path);
    const folder = plain.slice(0, plain.lastIndexOf("/") + 1);
    if (folder !== known.folder) known = { folder, isBelow: isBelow(folder.split("/")) };
    if (known.isBelow) return true;
    const name = plain.slice(folder.length);
    const last = [...folder.split("/").slice(-2, -1), name];
    return isName.one(name) || isName.last(last) || isFolder.one(name) || isFolder.last(last);
  };
}

interface Globs {
  /** Whether the name matches a glob without `/`. */
  one(name: string): boolean;
  /** Whether the last names match a glob with a `/`. */
  last(names: readonly string[]): boolean;
}

/** Most are whole names or endings, which a set finds at once. */
function compileGlobs(lists: readonly (string | undefined)[]): Globs {
  const all = lists.flatMap((list) => list?.split(/\s+/u) ?? []).filter((glob) => glob !== "");
  const paths = all.filter((glob) => glob.includes("/"));
  const exact = new Set(all.filter((glob) => !glob.includes("*")));
  const endings = new Set(all.filter((glob) => /^\*\.[^*/]+$/u.test(glob)).map((glob) => glob.slice(1)));
  const longest = Math.max(0, ...[...endings].map(({ length }) => length));
  const others = all.filter((glob) => !glob.includes("/") && !exact.has(glob) && !endings.has(glob.slice(1)));
  const extension = (name: string): string => /\.[^.*/]+$/u.exec(name)?.[0] ?? "";
  // Most names have an extension that no such glob has.
  const byExtension = new Map([...Map.groupBy(others, extension)].map(([end, globs]) => [end, toPattern(globs)]));
  const isLike = (name: string, end: string): boolean => byExtension.get(end)?.test(name) === true;
  const pathPattern = toPattern(paths.map((glob) => `/${glob}`));
  return {
    one(name) {
      for (let at = name.indexOf(".", name.length - longest); at >= 0; at = name.indexOf(".", at + 1)) {
        if (endings.has(name.slice(at))) return true;
      }
      const end = extension(name);
      return exact.has(name) || isLike(name, "") || (end !== "" && isLike(name, end));
    },
    last: (names) => paths.length > 0 && names.length > 1 && pathPattern.test(`/${names.slice(-2).join("/")}`),
  };
}

function toPattern(globs: readonly string[]): RegExp {
  const escaped = globs.map((glob) => glob.replace(/[.+?^${}()|[\]\\]/gu, "\\$&").replaceAll("*", "[^/]*"));
  return new RegExp(`^(?:${escaped.join("|") || "(?!)"})$`, "u");
}

/** Some file systems take names for the same that differ in case or in their unicode form. */
function plainForm(path: string): string {
  if (/^[\0-\x7f]*$/u.test(path)) return path.toLowerCase();
  return path.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFKC");
}
