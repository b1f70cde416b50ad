/**
 * All tasks as they are now, over the store that keeps them: loaded page by page, written in order, and written again while the disk is full. A
 * record that the next step needs on disk is written before that step; what the service reported is shown at once and written as soon as the disk
 * takes it.
 */
import { isDeepStrictEqual } from "node:util";
import { Emitter, type Event } from "../../base/event";
import { type ReadonlyStore, Store } from "../../base/store";
import { AppFailure, storageError } from "../../domain/errors/appError";
import { isAccepted } from "../../domain/task/phase";
import type { Task } from "../../domain/task/task";
import { intentIdOf, reduceTask, type TaskRecord, hasMore } from "../../domain/task/taskRecord";
import { SerialQueue } from "../../base/async/serialQueue";
import { definedFields } from "../../base/definedFields";
import {
  afterRow,
  applyObserved,
  interruptedAttempt,
  isAttemptOpen,
  type ObservedRecord,
  readAttempt,
  isSameRow,
} from "./shownTask";
import type {
  AppliedRecord,
  PollStep,
  PollLease,
  RecordToApply,
  StoredPause,
  StoredTask,
  TaskStore,
  OpenTaskStore,
  TaskSnapshot,
  StoredPage,
  StoredRows,
} from "../store/taskStore";
import { UnwrittenQueue, type UnwrittenRecords } from "./unwrittenRecords";
import type { Clock } from "../../base/clock";
import type { SubmissionState } from "../../domain/task/submission";
import type { DayCap } from "../store/caps";
import { TimeSlices } from "../../base/async/timeSlices";
import type { ReplacedTaskFile } from "../../domain/words/describeStorage";
import { LoopPause } from "../../base/async/loopPause";

export interface TaskBoardOptions {
  readonly openStore: OpenTaskStore;
  /** Reads what is on disk, because a store may take long to open; `undefined` where that can't be read separately. */
  readonly readEarly: (newest: number) => TaskSnapshot | undefined;
  readonly clock: Clock;
}

/** The version of a task that a person was shown: what they choose is done only if the task still has this version. */
export interface SeenTask {
  readonly id: string;
  readonly state: SubmissionState;
  /** The revision of its row; 0 where the file has no such row. */
  readonly revision: number;
}

interface RecordOptions {
  /** Writes only if no window has changed the task since this version; `true`: since the one that is shown now. */
  readonly ifUnchanged?: boolean | SeenTask;
  readonly cap?: DayCap | undefined;
}

/**
 * A window that was stopped inside its write holds the file for everybody. The store waits for it within a limit. Work that was queued during that
 * wait fails with it, because it would wait the limit once more, each after the other. Work that is queued later waits for the store again.
 */
class BoardQueue {
  readonly #queue = new SerialQueue();
  #asked = 0;
  /** The last busy failure, and the number of the last work that had been queued by then. */
  #busy: { readonly failure: AppFailure; readonly upTo: number } | undefined;

  /** Resolves and rejects as the work does. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const number = (this.#asked += 1);
    return this.#queue.run(async () => {
      if (this.#busy && number <= this.#busy.upTo) throw this.#busy.failure;
      try {
        return await work();
      } catch (failure) {
        if (isBusy(failure)) this.#busy = { failure, upTo: this.#asked };
        throw failure;
      }
    });
  }

  /** Resolves when all queued work has ended; never rejects. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }
}

function isBusy(failure: unknown): failure is AppFailure {
  return failure instanceof AppFailure && failure.error.kind === "storage" && failure.error.code === "busy";
}

/** Tasks that are read before the board is open, in addition to those that run or have an open question; then the size of a page. */
const pageSize = 200;
/** Milliseconds between two looks at the window that has an attempt under way. */
const senderInterval = 5000;
/** Milliseconds of silence after which a window without a mark counts as ended. */
const senderSilenceLimit = 60_000;

export class TaskBoard {
  readonly #options: TaskBoardOptions;
  readonly #changed = new Emitter<ReadonlySet<string>>();
  readonly #unwritten = new UnwrittenQueue();
  readonly #ended = new AbortController();
  #all = new Map<string, Task>();
  #listed = new Map<string, Task>();
  /** The number and the revision of each task's row in the store. */
  #stored = new Map<string, StoredRow>();
  #store: TaskStore | undefined;
  /** The number of the last change that was read from the file. */
  #change = 0;
  readonly #queue = new BoardQueue();
  readonly #file = new TaskFileNotes();
  /** The JSON bodies of this window's tasks until they are accepted: they are written again into a file that replaces a lost one. */
  readonly #bodies = new Map<string, string>();
  #older: Promise<void> = Promise.resolve();
  /** A page of the older tasks could not be read. */
  #lacksOlder = false;

  private constructor(options: TaskBoardOptions) {
    this.#options = options;
  }

  /**
   * Never rejects: without the store the board is empty, `unwritten` has the reason, and each write tries to open it again. A submission that the
   * last run left in the middle has an unknown outcome when its request had begun, and was not sent otherwise. With an early read it resolves before
   * the store is open; writes wait for the store.
   */
  static async open(options: TaskBoardOptions): Promise<TaskBoard> {
    const board = new TaskBoard(options);
    const opening = board.#queue.run(() => board.#openStore()).catch(() => undefined);
    const early = options.readEarly(pageSize);
    if (early) {
      board.#file.begin(early);
      board.#show(early.tasks, readAttempt);
    } else await opening;
    return board;
  }

  /** The tasks on the list of the Tasks view, by their ids, in the order in which they were made. */
  get listed(): ReadonlyMap<string, Task> {
    return this.#listed;
  }

  /** All tasks of this machine, also those that were taken off the list, for code that counts them or fetches their results. */
  get all(): ReadonlyMap<string, Task> {
    return this.#all;
  }

  /** Returns these tasks as they are shown now, without those that are not on the list. */
  see(...ids: readonly string[]): readonly SeenTask[] {
    return ids.flatMap((id) => {
      const state = this.#listed.get(id)?.submission.state;
      // No row has revision 0: a task that the file has lost is never written.
      return state === undefined ? [] : { id, state, revision: this.#stored.get(id)?.revision ?? 0 };
    });
  }

  isAsSeen({ id, state, revision }: SeenTask): boolean {
    return this.see(id).some((now) => now.state === state && now.revision === revision);
  }

  /** What the file holds in addition to the rows that are shown. */
  get file(): ReadonlyStore<TaskFileState> {
    return this.#file.state;
  }

  /** The ids of the tasks that changed, appeared or went. */
  readonly onDidChange: Event<ReadonlySet<string>> = this.#changed.event;

  /** Set while the disk refuses records of what the service reported, or can't be written at all. */
  get unwritten(): ReadonlyStore<UnwrittenRecords | undefined> {
    return this.#unwritten.state;
  }

  /**
   * Writes a record that must be on disk before the next step, after all that is still unwritten, and then applies it. Rejects with an `AppFailure`
   * of kind `storage` or, by the cap, `capped`, and then nothing has changed. Where `ifUnchanged` does not hold it resolves with false, and what
   * another window wrote is shown.
   */
  async writeThenApply(record: TaskRecord, { ifUnchanged = false, cap }: RecordOptions = {}): Promise<boolean> {
    const [seen] = ifUnchanged === true ? this.see(intentIdOf(record)) : ifUnchanged === false ? [] : [ifUnchanged];
    if (ifUnchanged !== false && !seen) return false;
    if (record.type === "task-intended" && record.intent.body !== undefined)
      this.#bodies.set(record.intent.id, record.intent.body);
    return this.#queue.run(async () => {
      // A record that this window has applied and not written yet changes the state, not the revision.
      if (seen && seen.state !== this.#listed.get(seen.id)?.submission.state) return false;
      return this.#write({ record, revision: seen?.revision, cap });
    });
  }

  /**
   * Applies at once a record of what has happened, whether the disk takes it or not. It is written before this resolves; when the disk refuses it, it
   * is kept and written with each later write and by `flush`. Never rejects.
   */
  async applyThenWrite(record: TaskRecord): Promise<void> {
    this.#apply(record);
    this.#unwritten.add(record);
    await this.flush();
  }

  /** Writes what is unwritten. Never rejects: what could not be written stays in `unwritten`. */
  async flush(): Promise<void> {
    await this.#queue
      .run(() => this.#write())
      // The error is shown also where nothing was tried, because another window holds the file.
      .catch((failure: unknown) => this.#unwritten.show(storageError(failure).error));
  }

  /** Applies observations that are not written: that reads fail, or that one came back the same. Fires one event for all of them. */
  applyTransient(...records: readonly ObservedRecord[]): void {
    const changed = applyObserved(this.#all, this.#listed, records);
    if (changed.size > 0) this.#changed.fire(changed);
  }

  /** Takes over what other windows have written, and tries again to read older tasks. Never rejects: without the file, what is known stays. */
  async readOtherWindows(): Promise<void> {
    await this.#queue.run(() => this.#learn()).catch(() => undefined);
    if (this.#lacksOlder && this.#store) this.#readOlder(this.#store);
  }

  /** Resolves when all rows of the file were read into `all`, or can't be read now: `file` then has their number in `unread`. */
  async loaded(): Promise<void> {
    await this.readOtherWindows();
    await this.#older;
  }

  /**
   * Whether every task of this machine is in `all`: the file is open, no row of it is unread or damaged, and it is not in the place of a lost one.
   */
  get isWhole(): boolean {
    const { unread, unreadable, replaced } = this.file.current;
    return this.#store !== undefined && !this.#lacksOlder && unread + unreadable === 0 && replaced === undefined;
  }

  /** The store's `stepPollLease`. Rejects with an `AppFailure` of kind `storage`. */
  async stepPollLease(step: PollStep): Promise<PollLease> {
    return (await this.#opened()).stepPollLease(step);
  }

  async releasePollLease(): Promise<void> {
    await this.#store?.releasePollLease();
  }

  /** Rejects with an `AppFailure` of kind `storage`. */
  async keepPause(pause: StoredPause): Promise<void> {
    await (await this.#opened()).keepPause(pause);
  }

  /** The pauses of all windows. Rejects with an `AppFailure` of kind `storage`. */
  async pauses(): Promise<readonly StoredPause[]> {
    return (await this.#opened()).pauses();
  }

  /** Rejects with an `AppFailure` of kind `capped` where the cap does not allow its new tasks, by what all windows have written. */
  async checkCap(cap: DayCap): Promise<void> {
    await (await this.#opened()).checkCap(cap);
  }

  /** The exact JSON of a task's request. Rejects with an `AppFailure` of kind `storage`. */
  async readBody(id: string): Promise<string | undefined> {
    return this.#queue.run(async () => (await this.#openStore()).readBody(id));
  }

  /** Whether the clock was set back since the task was made. Rejects with an `AppFailure` where the file can't be read. */
  isAgeUnknown(id: string): Promise<boolean> {
    return this.#queue.run(async () => (await this.#openStore()).isAgeUnknown(id));
  }

  async close(): Promise<void> {
    this.#ended.abort();
    if (this.#unwritten.all.length > 0) await this.flush();
    await this.#queue.idle();
    this.#changed.dispose();
    await this.#store?.close().catch(() => undefined);
  }

  async #opened(): Promise<TaskStore> {
    return this.#store ?? (await this.#queue.run(() => this.#openStore()));
  }

  async #openStore(): Promise<TaskStore> {
    if (this.#store) return this.#store;
    // Retrying does not add what the runtime lacks.
    if (this.#unwritten.obstacle?.code === "missing-runtime") throw new AppFailure(this.#unwritten.obstacle);
    let store: TaskStore | undefined;
    try {
      const opened = (store = await this.#options.openStore());
      opened.onDidChange((change) => void (change === "replaced" ? this.#reload(opened) : this.readOtherWindows()));
      const known = [...this.#all.values()];
      await this.#load(opened);
      if (this.file.current.replaced) void this.#queue.run(() => this.#restore(known)).catch(() => undefined);
    } catch (failure) {
      await store?.close().catch(() => undefined);
      const { error } = storageError(failure);
      this.#unwritten.obstacle = error;
      this.#unwritten.show(error);
      throw new AppFailure(error, { cause: failure });
    }
    this.#store = store;
    // A write after the end opens the file once more, and its thread must not stay.
    if (this.#ended.signal.aborted) void this.#queue.idle().then(() => this.#store?.close().catch(() => undefined));
    return store;
  }

  /** Loads the tasks that run or have an open question, and the newest; the older ones follow page by page. */
  async #load(store: TaskStore): Promise<void> {
    const snapshot = await store.snapshot(pageSize);
    const { tasks, change, obstacle, unreadable, total } = snapshot;
    this.#change = change;
    this.#file.begin(snapshot);
    this.#unwritten.obstacle = obstacle;
    // Another file starts its revisions at zero.
    this.#stored.clear();
    this.#show(tasks, readAttempt);
    for (const row of tasks) if (row.isUnderWay) void this.#watchAttempt(row);
    this.#unwritten.show(obstacle);
    this.#older = Promise.resolve();
    this.#lacksOlder = false;
    if (total > tasks.length + unreadable.length) this.#readOlder(store);
  }

  #readOlder(store: TaskStore): void {
    this.#lacksOlder = false;
    this.#older = this.#loadOlder(store).catch(() => void (this.#lacksOlder = true));
  }

  /** Loads the board from another file that is now under the path. */
  async #reload(store: TaskStore): Promise<void> {
    await this.#queue.run(() => this.#takeOver(store)).catch(() => undefined);
  }

  async #takeOver(store: TaskStore): Promise<void> {
    const known = [...this.#all.values()];
    await this.#load(store);
    await this.#restore(known);
  }

  /** Writes the tasks of this window that the new file lacks; those that the disk does not take now are unwritten. */
  async #restore(known: readonly Task[]): Promise<void> {
    await this.#older;
    const replaced = { inFile: this.#stored, all: this.#all, onList: this.#listed, bodies: this.#bodies };
    this.#unwritten.addFirst(lostTasks(known, replaced).map((record) => this.#apply(record)));
    await this.#write();
  }

  /** Shows the older tasks all at once, in their order, so that nothing is drawn in between. */
  async #loadOlder(store: TaskStore): Promise<void> {
    const { signal } = this.#ended;
    const { all, onList, stored, ids } = await readAllTasks(store, pageSize, signal, (page) => this.#file.add(page));
    // The known tasks are newer than the pages. A key that is set again keeps its place.
    for (const [id, row] of this.#stored) stored.set(id, row);
    for (const [id, task] of this.#all) {
      ids.add(id);
      all.set(id, task);
      if (this.#listed.has(id)) onList.set(id, task);
      else onList.delete(id);
    }
    this.#all = all;
    this.#listed = onList;
    this.#stored = stored;
    this.#file.complete();
    this.#changed.fire(ids);
  }

  async #learn(): Promise<void> {
    const store = this.#store;
    if (!store) return;
    for (let isComplete = false; !isComplete;) {
      const changes = await store.changesSince(this.#change);
      this.#change = changes.change;
      ({ isComplete } = changes);
      if (areOfOlderFile(changes.tasks, this.#stored)) return this.#takeOver(store);
      this.#file.add(changes);
      const news = changes.tasks.filter(
        ({ task, revision }) => revision > (this.#stored.get(task.intent.id)?.revision ?? 0),
      );
      this.#show(news, undefined);
      for (const row of news) if (isAttemptOpen(row.task)) void this.#watchAttempt(row);
    }
  }

  /** Shows an attempt of another window as cut once that window has ended, or was silent for long and left no mark. */
  async #watchAttempt({ task: { intent }, revision, sender }: StoredTask): Promise<void> {
    const { signal } = this.#ended;
    let hasEnded = false;
    for (let silence = senderInterval; !hasEnded; silence += senderInterval) {
      await this.#options.clock.delay(senderInterval, signal).catch(() => undefined);
      const state = (await this.#store?.senderState(sender).catch(() => undefined)) ?? "unmarked";
      // The outcome of the attempt was written meanwhile.
      if (signal.aborted || this.#stored.get(intent.id)?.revision !== revision) return;
      hasEnded = state === "ended" || (state === "unmarked" && silence >= senderSilenceLimit);
    }
    const task = this.#all.get(intent.id);
    if (task) this.#set(intent.id, interruptedAttempt(task));
  }

  /** Resolves with false when `step` met a conflict. */
  async #write(step?: RecordToApply): Promise<boolean> {
    const kept = this.#unwritten.all;
    if (step === undefined && kept.length === 0 && this.#store) return true;
    try {
      const store = await this.#openStore();
      if (step === undefined && kept.length === 0) return true;
      const applied = await store.apply([
        ...kept.map((record) => ({ record, hasHappened: true }) as const),
        ...(step ? [step] : []),
      ]);
      this.#unwritten.written(kept);
      const rows = applied.flatMap(({ stored }) => stored ?? []);
      if (areOfOlderFile(rows, this.#stored)) await this.#takeOver(store);
      else this.#showApplied(applied, kept, step?.record);
      return step === undefined || applied.at(-1)?.isConflict === false;
    } catch (failure) {
      const stored = storageError(failure);
      if (stored.error.code === "thread-ended") this.#store = undefined;
      if (stored.error.kind === "storage") this.#unwritten.show(stored.error);
      throw stored;
    }
  }

  /** `kept` are the first of the applied records; `last` was applied after them. */
  #showApplied(applied: readonly AppliedRecord[], kept: readonly TaskRecord[], last: TaskRecord | undefined): void {
    const moved = new Set(
      [...kept, ...(last ? [last] : [])].flatMap((record) =>
        record.type === "task-removed" || record.type === "task-restored" ? record.id : [],
      ),
    );
    const isShownCut = (task: Task): boolean => {
      const shown = this.#all.get(task.intent.id);
      return shown !== undefined && isSameRow(interruptedAttempt(task), shown);
    };
    const refused = new Set(kept.flatMap((record, at) => (applied[at]?.isConflict ? intentIdOf(record) : [])));
    this.#show(
      applied.flatMap(({ stored }) => stored ?? []),
      // A record that no row could hold leaves its task as a restart would find it. Taking a row off the list or
      // putting it back does not resume its attempt, so one that was cut is still shown as cut.
      ({ task }) =>
        refused.has(task.intent.id) || (moved.has(task.intent.id) && isShownCut(task))
          ? interruptedAttempt(task)
          : task,
    );
    // The row has another revision than this window: it may be in the middle of an attempt whose thread or window has ended.
    for (const { stored, isConflict } of applied)
      if (isConflict && stored && isAttemptOpen(stored.task)) void this.#watchAttempt(stored);
  }

  /** Replaces what was shown by the rows of the store, with the records applied that are still to be written. */
  #show(rows: readonly StoredTask[], change: ((row: StoredTask) => Task) | undefined): void {
    const changed = new Set<string>();
    for (const row of rows) {
      const { task: read, number, revision, isRemoved } = row;
      const { id } = read.intent;
      const [before, listed] = [this.#all.get(id), this.#listed.get(id)];
      this.#stored.set(id, { number, revision });
      if (isAccepted(read)) this.#bodies.delete(id);
      const task = afterRow(before, change ? change(row) : read, this.#unwritten.of(id));
      this.#all.set(id, task);
      if (isRemoved) this.#listed.delete(id);
      else this.#listed.set(id, task);
      if (task !== before || this.#listed.get(id) !== listed) changed.add(id);
    }
    if (changed.size > 0) this.#changed.fire(changed);
  }

  #apply(record: TaskRecord): TaskRecord {
    const id = intentIdOf(record);
    const after = reduceTask(this.#all.get(id), record);
    if (after) this.#set(id, after);
    return record;
  }

  #set(id: string, task: Task): void {
    const before = this.#all.get(id);
    if (before === task) return;
    this.#all.set(id, task);
    // The accept of a task that was taken off the list meanwhile brings its row back.
    const isAccept = isAccepted(task) && before !== undefined && !isAccepted(before);
    if (before === undefined || isAccept || this.#listed.has(id)) this.#listed.set(id, task);
    this.#changed.fire(new Set([id]));
  }
}

/** The board after the new file was read, by the ids of tasks. */
interface ReplacedBoard {
  readonly inFile: { has(id: string): boolean };
  readonly all: ReadonlyMap<string, Task>;
  readonly onList: { has(id: string): boolean };
  /** The JSON bodies of requests that the file may lack. */
  readonly bodies: ReadonlyMap<string, string>;
}

/**
 * What a window writes into a file of tasks that took the place of another one: the tasks that the file lacks, or has at an earlier stage. The
 * memory of the window is newer than any backup. What was taken off the list stays off it.
 */
function lostTasks(known: Iterable<Task>, { inFile, all, onList, bodies }: ReplacedBoard): TaskRecord[] {
  const lost: TaskRecord[] = [];
  for (const task of known) {
    const { id } = task.intent;
    const isLost = !inFile.has(id);
    const found = all.get(id);
    // The body of its request is written even where the row is there: another window, which has no body, may have written the row.
    if (isLost || !found || (hasMore(task, found) && !isSameRow(task, found)) || bodies.has(id)) {
      const { intent, submission } = withoutStale(task);
      const body = bodies.get(id) ?? intent.body;
      lost.push({ type: "task-recovered", task: { intent: { ...intent, ...definedFields({ body }) }, submission } });
    }
    if (isLost && !onList.has(id)) lost.push({ type: "task-removed", id, at: task.intent.createdAt });
  }
  return lost;
}

/** `stale`, the error of reads that fail at the moment, is never on disk. */
function withoutStale(task: Task): Task {
  if (!isAccepted(task) || task.submission.stale === undefined) return task;
  const { stale: _, ...submission } = task.submission;
  return { intent: task.intent, submission };
}

// Reads all tasks on disk page by page, for the board, in slices, so that the extension host goes on meanwhile; recognises rows of an older file.

type StoredRow = Pick<StoredTask, "number" | "revision">;

/** All tasks on disk by their ids, in the order in which they were made. */
interface TasksOnDisk {
  readonly all: Map<string, Task>;
  readonly onList: Map<string, Task>;
  readonly stored: Map<string, StoredRow>;
  readonly ids: Set<string>;
}

/** `onPage` is called for each page, oldest first. Rejects as the store does, or with the signal's reason. */
async function readAllTasks(
  store: TaskStore,
  pageSize: number,
  signal: AbortSignal,
  onPage: (page: StoredPage) => void,
): Promise<TasksOnDisk> {
  const slices = new TimeSlices(signal);
  const read: TasksOnDisk = { all: new Map(), onList: new Map(), stored: new Map(), ids: new Set() };
  for (let after: number | undefined = 0; after !== undefined;) {
    const page: StoredPage = await store.page(after, pageSize);
    signal.throwIfAborted();
    onPage(page);
    for (const { task: found, number, revision, isRemoved } of page.tasks) {
      const task = interruptedAttempt(found);
      const { id } = task.intent;
      read.all.set(id, task);
      if (!isRemoved) read.onList.set(id, task);
      read.stored.set(id, { number, revision });
      read.ids.add(id);
    }
    if (slices.isSpent) await slices.next();
    after = page.next;
  }
  return read;
}

/** Whether an older file was copied over the one that had `stored`, or is in its place: its rows must not replace newer ones on the board. */
function areOfOlderFile(
  rows: readonly StoredTask[],
  stored: ReadonlyMap<string, Pick<StoredTask, "revision">>,
): boolean {
  return rows.some(({ task, revision }) => revision < (stored.get(task.intent.id)?.revision ?? 0));
}

// Reports what the file of tasks holds in addition to the rows that are shown: rows that cannot be read, and that it took the place of a damaged
// file.

export interface TaskFileState {
  /** Rows, and lines of an imported journal, that this version could not read; they stay where they are. */
  readonly unreadable: number;
  /** Rows that were not read yet: older ones follow the newest, and a page of them may have failed. */
  readonly unread: number;
  /** The file was damaged, and this window has replaced it. */
  readonly replaced?: ReplacedTaskFile;
}

class TaskFileNotes {
  readonly state = new Store<TaskFileState>({ unreadable: 0, unread: 0 });
  /** The numbers of rows; a set, because pages overlap. */
  readonly #unreadable = new Set<number>();

  /** Starts anew with a file that was opened. */
  begin({ tasks, unreadable, total, replacedFile }: TaskSnapshot): void {
    this.#unreadable.clear();
    const unread = total - tasks.length - unreadable.length;
    this.#add(unreadable, { unread, ...definedFields({ replaced: replacedFile }) });
  }

  /** Adds more rows of the same file. */
  add({ tasks, unreadable }: StoredRows): void {
    for (const { number } of tasks) this.#unreadable.delete(number);
    this.#add(unreadable, this.state.current);
  }

  /** Notes that every row of the file was read. */
  complete(): void {
    this.#add([], { ...this.state.current, unread: 0 });
  }

  #add(numbers: readonly number[], others: Omit<TaskFileState, "unreadable">): void {
    for (const number of numbers) this.#unreadable.add(number);
    const next = { ...others, unreadable: this.#unreadable.size };
    if (!isDeepStrictEqual(next, this.state.current)) this.state.set(next);
  }
}

// Writes again while the disk refuses what the gateway reported: once space is freed, nothing is left to do by hand.

/** Milliseconds between two tries. */
const interval = 5000;

/** Runs until the signal aborts; never rejects. */
export async function retryUnwritten(board: TaskBoard, clock: Clock, signal: AbortSignal): Promise<void> {
  const pause = new LoopPause();
  const listening = board.unwritten.onDidChange(() => pause.end());
  try {
    while (!signal.aborted) {
      if (board.unwritten.current === undefined) await pause.wait(Infinity, clock, signal);
      else {
        await clock.delay(interval, signal);
        await board.flush();
      }
    }
  } catch {
    // Only the signal ends a pause with an error.
  } finally {
    listening.dispose();
  }
}
