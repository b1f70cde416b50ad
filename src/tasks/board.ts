/** All tasks as they are now, over the store that keeps them. What a step needs on disk is written before it; what the service said is shown at once and written as soon as the disk takes it. */
import type { Clock } from "../base/clock";
import { Emitter, type Event } from "../base/event";
import { type ReadonlyStore, Store } from "../base/store";
import { TimeSlices } from "../base/timeSlices";
import { type GatewayError, GatewayFailure } from "../domain/errors";
import type { Task } from "../domain/task";
import { intentIdOf, reduceTask, type TaskRecord } from "../domain/taskRecord";
import { interruptedAttempt, isUnfinished, withObserved } from "./shownTask";
import { storageError } from "./storageError";
import type { OpenTaskStore, RecordToApply, StoredTask, TaskSnapshot, TaskStore } from "./store/taskStore";

/** Records that the board shows and the disk does not hold. */
export interface UnwrittenRecords {
  /** How many tasks of which the disk does not hold that they were accepted. */
  readonly accepted: number;
  /** Why nothing can be written, or why the last write failed; kind `storage`. */
  readonly error: GatewayError;
}

export interface TaskBoardPorts {
  readonly openStore: OpenTaskStore;
  /** What is on disk, for a store that takes long to open; `undefined` where that can't be read by itself. */
  readonly readEarly?: (newest: number) => TaskSnapshot | undefined;
  readonly clock: Clock;
}

/** Tasks that are read before the board is there, beside those that run or have an open question; and at once after that. */
const pageSize = 200;

/** Milliseconds after which an attempt that another window has begun is taken for one that was cut. */
const attemptSilence = 60_000;

export class TaskBoard {
  readonly #ports: TaskBoardPorts;
  readonly #changed = new Emitter<ReadonlySet<string>>();
  readonly #unwritten = new Store<UnwrittenRecords | undefined>(undefined);
  readonly #ended = new AbortController();
  #tasks = new Map<string, Task>();
  /** What the store has of each task that is shown. */
  readonly #stored = new Map<string, { readonly number: number; readonly revision: number }>();
  /** Since the board was opened. */
  readonly #removed = new Set<string>();
  #store: TaskStore | undefined;
  /** Why nothing can be written, as opening the store has shown. */
  #obstacle: GatewayError | undefined;
  /** The last change that was read of what other windows write. */
  #change = 0;
  /** In the order in which they happened; all of them belong into the store before anything newer. */
  #pending: TaskRecord[] = [];
  #working: Promise<void> = Promise.resolve();
  #unreadable = 0;

  private constructor(ports: TaskBoardPorts) {
    this.#ports = ports;
  }

  /**
   * Never rejects: without the store the board is empty, `unwritten` says why, and each write tries to open it again. A
   * submission that the last run left in the middle has an unknown outcome when its request had begun, and was not sent
   * otherwise. With an early read it resolves before the store is open; what is written waits for the store.
   */
  static async open(ports: TaskBoardPorts): Promise<TaskBoard> {
    const board = new TaskBoard(ports);
    const opening = board.#serially(() => board.#openStore()).catch(() => undefined);
    const early = ports.readEarly?.(pageSize);
    if (early) {
      board.#unreadable = early.unreadable;
      board.#show(early.tasks, interruptedAttempt);
    } else await opening;
    return board;
  }

  get tasks(): ReadonlyMap<string, Task> {
    return this.#tasks;
  }

  /** Rows that this version could not read; they stay where they are. */
  get unreadable(): number {
    return this.#unreadable;
  }

  /** The ids of the tasks that changed, appeared or went. */
  readonly onDidChange: Event<ReadonlySet<string>> = this.#changed.event;

  /** Set while the disk does not take what the service said, or can't be written at all. */
  get unwritten(): ReadonlyStore<UnwrittenRecords | undefined> {
    return this.#unwritten;
  }

  /**
   * For what must be on disk before the next step: writes the record, after all that is still unwritten, then applies
   * it. Rejects with a `GatewayFailure` of kind `storage`, and then nothing has changed. A step `from` what is shown is
   * taken only if no other window has written the task since: else resolves with false, and what that one wrote is shown.
   */
  async record(record: TaskRecord, { isStep = false } = {}): Promise<boolean> {
    const revision = isStep ? this.#stored.get(intentIdOf(record))?.revision : undefined;
    return this.#serially(() => this.#write({ record, revision }));
  }

  /**
   * For what has happened whether the disk takes it or not: applies the record at once. It is written before this
   * resolves or, when the disk refuses, kept and tried again with each later write and by `flush`. Never rejects.
   */
  async keep(record: TaskRecord): Promise<void> {
    this.#apply(record);
    if (record.type === "task-read" || record.type === "task-events") {
      // It makes an earlier one of its type worthless.
      const id = intentIdOf(record);
      this.#pending = this.#pending.filter((older) => older.type !== record.type || intentIdOf(older) !== id);
    }
    this.#pending.push(record);
    await this.flush();
  }

  /** Writes what is unwritten. Never rejects: what stays is in `unwritten`. */
  async flush(): Promise<void> {
    await this.#serially(() => this.#write()).catch(() => undefined);
  }

  /** Applies what is true only for now and is not written: that reads fail, that one came back the same. */
  observe(record: Extract<TaskRecord, { type: "task-read" | "task-read-failed" | "task-not-accepted" }>): void {
    this.#apply(record);
  }

  /** Takes over what other windows have written. Never rejects: without the file, what is known stays. */
  async learn(): Promise<void> {
    await this.#serially(() => this.#learn()).catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#ended.abort();
    if (this.#pending.length > 0) await this.flush();
    await this.#working;
    this.#changed.dispose();
    await this.#store?.close().catch(() => undefined);
  }

  /** One at a time: a record never overtakes one that happened before it. */
  #serially<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#working.then(work);
    this.#working = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  }

  async #openStore(): Promise<TaskStore> {
    if (this.#store) return this.#store;
    // What the runtime lacks does not come by itself.
    if (this.#obstacle?.code === "missing-runtime") throw new GatewayFailure(this.#obstacle);
    let store: TaskStore | undefined;
    try {
      const opened = (store = await this.#ports.openStore());
      opened.onDidChange((change) => {
        void (change === "replaced" ? this.#serially(() => this.#load(opened)).catch(() => undefined) : this.learn());
      });
      await this.#load(opened);
    } catch (failure) {
      await store?.close().catch(() => undefined);
      const { error } = storageError(failure);
      this.#obstacle = error;
      this.#showUnwritten(error);
      throw new GatewayFailure(error, { cause: failure });
    }
    this.#store = store;
    return store;
  }

  /** What runs or has an open question, and the newest; the older ones follow page by page. */
  async #load(store: TaskStore): Promise<void> {
    const { tasks, change, unreadable, obstacle } = await store.snapshot(pageSize);
    this.#change = change;
    this.#unreadable = unreadable;
    this.#obstacle = obstacle;
    // Another file counts its revisions anew.
    this.#stored.clear();
    this.#show(tasks, interruptedAttempt);
    this.#showUnwritten(obstacle);
    if (tasks.length >= pageSize) void this.#loadOlder(store).catch(() => undefined);
  }

  /** Shown all at once, in their order, which is made in slices: nothing is drawn in between, and nobody is held up. */
  async #loadOlder(store: TaskStore): Promise<void> {
    const { signal } = this.#ended;
    const older: StoredTask[] = [];
    for (let before = Number.MAX_SAFE_INTEGER; ;) {
      const page = await store.page(before, pageSize);
      const last = page.at(-1);
      if (signal.aborted || last === undefined) break;
      older.push(...page);
      before = last.number;
    }
    const slices = new TimeSlices(signal);
    const ordered = new Map<string, Task>();
    for (const { task, number, revision } of older.reverse()) {
      const { id } = task.intent;
      if (!this.#stored.has(id)) this.#stored.set(id, { number, revision });
      ordered.set(id, interruptedAttempt(task));
      if (slices.isSpent) await slices.next();
    }
    // A key that is set again keeps its place.
    for (const [id, task] of this.#tasks) ordered.set(id, task);
    for (const id of this.#removed) if (!this.#tasks.has(id)) ordered.delete(id);
    this.#tasks = ordered;
    this.#changed.fire(new Set(ordered.keys()));
  }

  async #learn(): Promise<void> {
    const store = this.#store;
    if (!store) return;
    for (let isComplete = false; !isComplete;) {
      const changes = await store.changesSince(this.#change);
      this.#change = changes.change;
      ({ isComplete } = changes);
      const news = changes.tasks.filter(
        ({ task, revision }) => revision > (this.#stored.get(task.intent.id)?.revision ?? 0),
      );
      this.#show(news, undefined);
      for (const { task, revision } of news) if (isUnfinished(task)) void this.#watchAttempt(task.intent.id, revision);
    }
  }

  /** An attempt of another window is shown as one that was cut when nothing more is written of it: that one may have been killed. */
  async #watchAttempt(id: string, revision: number): Promise<void> {
    await this.#ports.clock.delay(attemptSilence, this.#ended.signal).catch(() => undefined);
    const task = this.#tasks.get(id);
    if (this.#ended.signal.aborted || !task || this.#stored.get(id)?.revision !== revision) return;
    this.#set(id, interruptedAttempt(task));
  }

  /** Resolves with false when `step` met a conflict. */
  async #write(step?: RecordToApply): Promise<boolean> {
    const kept = [...this.#pending];
    if (step === undefined && kept.length === 0 && this.#store) return true;
    try {
      const store = await this.#openStore();
      if (step === undefined && kept.length === 0) return true;
      const applied = await store.apply([...kept.map((record) => ({ record })), ...(step ? [step] : [])]);
      this.#pending = this.#pending.filter((record) => !kept.includes(record));
      this.#obstacle = undefined;
      this.#showUnwritten(undefined);
      this.#show(
        applied.flatMap(({ stored }) => stored ?? []),
        undefined,
      );
      return step === undefined || applied.at(-1)?.isConflict === false;
    } catch (failure) {
      const stored = storageError(failure);
      if (stored.error.code === "thread-ended") this.#store = undefined;
      this.#showUnwritten(stored.error);
      throw stored;
    }
  }

  #showUnwritten(error: GatewayError | undefined): void {
    const reason = this.#obstacle ?? error ?? this.#unwritten.current?.error;
    const accepted = this.#pending.filter(({ type }) => type === "task-accepted").length;
    const isWritten = this.#pending.length === 0 && !this.#obstacle;
    this.#unwritten.set(isWritten || !reason ? undefined : { accepted, error: reason });
  }

  /** Puts what the store has in the place of what was shown; what is still to be written is applied to it. */
  #show(rows: readonly StoredTask[], change: ((task: Task) => Task) | undefined): void {
    const changed = new Set<string>();
    for (const { task: read, number, revision, isRemoved } of rows) {
      const { id } = read.intent;
      const before = this.#tasks.get(id);
      this.#stored.set(id, { number, revision });
      if (isRemoved) {
        this.#tasks.delete(id);
        this.#removed.add(id);
      } else {
        const task = withObserved(before, change ? change(read) : read);
        const mine = this.#pending.filter((record) => intentIdOf(record) === id);
        this.#tasks.set(
          id,
          mine.reduce((shown, record) => reduceTask(shown, record) ?? shown, task),
        );
      }
      if (this.#tasks.get(id) !== before) changed.add(id);
    }
    if (changed.size > 0) this.#changed.fire(changed);
  }

  #apply(record: TaskRecord): void {
    const id = intentIdOf(record);
    const after = reduceTask(this.#tasks.get(id), record);
    if (after) this.#set(id, after);
  }

  #set(id: string, task: Task): void {
    if (this.#tasks.get(id) === task) return;
    this.#tasks.set(id, task);
    this.#changed.fire(new Set([id]));
  }
}
