/** Reads the running tasks until they end: one loop, one read in flight a task, no more than four a second (T4). */
import { isAbort } from "../base/abort";
import type { Clock } from "../base/clock";
import { definedFields } from "../base/definedFields";
import type { Disposable } from "../base/disposable";
import { DisposableStore } from "../base/disposable";
import { Store } from "../base/store";
import { Wake } from "../base/wake";
import { type GatewayError, toGatewayError } from "../domain/errors";
import type { Attention, Connections, Log } from "../domain/ports";
import { isRunning, type RemoteTask, type Task } from "../domain/task";
import type { TaskBoard } from "./board";
import { loadEvents } from "./events";
import { failurePause, laterLook, needsLaterLook, pollInterval, rateLimitPause } from "./pollSchedule";

export interface PollerPorts {
  readonly board: TaskBoard;
  readonly connections: Connections;
  readonly attention: Attention;
  readonly clock: Clock;
  /** 0 to 1. */
  readonly random: () => number;
  readonly log: Log;
}

/** What concerns all rows; times in milliseconds since 1970. */
export interface PollerStatus {
  /** The service asked for a pause. */
  readonly pausedUntil?: number;
  /** No read has succeeded since. */
  readonly offlineSince?: number;
}

interface AccountPace {
  failures: number;
  rateLimits: number;
  /** No read of the account before this. */
  restUntil: number;
  /** The service asked for the rest: nothing shortens it. */
  limited: boolean;
}

const atOnce = 4;
const startGap = 250;

export class TaskPoller implements Disposable {
  readonly status = new Store<PollerStatus>({});
  readonly #ports: PollerPorts;
  readonly #ended = new AbortController();
  readonly #wake = new Wake();
  readonly #registrations = new DisposableStore();
  /** When each task is read next; a task that is being read has `Infinity`. */
  readonly #due = new Map<string, number>();
  /** What each account's answers have told of its limits. */
  readonly #accounts = new Map<string, AccountPace>();
  /** Ended tasks that have had their later look, or wait for it. */
  readonly #looked = new Set<string>();
  #inFlight = 0;
  #nextStart = 0;
  #unfocusedSince: number | undefined;

  constructor(ports: PollerPorts) {
    this.#ports = ports;
    const { board, attention, connections, clock } = ports;
    this.#unfocusedSince = attention.focused ? undefined : clock.now();
    this.#registrations.add(board.onDidChange(() => this.#wake.wake()));
    this.#registrations.add(attention.onDidChange((focused) => this.#refocus(focused)));
    this.#registrations.add(connections.current.onDidChange(() => this.refresh()));
  }

  /** Runs until disposed; never rejects. */
  async run(): Promise<void> {
    const { clock, log } = this.#ports;
    const { signal } = this.#ended;
    while (!signal.aborted) {
      try {
        const wait = this.#startDueRead();
        await this.#wake.pause(wait, clock, signal);
      } catch (error) {
        if (isAbort(error)) return;
        log.error("The poller met an unexpected error.", { message: String(error) });
        await this.#wake.pause(5000, clock, signal).catch(() => undefined);
      }
    }
  }

  /** Reads every running task soon, one after the other: after a change of key, or when asked. */
  refresh(): void {
    const now = this.#ports.clock.now();
    for (const pace of this.#accounts.values()) if (!pace.limited) pace.restUntil = 0;
    let turn = 0;
    for (const [id, due] of this.#due) {
      if (due === Infinity) continue;
      this.#due.set(id, Math.min(due, now + turn * startGap));
      turn += 1;
    }
    this.#wake.wake();
  }

  dispose(): void {
    this.#registrations.dispose();
    this.#ended.abort();
  }

  #refocus(focused: boolean): void {
    this.#unfocusedSince = focused ? undefined : this.#ports.clock.now();
    if (focused) this.refresh();
    else this.#wake.wake();
  }

  /** Starts a read that is due, within the limits; returns how long until there is something to do again. */
  #startDueRead(): number {
    const { board, clock } = this.#ports;
    const now = clock.now();
    let next = Infinity;
    let longest: { id: string; task: Task; due: number } | undefined;
    for (const [id, task] of board.tasks) {
      const due = this.#dueAt(id, task, now);
      if (due === undefined || due === Infinity) continue;
      const at = Math.max(due, this.#pace(task).restUntil);
      if (at > now) next = Math.min(next, at);
      else if (longest === undefined || due < longest.due) longest = { id, task, due };
    }
    // One start at a time, the longest due first; a full house wakes the loop when a read ends.
    if (longest !== undefined && this.#inFlight < atOnce) {
      if (now >= this.#nextStart) {
        this.#nextStart = now + startGap;
        void this.#read(longest.id, longest.task);
      }
      next = Math.min(next, this.#nextStart);
    }
    for (const id of this.#due.keys()) if (!board.tasks.has(id)) this.#due.delete(id);
    const { pausedUntil } = this.status.current;
    if (pausedUntil !== undefined && now >= pausedUntil) this.#setStatus({ pausedUntil: undefined });
    return Math.min(next, this.status.current.pausedUntil ?? Infinity) - now;
  }

  #pace({ intent: { home } }: Task): AccountPace {
    const account = `${home.origin} ${home.account}`;
    let pace = this.#accounts.get(account);
    if (!pace) this.#accounts.set(account, (pace = { failures: 0, rateLimits: 0, restUntil: 0, limited: false }));
    return pace;
  }

  #dueAt(id: string, task: Task, now: number): number | undefined {
    const due = this.#due.get(id);
    if (isRunning(task)) {
      if (due !== undefined) return due;
      this.#due.set(id, now + this.#interval(task, now));
      return this.#due.get(id);
    }
    return due;
  }

  #interval(task: Task, now: number): number {
    const { submission } = task;
    if (submission.state !== "accepted") return Infinity;
    return pollInterval({
      state: submission.remote.state,
      age: now - submission.at,
      random: this.#ports.random(),
      ...definedFields({ unfocusedFor: this.#unfocusedSince === undefined ? undefined : now - this.#unfocusedSince }),
    });
  }

  /** Never rejects. */
  async #read(id: string, task: Task): Promise<void> {
    const { board, connections, clock } = this.#ports;
    if (task.submission.state !== "accepted") return;
    const { taskId, remote: before } = task.submission;
    this.#due.set(id, Infinity);
    this.#inFlight += 1;
    const { signal } = this.#ended;
    try {
      const gateway = await connections.find(task.intent.home);
      const remote = await gateway.getTask(taskId, signal);
      this.#succeeded(task);
      const record = { type: "task-read", id, at: clock.now(), remote } as const;
      if (sameRead(before, remote)) board.observe(record);
      else {
        await board.keep(record);
        // An expanded task keeps its timeline: its events are read again when its state has changed.
        if (task.submission.events) await loadEvents(this.#ports, id, signal);
      }
    } catch (failure) {
      if (!signal.aborted) this.#failed(id, task, toGatewayError(failure));
    } finally {
      this.#inFlight -= 1;
      this.#scheduleNext(id);
      this.#wake.wake();
    }
  }

  #scheduleNext(id: string): void {
    const { board, clock } = this.#ports;
    const task = board.tasks.get(id);
    const now = clock.now();
    if (task && isRunning(task)) this.#due.set(id, now + this.#interval(task, now));
    else if (
      task?.submission.state === "accepted" &&
      needsLaterLook(task.submission.remote.state) &&
      !this.#looked.has(id)
    ) {
      this.#looked.add(id);
      this.#due.set(id, now + laterLook);
    } else this.#due.delete(id);
  }

  #succeeded(task: Task): void {
    Object.assign(this.#pace(task), { failures: 0, rateLimits: 0, limited: false });
    this.#setStatus({ offlineSince: undefined });
  }

  #failed(id: string, task: Task, error: GatewayError): void {
    const { board, clock, random, log } = this.#ports;
    const now = clock.now();
    const pace = this.#pace(task);
    const rest = (ms: number): void => {
      pace.restUntil = Math.max(pace.restUntil, now + ms);
    };
    log.warn("A task could not be read.", {
      task: id,
      kind: error.kind,
      status: error.status,
      requestId: error.requestId,
    });
    board.observe({ type: "task-read-failed", id, at: now, error });
    switch (error.kind) {
      case "rate-limited":
        pace.rateLimits += 1;
        pace.limited = true;
        rest(rateLimitPause(error.retryAfterMs, pace.rateLimits));
        this.#setStatus({ pausedUntil: pace.restUntil });
        return;
      case "unreachable":
      case "timed-out":
      case "unavailable":
        pace.failures += 1;
        rest(failurePause(pace.failures, random()));
        this.#setStatus({ offlineSince: this.status.current.offlineSince ?? now });
        return;
      // The key is missing or refused: no read before something changes, or a long while has passed.
      case "signed-out":
      case "unauthorized":
      case "forbidden":
        rest(5 * 60_000);
        return;
      // This task only: its row says so, and it is read again at its own pace.
      case "malformed":
      case "not-found":
      case "conflict":
      case "insufficient-balance":
      case "not-enabled":
      case "rejected":
      case "too-large":
      case "storage":
      case "interrupted":
        return;
    }
  }

  #setStatus(change: { [K in keyof PollerStatus]: PollerStatus[K] | undefined }): void {
    const merged = { ...this.status.current, ...change };
    const { pausedUntil, offlineSince } = merged;
    const before = this.status.current;
    if (before.pausedUntil === pausedUntil && before.offlineSince === offlineSince) return;
    this.status.set({
      ...definedFields({ pausedUntil, offlineSince }),
    });
  }
}

/** Whether a read told nothing new: the row need not change, and nothing need be written. */
function sameRead(before: RemoteTask, now: RemoteTask): boolean {
  return JSON.stringify(before) === JSON.stringify(now);
}
