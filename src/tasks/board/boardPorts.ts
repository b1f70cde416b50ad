/** What the task board needs from outside. */
import type { Clock } from "../../base/clock";
import type { DayCap } from "../store/caps";
import type { OpenTaskStore, TaskSnapshot } from "../store/taskStore";

export interface TaskBoardPorts {
  readonly openStore: OpenTaskStore;
  /** What is on disk, for a store that takes long to open; `undefined` where that can't be read separately. */
  readonly readEarly: (newest: number) => TaskSnapshot | undefined;
  readonly clock: Clock;
}

export interface RecordOptions {
  /** Only while no other window has written the task since it was shown. */
  readonly ifUnchanged?: boolean;
  readonly cap?: DayCap | undefined;
}
