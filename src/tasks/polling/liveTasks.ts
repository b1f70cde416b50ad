/** The tasks that are read again and again, or once more after their end, with the time at which each is due. Times are monotonic. */
import type { MonotonicClock } from "../../base/clock";
import { acceptedOf, isRunning } from "../../domain/task/phase";
import type { Task } from "../../domain/task/task";
import type { TaskBoard } from "../board/board";
import { recheckAfter, pollInterval, untilRecheck } from "./pollSchedule";
import type { AccountPace, AccountPaces } from "./accountPace";

export interface LiveTask {
  readonly id: string;
  /** The service's id of the task. */
  readonly taskId: string;
  readonly pace: AccountPace;
  /** The task has ended, and is read once more. */
  readonly isRecheck: boolean;
  readonly acceptedAt: number;
  due: number;
  /** Reads in a row that failed for a reason of this task alone. */
  failures: number;
  isCancelled: boolean;
}

export interface LiveTaskOptions {
  readonly board: TaskBoard;
  readonly paces: AccountPaces;
  readonly clock: MonotonicClock;
  readonly random: () => number;
  /** The time since which no window has the focus; `undefined` while one has it. */
  readonly unwatchedSince: () => number | undefined;
}

/**
 * Milliseconds that polls leave a task alone after its cancel: whoever cancels a task also reads it, which another window with a pace of its own does
 * up to 3 s later.
 */
const cancelTime = 6000;
/** The longest wait, in milliseconds, of a task that alone can't be read. */
const maxFailurePause = 60_000;

export class LiveTasks {
  readonly #options: LiveTaskOptions;
  readonly #tasks = new Map<string, LiveTask>();

  constructor(options: LiveTaskOptions) {
    this.#options = options;
    this.update(options.board.all.keys());
  }

  get size(): number {
    return this.#tasks.size;
  }

  [Symbol.iterator](): IterableIterator<LiveTask> {
    return this.#tasks.values();
  }

  /** Called after a change of these tasks on the board. */
  update(ids: Iterable<string>): void {
    const { board, clock } = this.#options;
    for (const id of ids) {
      const task = board.all.get(id);
      if (!task) {
        this.#tasks.delete(id);
        continue;
      }
      const look = isRunning(task) ? undefined : untilRecheck(task, clock.now());
      if (!isRunning(task) && look === undefined) this.#tasks.delete(id);
      else this.#place(id, task, look);
    }
  }

  /** Makes every running task due now; the floor and the budget of the accounts spread their reads. */
  makeDue(): void {
    const now = this.#options.clock.monotonic();
    for (const live of this.#tasks.values()) if (!live.isRecheck) live.due = Math.min(live.due, now);
  }

  /** Makes no task due before `wait` milliseconds from now. */
  postpone(wait: number): void {
    const from = this.#options.clock.monotonic() + wait;
    for (const live of this.#tasks.values()) live.due = Math.max(live.due, from);
  }

  /** Called after a read of the task. */
  scheduleNext(live: LiveTask): void {
    const { board, clock } = this.#options;
    const task = board.all.get(live.id);
    // The read has ended the task, or made it one that is only checked once more.
    if (!task || this.#tasks.get(live.id) !== live) return;
    const wait = live.isRecheck ? recheckAfter : this.#interval(task, live.acceptedAt);
    const failing = live.failures > 0 ? Math.min(1000 * 2 ** live.failures, maxFailurePause) : 0;
    live.due = clock.monotonic() + Math.max(wait, failing);
  }

  #place(id: string, task: Task, look: number | undefined): void {
    const accepted = acceptedOf(task);
    if (accepted === undefined) return;
    const { clock, paces } = this.#options;
    const now = clock.monotonic();
    const isRecheck = look !== undefined;
    const isCancelled = accepted.cancel?.state === "requested";
    let live = this.#tasks.get(id);
    if (live?.isRecheck !== isRecheck) {
      const acceptedAt = now - Math.max(0, clock.now() - accepted.at);
      const due = now + (look ?? this.#interval(task, acceptedAt));
      const { taskId } = accepted;
      const { home } = task.intent;
      live = { id, taskId, pace: paces.of(home), isRecheck, acceptedAt, due, failures: 0, isCancelled: false };
      this.#tasks.set(id, live);
    }
    if (isCancelled && !live.isCancelled) live.due = Math.max(live.due, now + cancelTime);
    live.isCancelled = isCancelled;
  }

  #interval(task: Task, acceptedAt: number): number {
    const { clock, random, unwatchedSince } = this.#options;
    const remote = acceptedOf(task)?.remote;
    if (remote === undefined) return Infinity;
    const now = clock.monotonic();
    const since = unwatchedSince();
    return pollInterval({
      state: remote.state,
      age: now - acceptedAt,
      random: random(),
      ...(since === undefined ? {} : { unfocusedFor: now - since }),
    });
  }
}
