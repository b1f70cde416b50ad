/**
 * The store of tasks as the board needs it, and the messages to its thread. Everything is asynchronous plain data, so that the store can live on
 * another thread.
 */
import type { Event } from "../../base/event";
import type { ReplacedTaskFile } from "../../domain/words/describeStorage";
import type { AppError } from "../../domain/errors/appError";
import type { Task } from "../../domain/task/task";
import type { TaskRecord } from "../../domain/task/taskRecord";
import type { DayCap } from "./caps";
import type { ThreadAnswer, ThreadCall } from "../../base/async/threadCalls";

/** A task as it is on disk. */
export interface StoredTask {
  /** The place of the task in the order in which tasks were made. */
  readonly number: number;
  /** The number of writes of this task. */
  readonly revision: number;
  /** The task is off the list, and nothing else: its money counts, and its result is still fetched. */
  readonly isRemoved: boolean;
  /** The window that has begun its last attempt, while that has no outcome. */
  readonly sender?: string;
  /** That window lives; set only in a snapshot. */
  readonly isUnderWay?: true;
  readonly task: Task;
}

/** The state of the window of an attempt without an outcome: it lives, has ended, or has left no mark. */
export type SenderState = "live" | "ended" | "unmarked";

export interface RecordToApply {
  readonly record: TaskRecord;
  /** The revision that the task must still have: when another window has written it since, nothing is written. */
  readonly revision?: number | undefined;
  /** The record has happened, on disk or not: where no row can hold it, only this one is refused, and what is applied with it is written. */
  readonly hasHappened?: true;
  /** The cap of the day. Where it does not allow the task, the whole transaction is refused with an `AppFailure` of kind `capped`. */
  readonly cap?: DayCap | undefined;
}

export interface AppliedRecord {
  /** The task after the record, with whatever other windows have written; `undefined` when there is none. */
  readonly stored: StoredTask | undefined;
  /** Nothing was written: another window was first, or the row could not be read back. */
  readonly isConflict: boolean;
}

export interface TaskSnapshot {
  /** The tasks in the order of their numbers. */
  readonly tasks: readonly StoredTask[];
  /** The change from which `changesSince` goes on. */
  readonly change: number;
  /** The number of rows in the file, with those off the list and those that can't be read. */
  readonly total: number;
  /** The numbers of the rows among these that this version could not read. They stay where they are. */
  readonly unreadable: readonly number[];
  /** The file was damaged, and this store has replaced it. */
  readonly replacedFile?: ReplacedTaskFile;
  /** The reason why the file can be read but not written. */
  readonly obstacle?: AppError;
}

export interface StoredRows {
  readonly tasks: readonly StoredTask[];
  /** The numbers of rows on the list that this version can't read. */
  readonly unreadable: readonly number[];
}

export interface StoredPage extends StoredRows {
  /** `after` of the next page; missing with the last one. */
  readonly next?: number;
}

interface TaskChanges extends StoredRows {
  /** The last change that was read; there may be more when `isComplete` is false. */
  readonly change: number;
  readonly isComplete: boolean;
}

/** The facts that a window publishes to the others with each step of the lease. */
export interface PollStep {
  /** The poller's note as JSON, kept for the other windows while this one has the lease. */
  readonly note: string;
  /** A person looks at this window, which decides how often the window that polls reads. */
  readonly isWatched: boolean;
  /** A person asked this window for a refresh since the last step. */
  readonly asksRefresh: boolean;
}

export interface PollLease {
  /** This window is the one that polls, for `pollLease.silence` after the step. */
  readonly isOurs: boolean;
  /** The note of the window that polls, or of the last one that did. */
  readonly note?: string;
  /** These two are counters: one grows while a person looks at another window, the other with each refresh that is requested there. */
  readonly watched: number;
  readonly refreshes: number;
}

/** A pause of one account that a service asked for. It holds in all windows, also after a reload. */
export interface StoredPause {
  readonly account: string;
  /** Milliseconds since 1970. */
  readonly until: number;
  /** Milliseconds of the whole pause. */
  readonly length: number;
}

/** Milliseconds; a kill is noticed after the silence and one look. */
export const pollLease = { renewal: 3000, look: 1000, silence: 9000 } as const;

/** Every method rejects with an `AppFailure`, of kind `storage` but for a cap. */
export interface TaskStore {
  /** Applies all records in one transaction, in their order; all are on disk when this resolves, and none when it rejects. */
  apply(records: readonly RecordToApply[]): Promise<readonly AppliedRecord[]>;
  /** Reads, of the tasks on the list, every one that runs, has an open question or was not accepted, and the newest others. */
  snapshot(newest: number): Promise<TaskSnapshot>;
  /** The oldest tasks after the one with this number, oldest first; also those off the list. */
  page(after: number, limit: number): Promise<StoredPage>;
  /** Rejects with an `AppFailure` of kind `capped` where the cap does not allow its new tasks. */
  checkCap(cap: DayCap): Promise<void>;
  /** The exact JSON of a task's request; `undefined` when there is none, as for a task that was submitted elsewhere. */
  readBody(id: string): Promise<string | undefined>;
  /** Whether the task was made before the wall clock was set back, so that its times don't tell how old it is. */
  isAgeUnknown(id: string): Promise<boolean>;
  /** Reads what was written after this change, by any window, removed tasks too. */
  changesSince(change: number): Promise<TaskChanges>;
  /** Whether the window that sends the task lives. */
  senderState(sender: string | undefined): Promise<SenderState>;
  /** Takes, renews or watches the lease by which one of all windows polls. */
  stepPollLease(step: PollStep): Promise<PollLease>;
  /** Releases the lease, so that another window need not wait for the silence; also done by `close`. */
  releasePollLease(): Promise<void>;
  /** Does nothing where a pause of the account is stored that ends later. */
  keepPause(pause: StoredPause): Promise<void>;
  /** Leaves out a pause of which more is left than it has in all: the clock was set back since it was stored. */
  pauses(): Promise<readonly StoredPause[]>;
  /** Fires when another window has written. `replaced`: the whole file is another one, and a snapshot is due. */
  readonly onDidChange: Event<"written" | "replaced">;
  close(): Promise<void>;
}

export type OpenTaskStore = () => Promise<TaskStore>;

// The extension's thread and that of the store exchange calls, their answers, and changes.

export type StoreMethod = Exclude<keyof TaskStore, "onDidChange">;

export type StoreCall = ThreadCall<StoreMethod>;

export type StoreMessage =
  | { readonly type: "opened" }
  | { readonly type: "failed"; readonly error: AppError }
  | { readonly type: "answered"; readonly answer: ThreadAnswer<AppError> }
  | { readonly type: "changed"; readonly change: "written" | "replaced" };
