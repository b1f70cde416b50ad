/** Checks the files that `sluice.lock` lists in the folders of this window, for the views that show their states. */
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { BoundedMap } from "../../../base/boundedMap";
import type { LockEntry } from "../../../domain/lock/lockFile";
import { hashBelow, type HashedFile } from "../../lock/lockedFiles";
import { type CheckedFile, checkLock } from "../../lock/lockStates";
import { lockOf } from "../../lock/lockWriter";

/** The folders whose `sluice.lock` is kept: those on this machine, and none while the person does not trust them. */
export function lockRoots(): readonly string[] {
  if (!vscode.workspace.isTrusted) return [];
  return (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) => (uri.scheme === "file" ? [uri.fsPath] : []));
}

/** The newest line of each listed file, by the URI of the file. No file is looked at, so that a lock with many lines takes little time. */
export async function listedEntries(): Promise<ReadonlyMap<string, LockEntry>> {
  const listed = new Map<string, LockEntry>();
  for (const root of lockRoots()) {
    const { entries } = await lockOf(root);
    for (const [path, [newest]] of entries) listed.set(vscode.Uri.file(join(root, path)).toString(), newest);
  }
  return listed;
}

/**
 * The states by the URI of the file. `isMeant` selects files by URI. `maxBytes` limits what is read in all; a file beyond it counts as too large. Rejects
 * with the signal's reason; a lock that can't be read lists nothing.
 */
export async function lockedStates(
  isMeant: (file: string) => boolean,
  signal?: AbortSignal,
  maxBytes = Infinity,
): Promise<ReadonlyMap<string, CheckedFile>> {
  const hash = hashOnceWithin(maxBytes);
  const states = new Map<string, CheckedFile>();
  for (const root of lockRoots()) {
    const uriOf = (path: string): string => vscode.Uri.file(join(root, path)).toString();
    const lock = await lockOf(root);
    const isMeantPath = (path: string): boolean => isMeant(uriOf(path));
    for (const checked of await checkLock(root, lock, { isMeant: isMeantPath, hash, signal }))
      states.set(uriOf(checked.path), checked);
  }
  return states;
}

/** Hashes by the path of the file, valid while its metadata stays the same: a hover must not read a video again each time. */
const hashed = new BoundedMap<string, { readonly mark: string; readonly found: HashedFile }>(2000);

/** Hashes files until `maxBytes` were read; what is remembered is not read. */
function hashOnceWithin(maxBytes: number): typeof hashBelow {
  let left = maxBytes;
  return async (root, path, expected) => {
    const file = join(root, path);
    const stats = await lstat(file).catch(() => undefined);
    const mark = stats && [stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join(" ");
    const known = hashed.get(file);
    if (mark !== undefined && known?.mark === mark) return known.found;
    // A file of another length than expected is not read.
    const size = stats?.isFile() === true && (expected ?? stats.size) === stats.size ? stats.size : 0;
    if (size > left) return "too-large";
    left -= size;
    const found = await hashBelow(root, path, expected);
    if (mark !== undefined && typeof found !== "string")
      hashed.set(file, { mark, found: { ...found, start: Buffer.alloc(0) } });
    return found;
  };
}
