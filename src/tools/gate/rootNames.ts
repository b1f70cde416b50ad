/** The names of the roots in paths and approvals: unique, and none looks like a path. */
import { basename } from "node:path";
import type { WorkspaceRoot } from "../../domain/tools/workspace";
import { oddityOf } from "./pathNames";

/** In the order of the roots. A name from a workspace file is used only if it is a plain one. */
export function rootNames(roots: readonly WorkspaceRoot[]): readonly string[] {
  const names = new Set<string>();
  for (const { name, path } of roots) {
    const plain = /[\\/]|^\.{1,2}$/.test(name) || oddityOf(name) !== undefined ? basename(path) : name;
    let unique = plain;
    for (let count = 2; names.has(unique); count += 1) unique = `${plain} (${count})`;
    names.add(unique);
  }
  return [...names];
}
