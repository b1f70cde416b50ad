/** All tasks as they stand, and the journal under them: what is recorded is on disk before anyone sees it. */
import { AppendFile } from "../base/appendFile";
import { Emitter, type Event } from "../base/event";
import type { Task } from "../domain/task";
import { recordTask, reduceTask, type TaskRecord } from "../domain/taskRecord";
import { readTaskRecord } from "./recordSchema";

/** Paid for or not is at stake in these, so they have reached the disk before the next step (T1). */
const synced = new Set<TaskRecord["type"]>(["task-intended", "task-sending", "task-accepted", "task-cancel"]);

export class TaskBoard {
  readonly #journal: AppendFile;
  readonly #tasks: Map<string, Task>;
  readonly #changed = new Emitter<ReadonlySet<string>>();
  /** Journal lines that this version could not read; they stay where they are. */
  readonly unreadable: number;

  private constructor(journal: AppendFile, tasks: Map<string, Task>, unreadable: number) {
    this.#journal = journal;
    this.#tasks = tasks;
    this.unreadable = unreadable;
  }

  /** Opens the journal and replays it. A submission that the last run did not see answered has an unknown outcome. */
  static async open(path: string): Promise<TaskBoard> {
    const { file, contents } = await AppendFile.open(path);
    const tasks = new Map<string, Task>();
    let { unreadable } = contents;
    for (const line of contents.records) {
      const record = readTaskRecord(line);
      if (record === undefined) unreadable += 1;
      else place(tasks, record);
    }
    for (const task of tasks.values()) {
      if (task.submission.state !== "sending") continue;
      const { id, createdAt } = task.intent;
      // Held in memory only: another window may be waiting for this very answer, and its word counts.
      place(tasks, { type: "task-outcome-unknown", id, at: createdAt, error: interrupted });
    }
    return new TaskBoard(file, tasks, unreadable);
  }

  get tasks(): ReadonlyMap<string, Task> {
    return this.#tasks;
  }

  /** The ids of the tasks that changed, appeared or went. */
  readonly onDidChange: Event<ReadonlySet<string>> = this.#changed.event;

  /** Writes the record, then applies it. Rejects with the file system's error, and then nothing has changed. */
  async record(record: TaskRecord): Promise<void> {
    await this.#journal.append(record, { sync: synced.has(record.type) });
    this.#apply(record);
  }

  /** Applies what is true only for now and is not written: that reads fail, that one came back the same. */
  observe(record: Extract<TaskRecord, { type: "task-read" | "task-read-failed" | "task-not-accepted" }>): void {
    this.#apply(record);
  }

  async close(): Promise<void> {
    this.#changed.dispose();
    await this.#journal.close();
  }

  #apply(record: TaskRecord): void {
    const id = recordTask(record);
    const before = this.#tasks.get(id);
    place(this.#tasks, record);
    if (this.#tasks.get(id) !== before) this.#changed.fire(new Set([id]));
  }
}

const interrupted = { kind: "unreachable", message: "VS Code was closed before the gateway answered." } as const;

function place(tasks: Map<string, Task>, record: TaskRecord): void {
  const id = recordTask(record);
  const task = reduceTask(tasks.get(id), record);
  if (task === undefined) tasks.delete(id);
  else tasks.set(id, task);
}
