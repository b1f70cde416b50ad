/** Checks the files that `sluice.lock` lists in the folders of this window, for the views that show their states. */
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { BoundedMap } from "../../../base/boundedMap";
import { hashBelow, type HashedFile } from "../../lock/lockedFiles";
import { type CheckedFile, checkLock } from "../../lock/lockStates";
import { lockOf } from "../../lock/lockWriter";

/** The folders whose `sluice.lock` is kept: those on this machine, and none while the person does not trust them. */
export function lockRoots(): readonly string[] {
  if (!vscode.workspace.isTrusted) return [];
  return (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) => (uri.scheme === "file" ? [uri.fsPath] : []));
}

/** The states by the URI of the file. `isMeant` selects files by URI. Rejects with the signal's reason; a lock that can't be read lists nothing. */
export async function lockedStates(
  isMeant: (file: string) => boolean,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, CheckedFile>> {
  const states = new Map<string, CheckedFile>();
  for (const root of lockRoots()) {
    const uriOf = (path: string): string => vscode.Uri.file(join(root, path)).toString();
    const lock = await lockOf(root);
    const isMeantPath = (path: string): boolean => isMeant(uriOf(path));
    for (const checked of await checkLock(root, lock, { isMeant: isMeantPath, hash: hashOnce, signal }))
      states.set(uriOf(checked.path), checked);
  }
  return states;
}

/** Hashes by the path of the file, valid while its metadata stays the same: a hover must not read a video again each time. */
const hashed = new BoundedMap<string, { readonly mark: string; readonly found: HashedFile }>(2000);

const hashOnce: typeof hashBelow = async (root, path, expected) => {
  const file = join(root, path);
  const mark = await lstat(file).then(
    ({ ino, size, mtimeMs, ctimeMs }) => [ino, size, mtimeMs, ctimeMs].join(" "),
    () => undefined,
  );
  const known = hashed.get(file);
  if (mark !== undefined && known?.mark === mark) return known.found;
  const found = await hashBelow(root, path, expected);
  if (mark !== undefined && typeof found !== "string")
    hashed.set(file, { mark, found: { ...found, start: Buffer.alloc(0) } });
  return found;
};
