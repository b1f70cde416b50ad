/** File patterns of a search. Matched by an automaton: no pattern takes more than pattern × path steps. */
import { ToolRefusal } from "../../domain/tools/tool";
import { compileWildcard, type Matcher } from "../gate/wildcard";

const maxAlternatives = 64;

/** Whether a file is meant, by its path relative to the searched folder, with `/`. */
export type FileFilter = (path: string) => boolean;

/**
 * Without a slash a glob is compared with the name of the file and of each folder above it, otherwise with the path of the file
 * and of these folders. Case does not count; `{a,b}` is either. Throws a `ToolRefusal` for too many alternatives.
 */
export function compileGlobs(globs: readonly string[]): FileFilter {
  const filters = globs.flatMap((glob) => alternativesOf(glob).map(compileGlob));
  return (path) => {
    const bytes = toBytes(path);
    return filters.some((filter) => filter(bytes));
  };
}

export function isGlob(text: string): boolean {
  return /[*?[{]/.test(text);
}

function compileGlob(glob: string): FileFilter {
  const plain = toBytes(withoutFolderEnd(glob.replace(/^(\.?\/)+/, "")));
  const name = plain.replace(/^(\*\*\/)+/, "");
  if (!name.includes("/")) {
    const matches = compileWildcard(name, { paths: false, ignoreCase: true });
    return (path) => path.split("/").some((part) => matches(part, { left: Infinity }));
  }
  const matches = compileWildcard(plain, { paths: true, ignoreCase: true });
  return (path) => isAnyPrefix(path, matches);
}

/** `a/`, `a/**` and `a` are the same. */
function withoutFolderEnd(glob: string): string {
  let end = glob.length;
  for (;;) {
    if (glob.endsWith("/", end)) end -= 1;
    else if (glob.endsWith("/**", end)) end -= 3;
    else return glob.slice(0, end);
  }
}

/** Whether the path itself or a folder above it matches. */
function isAnyPrefix(path: string, matches: Matcher): boolean {
  for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
    if (matches(path.slice(0, end), { left: Infinity })) return true;
  }
  return false;
}

/** `a.{ts,js}` is `a.ts` and `a.js`; braces may be nested. */
function alternativesOf(glob: string): readonly string[] {
  const done: string[] = [];
  const open = [glob];
  // Each brace costs a round of the loop below, and a copy of the glob.
  if (glob.split("{").length > maxAlternatives) throw new ToolRefusal(`${glob} has too many alternatives.`);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (done.length + open.length >= maxAlternatives) throw new ToolRefusal(`${glob} has too many alternatives.`);
    const inner = /\{([^{}]*)\}/.exec(next);
    if (!inner) done.push(next);
    else {
      const before = next.slice(0, inner.index);
      const after = next.slice(inner.index + inner[0].length);
      for (const part of (inner[1] ?? "").split(",").slice(0, maxAlternatives)) open.push(`${before}${part}${after}`);
    }
  }
  return done;
}

/** `compileWildcard` compares byte strings. */
function toBytes(text: string): string {
  return Buffer.from(text).toString("latin1");
}
