/** What the ignore rules need to know of a git repository: whether a folder is one, where git's own files are and how it is set. */
import { join, resolve } from "node:path";
import { gitSetting } from "../../base/gitSetting";
import type { Workspace } from "../../domain/workspace";
import { readSmallFile } from "./fileAccess";

export interface GitRepository {
  /** The folder of git's own files: in a worktree or submodule it lies elsewhere. */
  readonly folder: string;
  /** Set where the file system does not tell upper from lower case. */
  readonly ignoreCase: boolean;
  /** `core.excludesFile` of this repository alone, as it is written. */
  readonly excludesFile: string | undefined;
}

const bounds = { pointer: 4096, configuration: 256 * 1024 };

/** Nothing for a folder that git does not take for a repository: an empty `.git` must not end the rules of the one around it. */
export async function readRepository(workspace: Workspace, top: string): Promise<GitRepository | undefined> {
  const entry = join(top, ".git");
  const kind = await workspace.status(entry).then(
    (status) => status.kind,
    () => "other" as const,
  );
  if (kind === "other") return undefined;
  let folder = entry;
  if (kind === "file") {
    const pointed = pathIn(top, await readLine(workspace, entry), "gitdir: ");
    if (pointed === undefined) return undefined;
    folder = pointed;
  }
  const common = pathIn(folder, await readLine(workspace, join(folder, "commondir")), "") ?? folder;
  const parts = [join(folder, "HEAD"), join(common, "objects"), join(common, "refs")];
  if (!(await Promise.all(parts.map((part) => exists(workspace, part)))).every(Boolean)) return undefined;
  const bytes = await readSmallFile(workspace, join(common, "config"), bounds.configuration);
  const configuration = bytes instanceof Uint8Array ? Buffer.from(bytes).toString() : "";
  return {
    folder: common,
    ignoreCase: /^(true|yes|on|1)$/i.test(gitSetting(configuration, "core", "ignorecase") ?? ""),
    excludesFile: gitSetting(configuration, "core", "excludesfile") || undefined,
  };
}

async function exists(workspace: Workspace, path: string): Promise<boolean> {
  return workspace.status(path).then(
    () => true,
    () => false,
  );
}

async function readLine(workspace: Workspace, path: string): Promise<string | undefined> {
  const bytes = await readSmallFile(workspace, path, bounds.pointer);
  return bytes instanceof Uint8Array ? Buffer.from(bytes).toString().split(/\r?\n/)[0] : undefined;
}

/** An absolute path, or one from `folder`, behind a prefix. A network path is not followed: that alone would sign in to it. */
function pathIn(folder: string, line: string | undefined, prefix: string): string | undefined {
  if (line?.startsWith(prefix) !== true) return undefined;
  const path = line.slice(prefix.length);
  return path === "" || /^[\\/]{2}/.test(path) ? undefined : resolve(folder, path);
}
