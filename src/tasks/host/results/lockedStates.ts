/** What became of the files that `sluice.lock` of this window's folders lists, for the views that show them. */
import { join } from "node:path";
import * as vscode from "vscode";
import type { LockState } from "../../../domain/lock/lockState";
import { checkLock } from "../../lock/lockStates";
import { lockOf } from "../../lock/lockWriter";

/** The folders whose `sluice.lock` is kept: on this machine, and none while the person does not trust them. */
export function lockRoots(): readonly string[] {
  if (!vscode.workspace.isTrusted) return [];
  return (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) => (uri.scheme === "file" ? [uri.fsPath] : []));
}

/** By the URI of the file. `isMeant`: the files that are looked at. Rejects with the signal's reason; a lock that can't be read lists nothing. */
export async function lockedStates(
  isMeant: (file: string) => boolean,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, LockState>> {
  const states = new Map<string, LockState>();
  for (const root of lockRoots()) {
    const uriOf = (path: string): string => vscode.Uri.file(join(root, path)).toString();
    const lock = await lockOf(root);
    for (const { path, state } of await checkLock(root, lock, (path) => isMeant(uriOf(path)), signal))
      states.set(uriOf(path), state);
  }
  return states;
}
