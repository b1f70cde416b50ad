/**
 * Records that the board shows and the disk does not hold, in the order in which they happened; all of them belong into the store before anything
 * newer.
 */
import { Store } from "../../base/store";
import type { AppError } from "../../domain/errors/appError";
import { isAccepted } from "../../domain/task/phase";
import { intentIdOf, type TaskRecord } from "../../domain/task/taskRecord";

export interface UnwrittenRecords {
  /** The number of tasks whose acceptance is not on disk. */
  readonly accepted: number;
  /** The error because of which nothing can be written, or that of the last write; kind `storage`. */
  readonly error: AppError;
}

export class UnwrittenQueue {
  /** Set while the disk refuses records of what the service reported, or can't be written at all. */
  readonly state = new Store<UnwrittenRecords | undefined>(undefined);
  /** The reason why nothing can be written, found when the store was opened. */
  obstacle: AppError | undefined;
  #records: readonly TaskRecord[] = [];

  get all(): readonly TaskRecord[] {
    return this.#records;
  }

  of(id: string): readonly TaskRecord[] {
    return this.#records.filter((record) => intentIdOf(record) === id);
  }

  add(record: TaskRecord): void {
    if (record.type === "task-read" || record.type === "task-events") {
      // The record replaces an earlier one of its type.
      const id = intentIdOf(record);
      this.#records = this.#records.filter((older) => older.type !== record.type || intentIdOf(older) !== id);
    }
    this.#records = [...this.#records, record];
  }

  /** Adds records before those of later changes of the same tasks. */
  addFirst(records: readonly TaskRecord[]): void {
    this.#records = [...records, ...this.#records];
  }

  /** `error` is that of the write that failed now; `undefined` leaves the last one. */
  show(error: AppError | undefined): void {
    const reason = this.obstacle ?? error ?? this.state.current?.error;
    const isWritten = this.#records.length === 0 && !this.obstacle;
    this.state.set(
      isWritten || !reason ? undefined : { accepted: this.#records.filter(isAccept).length, error: reason },
    );
  }

  written(records: readonly TaskRecord[]): void {
    const done = new Set(records);
    this.#records = this.#records.filter((record) => !done.has(record));
    this.obstacle = undefined;
    this.show(undefined);
  }
}

function isAccept(record: TaskRecord): boolean {
  return record.type === "task-recovered" ? isAccepted(record.task) : record.type === "task-accepted";
}
