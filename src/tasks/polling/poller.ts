/** Reads the running tasks until they end (T4), in the one window that polls (T5); in the others it follows what that one has found. */
import { isAbort } from "../../base/async/abort";
import type { MonotonicClock } from "../../base/clock";
import { definedFields } from "../../base/definedFields";
import { type Disposable, DisposableStore } from "../../base/disposable";
import { LoopPause } from "../../base/async/loopPause";
import { type AppError, toAppError } from "../../domain/errors/appError";
import type { Attention, Connections, Log } from "../../domain/ports";
import { isAccepted, isOutdatedRead } from "../../domain/task/phase";
import type { RemoteTask, TaskHome } from "../../domain/task/task";
import type { TaskBoard } from "../board/board";
import { isReleaseNotSeen } from "../money";
import { loadEvents } from "./events";
import { LiveTasks, type LiveTask } from "./liveTasks";
import { AccountPaces, paceConnections } from "./accountPace";
import { PollingStatus, readPollNote } from "./pollingStatus";
import { PollLeaseKeeper, type PollLeaseKeeperOptions } from "./pollLeaseKeeper";
import { minReadInterval } from "./pollSchedule";
import type { PollLease } from "../store/taskStore";

export interface PollerOptions {
  readonly board: TaskBoard;
  /** The lease that all windows share; the board's store has it. */
  readonly lease?: PollLeaseKeeperOptions["lease"];
  readonly connections: Connections;
  readonly attention: Attention;
  readonly clock: MonotonicClock;
  /** 0 to 1. */
  readonly random: () => number;
  readonly log: Log;
}

/** Milliseconds. */
const maxWait = 30_000;
/** Milliseconds by which a pause of the loop takes longer than it should when the machine has slept. */
const sleepGap = 10_000;
/** Milliseconds after its last mark for which another window counts as looked at. */
const watchedTime = 45_000;
/** Milliseconds that a read waits while another window polls: that one may still read the task before it has read the cancel of this window. */
const otherWindowsRead = 3000;

export class TaskPoller implements Disposable {
  readonly paces: AccountPaces;
  /** The connections for all other requests about tasks, which keep to the same budget, floor and pauses. */
  readonly connections: Connections;
  readonly #options: PollerOptions;
  readonly #ended = new AbortController();
  readonly #loopPause = new LoopPause();
  readonly #registrations = new DisposableStore();
  readonly #tasks: LiveTasks;
  readonly #turn: PollLeaseKeeper;
  readonly #status: PollingStatus;
  #loop: Promise<void> | undefined;
  /** The counts of the other windows at the last step of the lease. */
  #counted: { watched: number; refreshes: number } | undefined;
  #watchedElsewhereAt = -Infinity;
  #unwatchedSince: number | undefined;
  /** The lease has just become this window's, so another window may have polled until now. */
  #hasNewTurn = false;

  constructor(options: PollerOptions) {
    this.#options = options;
    const { board, attention, connections, clock, random } = options;
    const { signal } = this.#ended;
    this.#unwatchedSince = attention.focused ? undefined : clock.monotonic();
    const paces = (this.paces = new AccountPaces({ clock, random }));
    this.#tasks = new LiveTasks({ board, paces, clock, random, unwatchedSince: () => this.#unwatchedSince });
    this.#turn = new PollLeaseKeeper({
      lease: options.lease ?? board,
      clock,
      note: () => this.#status.note(),
      isWatched: () => attention.focused,
      onStep: (turn) => this.#follow(turn),
    });
    this.#status = new PollingStatus({ board, paces, clock, tasks: this.#tasks, turn: this.#turn });
    this.connections = paceConnections(connections, paces, {
      beforeRead: async (own) => {
        const both = own ? AbortSignal.any([own, signal]) : signal;
        if (this.#turn.state.current === "others") await clock.delay(otherWindowsRead, both);
      },
      beforeCancel: () => this.#learnPauses(),
    });
    this.#registrations.add(
      paces.onDidPause(({ account, left, length }) => {
        board.keepPause({ account, until: clock.now() + left, length }).catch(() => undefined);
      }),
    );
    this.#registrations.add(
      board.onDidChange((ids) => {
        this.#tasks.update(ids);
        this.#turn.need("polls", this.#tasks.size > 0);
        this.#loopPause.end();
      }),
    );
    this.#registrations.add(paces.onDidChange(() => this.#loopPause.end()));
    this.#registrations.add(this.#turn.state.onDidChange(() => this.#takeTurn()));
    this.#registrations.add(
      attention.onDidChange(() => {
        this.#turn.stepSoon();
        this.#watch();
      }),
    );
    this.#registrations.add(connections.current.onDidChange(() => this.#retry()));
  }

  get status(): PollingStatus["current"] {
    return this.#status.current;
  }

  /** Whether this window polls, and when a task was last read successfully in any window. */
  get checks(): PollingStatus["checks"] {
    return this.#status.checks;
  }

  /** The lease, for other work that only the window that polls does. */
  get turn(): Pick<PollLeaseKeeper, "isOurs" | "need" | "state"> {
    return this.#turn;
  }

  /** Runs until disposed; never rejects. */
  run(): Promise<void> {
    this.#turn.need("polls", this.#tasks.size > 0);
    this.#loop ??= Promise.all([this.#runLoop(), this.#turn.run(this.#ended.signal)]).then(() => undefined);
    return this.#loop;
  }

  /** The end of the account's pause: milliseconds since 1970, in whole seconds; `undefined` while the account is not paused. */
  pausedUntil(home: TaskHome): number | undefined {
    const { pause } = this.paces.of(home);
    return pause && Math.ceil((this.#options.clock.now() + pause.left) / 1000) * 1000;
  }

  /**
   * Resolves when the account is not paused; a pause that another window was asked for counts too. Rejects with an `AppFailure` when the pause is a
   * long one, or with an abort.
   */
  async untilUnpaused(home: TaskHome, wanted: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([wanted, this.#ended.signal]);
    const pace = this.paces.of(home);
    for (;;) {
      await this.#learnPauses();
      signal.throwIfAborted();
      if (!pace.pause) return;
      await pace.forPauseEnd(signal);
    }
  }

  /** Disposes, and resolves when the loop has ended and the lease is free. */
  async close(): Promise<void> {
    this.dispose();
    await this.#loop;
  }

  /** Answers a person's wish to refresh: every running task is read soon, within the budget and the pauses that the service asked for. */
  refresh(): void {
    if (this.#turn.state.current === "others") this.#turn.askRefresh();
    else this.#retry();
  }

  dispose(): void {
    this.#registrations.dispose();
    this.#ended.abort();
  }

  async #runLoop(): Promise<void> {
    const { board, clock, log } = this.#options;
    const { signal } = this.#ended;
    while (!signal.aborted) {
      try {
        // The board is read first, so that an end which the other window has stored is not requested again.
        if (this.#hasNewTurn) {
          this.#hasNewTurn = false;
          await board.readOtherWindows();
        }
        const wait = Math.min(this.#startDueRead(), maxWait);
        this.#status.update();
        const start = clock.monotonic();
        await this.#loopPause.wait(wait, clock, signal);
        if (clock.monotonic() - start > wait + sleepGap) this.#retry();
      } catch (error) {
        if (isAbort(error)) return;
        log.error("The poller met an unexpected error.", { message: String(error) });
        await this.#loopPause.wait(5000, clock, signal).catch(() => undefined);
      }
    }
  }

  /** Called when the network or key has changed, or a person asked. Ends back-offs of our own, but no pause that the service asked for. */
  #retry(): void {
    for (const pace of this.paces.all.values()) pace.retry();
    this.#tasks.makeDue();
    this.#loopPause.end();
  }

  /** Called when the holder of the lease has changed: the window that polled before may have read any task just now. */
  #takeTurn(): void {
    this.#hasNewTurn = this.#turn.isOurs;
    this.#tasks.postpone(minReadInterval);
    this.#loopPause.end();
  }

  /** Takes over the stored pauses of all windows, also from before a reload. Without the file there are no further ones. */
  async #learnPauses(): Promise<void> {
    const { board, clock } = this.#options;
    for (const { account, until, length } of await board.pauses().catch(() => []))
      this.paces.named(account).resumePause({ left: until - clock.now(), length });
  }

  /** Takes over what the other windows have left since the last step of the lease. */
  #follow(turn: PollLease): void {
    const { watched, refreshes } = turn;
    const before = this.#counted;
    this.#counted = { watched, refreshes };
    if (before && watched !== before.watched) this.#watchedElsewhereAt = this.#options.clock.monotonic();
    if (before && turn.isOurs && refreshes !== before.refreshes) this.#retry();
    this.#watch();
    const note = readPollNote(turn.note);
    if (note) this.#status.follow(note, turn.isOurs);
  }

  /** Updates since when no window has had the focus; one that gets it has all tasks read at once. */
  #watch(): void {
    const { attention, clock } = this.#options;
    const now = clock.monotonic();
    const isWatched = attention.focused || now - this.#watchedElsewhereAt < watchedTime;
    if (isWatched === (this.#unwatchedSince === undefined)) return;
    this.#unwatchedSince = isWatched ? undefined : now;
    if (isWatched) this.#retry();
  }

  /** Starts the read that has been due longest, within the budget of its account; returns the milliseconds until the next one. */
  #startDueRead(): number {
    if (!this.#turn.isOurs) return Infinity;
    const now = this.#options.clock.monotonic();
    let next = Infinity;
    let longest: { live: LiveTask; at: number } | undefined;
    for (const live of this.#tasks) {
      const at = Math.max(live.due, live.pace.readableAt(live.taskId));
      const start = Math.max(at, live.pace.pollsAt);
      if (start > now) next = Math.min(next, start);
      else if (longest === undefined || at < longest.at) longest = { live, at };
    }
    if (longest === undefined) return next - now;
    void this.#read(longest.live);
    return 0;
  }

  /** Never rejects. */
  async #read(live: LiveTask): Promise<void> {
    const { board, connections, clock } = this.#options;
    const { id, taskId, pace, isRecheck } = live;
    const task = board.all.get(id);
    const { signal } = this.#ended;
    if (!isAccepted(task)) return;
    const { remote: before, events } = task.submission;
    const start = clock.now();
    try {
      const remote = await pace.poll(taskId, async () =>
        (await connections.find(task.intent.home)).getTask(taskId, signal),
      );
      live.failures = 0;
      this.#status.checked();
      if (isOutdatedRead(this.#options.board.all.get(id), start, remote)) return;
      const record = { type: "task-read", id, at: clock.now(), remote } as const;
      if (isRecheck) await board.applyThenWrite({ ...record, isRecheck });
      // A read without news is written too while a cancel waits for its effect, because it may decide the cancel.
      else if (isSameRead(before, remote) && task.submission.cancel?.state !== "requested")
        board.applyTransient(record);
      else await board.applyThenWrite(record);
      // The events may show the release of the hold at the end and at the recheck; those of an expanded task show each change of its state.
      const mayShowRelease = isReleaseNotSeen(board.all.get(id)) && (isRecheck || remote.state !== before.state);
      if (mayShowRelease || (events && remote.state !== before.state))
        void loadEvents({ ...this.#options, connections: this.connections }, id, signal);
    } catch (failure) {
      if (!signal.aborted) this.#failed(live, toAppError(failure));
    } finally {
      this.#tasks.scheduleNext(live);
      this.#loopPause.end();
    }
  }

  #failed(live: LiveTask, error: AppError): void {
    const { board, clock, log } = this.#options;
    const { kind, status, requestId } = error;
    log.warn("A task could not be read.", { task: live.id, ...definedFields({ kind, status, requestId }) });
    // The whole account pauses, and its status shows it.
    if (kind === "rate-limited") return;
    const ofAccount = live.pace.failure?.error === error ? live.pace.failure : undefined;
    if (!ofAccount) live.failures += 1;
    board.applyTransient({ type: "task-read-failed", id: live.id, at: ofAccount?.since ?? clock.now(), error });
  }
}

/** Compares texts, because both are from the same reader, which builds the fields in the same order. */
function isSameRead(before: RemoteTask, now: RemoteTask): boolean {
  return JSON.stringify(before) === JSON.stringify(now);
}
