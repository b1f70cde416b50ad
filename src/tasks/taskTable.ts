/** All tasks as the records make them, in the order of the journal. A request that goes on after its row was removed brings the row back (T1). */
import { isRunning, type Task } from "../domain/task";
import { recordTask, reduceTask, type TaskRecord } from "../domain/taskRecord";

export class TaskTable {
  readonly #tasks = new Map<string, Task>();
  /**
   * Taken off the list before they were accepted. Another window, or an attempt that is still writing its start, may be
   * sending such a task: its hold must not be without a row.
   */
  readonly #removed = new Map<string, Task>();

  get tasks(): ReadonlyMap<string, Task> {
    return this.#tasks;
  }

  place(record: TaskRecord): void {
    const id = recordTask(record);
    const removed = this.#removed.get(id);
    if (record.type === "task-removed") {
      this.#remove(id);
      return;
    }
    const before = this.#tasks.get(id) ?? removed;
    const task = reduceTask(before, record);
    if (task === undefined) return;
    // A refusal, or the end of an attempt that nothing came of, is no reason to show the task again.
    if (removed !== undefined && task.submission.state === "not-accepted") {
      this.#removed.set(id, task);
      return;
    }
    this.#removed.delete(id);
    this.#tasks.set(id, task);
  }

  /** Puts the task as another table has it in the place of this one's. */
  adopt(id: string, { tasks }: TaskTable): void {
    const task = tasks.get(id);
    if (task) this.#tasks.set(id, task);
  }

  #remove(id: string): void {
    const task = this.#tasks.get(id);
    // No row of a running task offers to be removed: a window that had not learnt of the accept has written this.
    if (task === undefined || isRunning(task)) return;
    this.#tasks.delete(id);
    if (task.submission.state !== "accepted") this.#removed.set(id, task);
  }
}
