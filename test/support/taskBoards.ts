/** Task boards over a real database file, as each window has one. */
import type { Clock, MonotonicClock } from "../../src/base/clock";
import { systemClock } from "../../src/base/async/systemClock";
import { TaskBoard } from "../../src/tasks/board/board";
import { openSqliteTaskStore } from "../../src/tasks/store/sqliteTaskStore";
import type { OpenTaskStore } from "../../src/tasks/store/taskStore";
import { createFaultyDatabase, type FaultyDatabase } from "./faultyDatabase";
import { plainBoardOptions } from "./plainOptions";

/** `clock` is the board's own; the store looks for changes in real time. */
export function openBoard(
  path: string,
  { disk, clock = systemClock }: { readonly disk?: FaultyDatabase; readonly clock?: Clock } = {},
): Promise<TaskBoard> {
  return TaskBoard.open({ openStore: openStoreAt(path, disk), clock, ...plainBoardOptions });
}

/** `clock` is the store's own, for the change feed and the lease. */
export function openStoreAt(
  path: string,
  disk: FaultyDatabase = createFaultyDatabase({ fast: true }),
  clock: MonotonicClock = systemClock,
): OpenTaskStore {
  return () => openSqliteTaskStore({ path, clock, marksAttempts: false, openNative: disk.openNative });
}
