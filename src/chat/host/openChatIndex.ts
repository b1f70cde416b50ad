/** Opens the index of the chats, for the list of chats and the usage page. Its thread starts with the first call. */
import * as vscode from "vscode";
import { systemClock } from "../../base/async/systemClock";
import type { Disposable } from "../../base/disposable";
import { WorkerChatIndex } from "../storage/index/workerChatIndex";
import type { Log } from "../../domain/ports";
import type { StoragePaths } from "../../vscode/storagePaths";

export function openChatIndex(
  extensionUri: vscode.Uri,
  { chatIndex, chats }: StoragePaths,
  log: Log,
): WorkerChatIndex & Disposable {
  const program = vscode.Uri.joinPath(extensionUri, "dist", "storage.mjs").fsPath;
  const index = new WorkerChatIndex({ program, path: chatIndex, sessions: chats, log, clock: systemClock });
  return Object.assign(index, { dispose: () => void index.close().catch(() => undefined) });
}
