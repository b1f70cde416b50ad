/** Gives the list of synced tasks its memory in VS Code: a key of the global state, which Settings Sync carries while `sluice.syncTasks` is on (T14). */
import * as vscode from "vscode";
import type { DisposableStore } from "../base/disposable";
import { systemClock } from "../base/systemClock";
import type { TaskBoard } from "../tasks/board";
import { SyncedTasks } from "../tasks/syncedTasks";
import type { Settings } from "../vscode/settings";

/** In the memory that VS Code keeps for all windows. */
const key = "syncedTasks";

export function mountSyncedTasks(
  memory: vscode.ExtensionContext["globalState"],
  board: TaskBoard,
  { syncTasks }: Settings,
  mounted: DisposableStore,
): SyncedTasks {
  const synced = mounted.add(
    new SyncedTasks({
      board,
      clock: systemClock,
      machine: vscode.env.machineId.slice(0, 16),
      memory: {
        read: () => memory.get(key),
        write: (value) => void memory.update(key, value),
        setSynced: (isSynced) => memory.setKeysForSync(isSynced ? [key] : []),
      },
      isOn: () => syncTasks.current,
    }),
  );
  mounted.add(syncTasks.onDidChange(() => synced.update()));
  return synced;
}
