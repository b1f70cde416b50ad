/** What the task board needs from outside. */
import type { Clock } from "../../base/clock";
import type { Event } from "../../base/event";
import type { SubmissionState } from "../../domain/task/submission";
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

/** A task as it is shown when a person decides on it: what follows from that is done to this task or not at all. */
export interface SeenTask {
  readonly id: string;
  readonly state: SubmissionState;
  /** Of its row; no row has 0. */
  readonly revision: number;
}

export interface RecordOptions {
  /** Only while the task is as it was seen, in every window. `true`: as it is shown now. */
  readonly ifUnchanged?: boolean | SeenTask;
  readonly cap?: DayCap | undefined;
}
