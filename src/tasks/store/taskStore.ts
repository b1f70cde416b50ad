/** What the board needs of the place where tasks are kept. Asynchronous and plain data throughout, so that it can live on another thread. */
import type { Event } from "../../base/event";
import type { GatewayError } from "../../domain/errors";
import type { Task } from "../../domain/task";
import type { TaskRecord } from "../../domain/taskRecord";

/** A task as it is on disk. */
export interface StoredTask {
  /** Its place in the order in which tasks were made. */
  readonly number: number;
  /** One more with each write of this task. */
  readonly revision: number;
  /** Taken off the list; kept, because its request may still be under way in another window. */
  readonly isRemoved: boolean;
  readonly task: Task;
}

export interface RecordToApply {
  readonly record: TaskRecord;
  /** The record is a step from this revision: when another window has written the task since, nothing is written. */
  readonly revision?: number | undefined;
}

export interface AppliedRecord {
  /** The task after it, with whatever other windows have written; `undefined` when there is none. */
  readonly stored: StoredTask | undefined;
  /** Another window was first. */
  readonly isConflict: boolean;
}

export interface TaskSnapshot {
  /** In the order of their numbers. */
  readonly tasks: readonly StoredTask[];
  /** For `changesSince`. */
  readonly change: number;
  /** Rows, and lines of an imported journal, that this version could not read. They stay where they are. */
  readonly unreadable: number;
  /** Why nothing can be written, although it can be read. */
  readonly obstacle?: GatewayError;
}

export interface TaskChanges {
  readonly tasks: readonly StoredTask[];
  /** Up to here; there may be more when `isComplete` is false. */
  readonly change: number;
  readonly isComplete: boolean;
}

/** Every method rejects with a `GatewayFailure` of kind `storage`. */
export interface TaskStore {
  /** All of them in one transaction, in their order; on disk when this resolves, or nothing is. */
  apply(records: readonly RecordToApply[]): Promise<readonly AppliedRecord[]>;
  /** Every task that runs, has an open question or was not accepted, and the newest others. */
  snapshot(newest: number): Promise<TaskSnapshot>;
  /** The newest tasks before the one with this number, newest first. */
  page(before: number, limit: number): Promise<readonly StoredTask[]>;
  /** What was written after this change, by any window, removed tasks too. */
  changesSince(change: number): Promise<TaskChanges>;
  /** Another window has written. `replaced`: the whole file is another one, and a snapshot is due. */
  readonly onDidChange: Event<"written" | "replaced">;
  close(): Promise<void>;
}

export type OpenTaskStore = () => Promise<TaskStore>;
