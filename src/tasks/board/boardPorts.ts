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
  /** Resolves when all rows of the file were read into `tasks`, or can't be read now. */
  loaded(): Promise<void>;
}

/** The version of a task that a person was shown: what they choose is done only if the task still has this version. */
export interface SeenTask {
  readonly id: string;
  readonly state: SubmissionState;
  /** Of its row; 0 where the file has none. */
  readonly revision: number;
}

export interface RecordOptions {
  /** Writes only if no window has changed the task since this version; `true`: since the one that is shown now. */
  readonly ifUnchanged?: boolean | SeenTask;
  readonly cap?: DayCap | undefined;
}
