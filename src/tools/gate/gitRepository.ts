/** A git repository as the gate needs it: whether a folder is one, where its `.git` folder and its index are, and its settings. */
import { dirname, join, resolve } from "node:path";
import { gitSetting } from "../../base/gitSetting";
import type { ReadableWorkspace } from "../../domain/tools/workspace";
import { readSmallFile } from "./fileAccess";
import { isNetworkPath } from "./pathNames";

export interface GitRepository {
  /** The `.git` folder; in a worktree or submodule it is elsewhere. */
  readonly folder: string;
  /** The folder with the `HEAD` of this worktree. */
  readonly head: string;
  /** The file that names what is tracked; each worktree has its own. */
  readonly index: string;
  /** Bytes of a hash in it. */
  readonly hashLength: number;
  /** `core.ignoreCase`. */
  readonly ignoreCase: boolean;
  /** `core.excludesFile` of this repository alone, as it is written. */
  readonly excludesFile: string | undefined;
}

const fileBounds = { pointer: 4096, configuration: 256 * 1024 };

/** `undefined` for a folder that git does not recognise as a repository: an empty `.git` must not hide the rules of the enclosing one. */
export async function readRepository(
  workspace: Pick<ReadableWorkspace, "status" | "open">,
  top: string,
): Promise<GitRepository | undefined> {
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
  const bytes = await readSmallFile(workspace, join(common, "config"), fileBounds.configuration);
  const configuration = bytes instanceof Uint8Array ? Buffer.from(bytes).toString() : "";
  return {
    folder: common,
    head: folder,
    index: join(folder, "index"),
    hashLength: gitSetting(configuration, "extensions", "objectformat")?.toLowerCase() === "sha256" ? 32 : 20,
    ignoreCase: /^(true|yes|on|1)$/i.test(gitSetting(configuration, "core", "ignorecase") ?? ""),
    excludesFile: gitSetting(configuration, "core", "excludesfile") || undefined,
  };
}

/** Whether git takes a folder with these entries for a repository, whatever its name, and obeys the settings in it or in that of `commondir`. */
export function isRepository(entries: readonly string[]): boolean {
  const names = new Set(entries.map((name) => name.toLowerCase()));
  return names.has("head") && (names.has("commondir") || (names.has("objects") && names.has("refs")));
}

/** Whether a branch of the repository has a commit; also true for a folder that is in no repository, which has no index to ask. */
export async function hasCommit(workspace: Pick<ReadableWorkspace, "status" | "open">, top: string): Promise<boolean> {
  const repository = await readRepository(workspace, top);
  if (!repository) return true;
  const head = await readLine(workspace, join(repository.head, "HEAD"));
  const branch = /^ref: (refs\/[\w./-]+)$/.exec(head ?? "")?.[1];
  if (branch === undefined) return true;
  const kept = [branch, "packed-refs", "reftable"].map((name) => exists(workspace, join(repository.folder, name)));
  return (await Promise.all(kept)).some(Boolean);
}

/** The repository that the folder lies in. `undefined` outside of any. `folder`: absolute, links resolved. */
export async function openRepositoryOf(
  workspace: Pick<ReadableWorkspace, "status" | "open">,
  folder: string,
): Promise<GitRepository | undefined> {
  for (let top = folder; ; top = dirname(top)) {
    const repository = await readRepository(workspace, top);
    if (repository !== undefined || dirname(top) === top) return repository;
  }
}

/** The branch of the repository that the folder lies in, or the beginning of the commit. `undefined` outside of any. `folder`: absolute, links resolved. */
export async function findBranch(workspace: ReadableWorkspace, folder: string): Promise<string | undefined> {
  const repository = await openRepositoryOf(workspace, folder);
  if (!repository) return undefined;
  const head = await readLine(workspace, join(repository.head, "HEAD"));
  const [, branch, commit] = /^(?:ref: refs\/heads\/(.{1,200})|([0-9a-f]{12})[0-9a-f]*)$/.exec(head ?? "") ?? [];
  return branch ?? commit;
}

async function exists(workspace: Pick<ReadableWorkspace, "status">, path: string): Promise<boolean> {
  return workspace.status(path).then(
    () => true,
    () => false,
  );
}

async function readLine(
  workspace: Pick<ReadableWorkspace, "status" | "open">,
  path: string,
): Promise<string | undefined> {
  const bytes = await readSmallFile(workspace, path, fileBounds.pointer);
  return bytes instanceof Uint8Array ? Buffer.from(bytes).toString().split(/\r?\n/)[0] : undefined;
}

/** The path after `prefix`, absolute or relative to `folder`. A network path is refused. */
function pathIn(folder: string, line: string | undefined, prefix: string): string | undefined {
  if (line?.startsWith(prefix) !== true) return undefined;
  const path = line.slice(prefix.length);
  return path === "" || isNetworkPath(path) ? undefined : resolve(folder, path);
}
