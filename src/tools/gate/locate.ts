/** From a path as a model writes it to a root of the workspace and an absolute path, and back to a label. Nothing is read. */
import { isAbsolute, normalize, relative, resolve, sep } from "node:path";
import { ToolRefusal } from "../../domain/tools/tool";
import type { ReadableWorkspace, WorkspaceRoot } from "../../domain/tools/workspace";
import { isInside } from "./pathNames";
import { rootNames } from "./rootNames";

export interface RootedPath {
  readonly root: WorkspaceRoot;
  /** Absolute; it may lie outside of the root. */
  readonly path: string;
}

/** The place that a path names. Without the name of a root, of several, it may be in any: then one for each. The workspace itself is its first root. */
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

/** What a model reads after a path that began with none of these. */
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
