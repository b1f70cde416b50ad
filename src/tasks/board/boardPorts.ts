/** What the task board needs from outside. */
import type { Clock } from "../../base/clock";
import type { Event } from "../../base/event";
import type { Task } from "../../domain/task/task";
import type { DayCap } from "../store/caps";
import type { OpenTaskStore, TaskSnapshot } from "../store/taskStore";

export interface TaskBoardPorts {
  readonly openStore: OpenTaskStore;
  /** What is on disk, for a store that takes long to open; `undefined` where that can't be read separately. */
  readonly readEarly: (newest: number) => TaskSnapshot | undefined;
  readonly clock: Clock;
}

/** All tasks of this machine, those that were taken off the list too: for what counts them, or fetches their results. */
export interface AllTasks {
  readonly tasks: ReadonlyMap<string, Task>;
  /** The ids of the tasks that changed, appeared or went. */
  readonly onDidChange: Event<ReadonlySet<string>>;
  /** Resolves when every task on disk is known, or the file can't be read now. */
  loaded(): Promise<void>;
}

export interface RecordOptions {
  /** Only while no other window has written the task since it was shown. */
  readonly ifUnchanged?: boolean;
  readonly cap?: DayCap | undefined;
}
