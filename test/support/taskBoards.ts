/** Task boards over a real database file, as each window has one. */
import type { Clock, MonotonicClock } from "../../src/base/clock";
import { systemClock } from "../../src/base/async/systemClock";
import { TaskBoard } from "../../src/tasks/board/board";
import { openSqliteTaskStore } from "../../src/tasks/store/sqliteTaskStore";
import type { OpenTaskStore } from "../../src/tasks/store/taskStore";
import { createFaultyDatabase, type FaultyDatabase } from "./faultyDatabase";
import { plainBoardOptions } from "./plainOptions";

interface BoardToOpen {
  readonly disk?: FaultyDatabase;
  /** The board's own; the store looks for changes in real time. */
  readonly clock?: Clock;
  /** Whether other boards see that this one has ended, as other windows do. */
  readonly marksAttempts?: boolean;
}

export function openBoard(
  path: string,
  { disk, clock = systemClock, marksAttempts }: BoardToOpen = {},
): Promise<TaskBoard> {
  const openStore = openStoreAt(path, disk, systemClock, marksAttempts);
  return TaskBoard.open({ openStore, clock, ...plainBoardOptions });
}

/** `clock` is the store's own, for the change feed and the lease. */
export function openStoreAt(
  path: string,
  disk: FaultyDatabase = createFaultyDatabase({ fast: true }),
  clock: MonotonicClock = systemClock,
  marksAttempts = false,
): OpenTaskStore {
  return () => openSqliteTaskStore({ path, clock, marksAttempts, openNative: disk.openNative });
}
