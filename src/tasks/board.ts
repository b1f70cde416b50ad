/** All tasks as they stand, and the journal under them. What a step needs on disk is written before it; what the service said is shown at once and written as soon as the disk takes it. */
import { AppendFile, type AppendFileContents, type OpenHandle } from "../base/appendFile";
import { Emitter, type Event } from "../base/event";
import { type ReadonlyStore, Store } from "../base/store";
import type { GatewayError } from "../domain/errors";
import type { Submission, Task } from "../domain/task";
import { recordTask, type TaskRecord } from "../domain/taskRecord";
import { readTaskRecord } from "./recordSchema";
import { storageError } from "./storageError";
import { TaskTable } from "./taskTable";

/** Paid for or not is at stake in these, so they have reached the disk before the next step (T1). */
const synced = new Set<TaskRecord["type"]>(["task-intended", "task-sending", "task-accepted", "task-cancel"]);

/** Records that the board shows and the disk does not hold. */
export interface UnwrittenRecords {
  /** How many tasks of which the disk does not hold that they were accepted. */
  readonly accepted: number;
  /** Why the last write failed; kind `storage`. */
  readonly error: GatewayError;
}

export class TaskBoard {
  readonly #journal: AppendFile;
  readonly #table: TaskTable;
  readonly #changed = new Emitter<ReadonlySet<string>>();
  readonly #unwritten = new Store<UnwrittenRecords | undefined>(undefined);
  /** In the order in which they happened; all of them belong into the journal before anything newer. */
  #pending: TaskRecord[] = [];
  #writing: Promise<void> = Promise.resolve();
  /** Journal lines that this version could not read; they stay where they are. */
  readonly unreadable: number;

  private constructor(journal: AppendFile, table: TaskTable, unreadable: number) {
    this.#journal = journal;
    this.#table = table;
    this.unreadable = unreadable;
  }

  /**
   * Opens the journal and replays it. A submission that the last run left in the middle has an unknown outcome when its
   * request had begun, and was not sent otherwise.
   */
  static async open(path: string, openHandle?: OpenHandle): Promise<TaskBoard> {
    const { file, contents } = await AppendFile.open(path, openHandle);
    const { table, unreadable } = replay(contents);
    for (const { intent, submission } of [...table.tasks.values()]) {
      const { id, createdAt: at } = intent;
      // In memory only: another window may be sending it at this moment, and what that one writes counts.
      if (submission.state === "prepared") table.place({ type: "task-not-accepted", id, at, error: neverSent });
      const isReconciling = submission.state === "outcome-unknown" && submission.reconcile?.state === "under-way";
      if (submission.state === "sending" || isReconciling) table.place(interruption(id, at));
    }
    return new TaskBoard(file, table, unreadable);
  }

  get tasks(): ReadonlyMap<string, Task> {
    return this.#table.tasks;
  }

  /** The ids of the tasks that changed, appeared or went. */
  readonly onDidChange: Event<ReadonlySet<string>> = this.#changed.event;

  /** Set while the disk does not take what the service said. */
  get unwritten(): ReadonlyStore<UnwrittenRecords | undefined> {
    return this.#unwritten;
  }

  /**
   * For what must be on disk before the next step: writes the record, after all that is still unwritten, then applies
   * it. Rejects with a `GatewayFailure` of kind `storage`, and then nothing has changed.
   */
  async record(record: TaskRecord): Promise<void> {
    await this.#serially(async () => {
      await this.#writePending();
      await this.#append(record);
    });
    this.#apply(record);
  }

  /**
   * For what has happened whether the disk takes it or not: applies the record at once. It is written before this
   * resolves or, when the disk refuses, kept and tried again with each later write and by `flush`. Never rejects.
   */
  async keep(record: TaskRecord): Promise<void> {
    this.#apply(record);
    if (replaces(record)) {
      const id = recordTask(record);
      this.#pending = this.#pending.filter((older) => older.type !== record.type || recordTask(older) !== id);
    }
    this.#pending.push(record);
    await this.flush();
  }

  /** Writes what is unwritten. Never rejects: what stays is in `unwritten`. */
  async flush(): Promise<void> {
    await this.#serially(() => this.#writePending()).catch(() => undefined);
  }

  /** Applies what is true only for now and is not written: that reads fail, that one came back the same. */
  observe(record: Extract<TaskRecord, { type: "task-read" | "task-read-failed" | "task-not-accepted" }>): void {
    this.#apply(record);
  }

  /**
   * Takes over what another window has written of attempts that this one does not know of: its accept, or that its
   * request may have reached the service. Never rejects: without the file, what is known stays.
   */
  async learn(): Promise<void> {
    let table: TaskTable;
    try {
      const contents = await this.#serially(() => this.#journal.readForeign());
      if (contents === undefined) return;
      table = replay(contents).table;
    } catch {
      return;
    }
    for (const record of this.#pending) table.place(record);
    const learnt = [...this.tasks].flatMap(([id, { intent, submission }]) => {
      const written = table.tasks.get(id);
      if (!written || !isNews(submission, written.submission)) return [];
      if (written.submission.state === "sending") table.place(interruption(id, intent.createdAt));
      return [id];
    });
    for (const id of learnt) this.#table.adopt(id, table);
    if (learnt.length > 0) this.#changed.fire(new Set(learnt));
  }

  async close(): Promise<void> {
    await this.flush();
    this.#changed.dispose();
    await this.#journal.close();
  }

  /** One writer at a time: a record never overtakes one that happened before it. */
  #serially<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#writing.then(work);
    this.#writing = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  }

  async #writePending(): Promise<void> {
    for (let [record] = this.#pending; record !== undefined; [record] = this.#pending) {
      await this.#append(record);
      this.#pending = this.#pending.filter((other) => other !== record);
      this.#tellUnwritten(undefined);
    }
  }

  async #append(record: TaskRecord): Promise<void> {
    try {
      await this.#journal.append(record, { sync: synced.has(record.type) });
    } catch (failure) {
      const stored = storageError(failure);
      this.#tellUnwritten(stored.error);
      throw stored;
    }
  }

  #tellUnwritten(error: GatewayError | undefined): void {
    const reason = error ?? this.#unwritten.current?.error;
    const accepted = this.#pending.filter(({ type }) => type === "task-accepted").length;
    this.#unwritten.set(this.#pending.length === 0 || !reason ? undefined : { accepted, error: reason });
  }

  #apply(record: TaskRecord): void {
    const id = recordTask(record);
    const before = this.tasks.get(id);
    this.#table.place(record);
    if (this.tasks.get(id) !== before) this.#changed.fire(new Set([id]));
  }
}

const neverSent = { kind: "interrupted", message: "VS Code was closed before this was sent.", notSent: true } as const;
const interrupted = { kind: "interrupted", message: "VS Code was closed before the gateway answered." } as const;

/** A later record of the same task makes an earlier one of these types worthless. */
function replaces({ type }: TaskRecord): boolean {
  return type === "task-read" || type === "task-events";
}

function replay(contents: AppendFileContents): { readonly table: TaskTable; readonly unreadable: number } {
  const table = new TaskTable();
  let { unreadable } = contents;
  for (const line of contents.records) {
    const record = readTaskRecord(line);
    if (record === undefined) unreadable += 1;
    else table.place(record);
  }
  return { table, unreadable };
}

/** The end of an attempt that the journal shows without one. */
function interruption(id: string, at: number): TaskRecord {
  return { type: "task-outcome-unknown", id, at, error: interrupted };
}

/** Whether what is written may mean money where what is shown does not. */
function isNews(shown: Submission, written: Submission): boolean {
  if (shown.state === "accepted") return false;
  if (written.state === "accepted") return true;
  return shown.state === "not-accepted" && (written.state === "sending" || written.state === "outcome-unknown");
}
