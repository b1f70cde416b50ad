/** What the task board needs from outside. */
import type { Clock } from "../../base/clock";
import type { SubmissionState } from "../../domain/task/submission";
import type { DayCap } from "../store/caps";
import type { OpenTaskStore, TaskSnapshot } from "../store/taskStore";

export interface TaskBoardPorts {
  readonly openStore: OpenTaskStore;
  /** What is on disk, for a store that takes long to open; `undefined` where that can't be read separately. */
  readonly readEarly: (newest: number) => TaskSnapshot | undefined;
  readonly clock: Clock;
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
