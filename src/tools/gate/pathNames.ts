/** Path names: which are refused because they mean or look like another one, and how a name is written in a list. */
import systemPaths, { type PlatformPath, isAbsolute, normalize, relative, resolve, sep, basename } from "node:path";
import { parseJson } from "../../base/jsonValue";
import { unseenCharacters, unusualSpaces } from "../../base/text/revealHidden";
import { ToolRefusal } from "../../domain/tools/tool";
import type { ReadableWorkspace, WorkspaceRoot } from "../../domain/tools/workspace";

/** `paths` are those of another system in tests. */
export function isInside(root: string, path: string, paths: PlatformPath = systemPaths): boolean {
  const inside = paths.relative(root, path);
  return inside === "" || (!paths.isAbsolute(inside) && inside !== ".." && !inside.startsWith(`..${paths.sep}`));
}

/** Whether it is a network path of Windows, where opening one sends the person's credentials to its host, or a device. */
export function isNetworkPath(path: string): boolean {
  return /^[\\/]{2}/.test(path);
}

/** Why a path is refused whatever is there: a name with a line end would be lines of its own in what a model reads. */
export function refusalOfPath(given: string): string | undefined {
  if (given.trim() === "") return "it is empty";
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(given)) return "it holds control or invisible characters";
  return isNetworkPath(given) ? "it names a network or device path" : undefined;
}

/** Why a path is refused where its names are not listed exactly so. The same on every system, also where the name has no special meaning. */
export function unusualPathReason(given: string): string | undefined {
  const refusal = refusalOfPath(given);
  if (refusal !== undefined) return refusal;
  if (holdsUnseen(given)) return "it holds control or invisible characters";
  if (given.startsWith("~")) return "it begins with ~";
  const withoutDrive = given.replace(/^[A-Za-z]:(?=[\\/])/, "");
  if (withoutDrive.includes(":")) return "it holds a colon";
  for (const segment of withoutDrive.split(/[\\/]/)) {
    if (segment === "" || segment === "." || segment === "..") continue;
    if (/[. ]$/.test(segment)) return "a part of it ends with a dot or a space";
    if (/~\d/.test(segment)) return "it holds a short (8.3) name";
    if (isDeviceName(segment)) return "it names a device";
  }
  return undefined;
}

/** Windows reads these as devices with any ending, after blanks too, and its superscript digits like the others. */
function isDeviceName(name: string): boolean {
  return /^(con|prn|aux|nul|conin\$|conout\$|clock\$|(com|lpt)[\d¹²³]) *(\.|$)/i.test(name);
}

const unseen = new RegExp(`[${unseenCharacters}${unusualSpaces}]`, "u");
const everyUnseen = new RegExp(unseen, "gu");

function holdsUnseen(text: string): boolean {
  // A variation selector after an emoji is a part of it.
  return unseen.test(text.replace(/(\p{Extended_Pictographic}|[0-9#*])\ufe0f/gu, "$1"));
}

/** A name that could be mistaken for another line of the list, or does not show its characters, is written as a JSON string. */
export function listedName(name: string): string {
  const isPlain = !holdsUnseen(name) && !/^"|^\(.*\)$|^\s|\s$|:/.test(name);
  if (isPlain) return name;
  return JSON.stringify(name).replace(everyUnseen, (char) =>
    Array.from({ length: char.length }, (_, at) => escaped(char.charCodeAt(at))).join(""),
  );
}

const everySpace = new RegExp(`[${unusualSpaces}]`, "gu");

/** Folds a name, so that names are equal that differ only in their spaces or in their normal form. */
export function foldedName(name: string): string {
  return name.normalize("NFC").replace(everySpace, " ");
}

/** The inverse of `listedName`, also for a path: models copy a name as it is listed. */
export function nameOfListed(listed: string): string {
  const name = /^".*"$/s.test(listed) ? parseJson(listed) : undefined;
  return typeof name === "string" ? name : listed;
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}

/** A path as a model writes it, resolved to a root of the workspace and an absolute path. */
export interface RootedPath {
  readonly root: WorkspaceRoot;
  /** Absolute; it may lie outside of the root. */
  readonly path: string;
}

/** The places that a path may name: where several roots are open and it names none of them, one in each. The workspace itself is its first root. */
export function locate(roots: readonly WorkspaceRoot[], given: string): readonly [RootedPath, ...RootedPath[]] {
  const [first, ...others] = roots;
  if (first === undefined) throw new ToolRefusal("No folder is open that tools may use.");
  if (isAbsolute(given)) {
    const path = normalize(given);
    return [{ root: roots.find((root) => isInside(root.path, path)) ?? first, path }];
  }
  const path = resolve(first.path, given);
  if (others.length === 0 || path === first.path) return [{ root: first, path }];
  const [head = "", ...rest] = toSlashes(given)
    .replace(/^(?:\.\/)+/, "")
    .split("/");
  const named = roots[rootNames(roots).indexOf(head)];
  if (named) return [{ root: named, path: resolve(named.path, rest.join("/")) }];
  return [{ root: first, path }, ...others.map((root) => ({ root, path: resolve(root.path, given) }))];
}

/** Asks the model to begin a path with the name of a root. */
export function askForRoot(roots: readonly WorkspaceRoot[]): string {
  return `Begin the path with the name of its folder: ${rootNames(roots).join(", ")}.`;
}

/** The label of an absolute path, whatever is there. `undefined` outside the workspace. */
export function labelInWorkspace(workspace: Pick<ReadableWorkspace, "roots">, path: string): string | undefined {
  const roots = workspace.roots();
  const root = roots.find((one) => isInside(one.path, path));
  return root && pathForModel(roots, root, toSlashes(relative(root.path, path)));
}

export function pathForModel(roots: readonly WorkspaceRoot[], root: WorkspaceRoot, inRoot: string): string {
  const label = inRoot === "" ? "." : inRoot;
  return roots.length === 1 ? label : `${rootNames(roots)[roots.indexOf(root)] ?? root.name}/${inRoot}`;
}

export function toSlashes(path: string): string {
  return sep === "\\" ? path.replaceAll("\\", "/") : path;
}

/** Unique names in the order of the roots. A name from a workspace file is used only if it is a plain one. */
export function rootNames(roots: readonly WorkspaceRoot[]): readonly string[] {
  const names = new Set<string>();
  for (const { name, path } of roots) {
    const plain = /[\\/]|^\.{1,2}$/.test(name) || unusualPathReason(name) !== undefined ? basename(path) : name;
    let unique = plain;
    for (let count = 2; names.has(unique); count += 1) unique = `${plain} (${count})`;
    names.add(unique);
  }
  return [...names];
}
