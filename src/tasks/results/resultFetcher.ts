/** Fetches results without a click (T8): the window that polls runs it, also for what succeeded while no window was open. */
import { isAbort } from "../../base/async/abort";
import type { Clock } from "../../base/clock";
import { type Disposable, DisposableStore } from "../../base/disposable";
import { LoopPause } from "../../base/async/loopPause";
import type { Connections } from "../../domain/ports";
import { hasSucceeded } from "../../domain/task/phase";
import type { Task } from "../../domain/task/task";
import type { TaskBoard } from "../board/board";
import { type Environment, maxUnaskedBytes } from "../../domain/environment";
import { heldBackCode, overLimit } from "./resultFile";
import type { PollLeaseKeeper } from "../polling/pollLeaseKeeper";

export interface ResultFetcherOptions extends Pick<Environment, "log" | "settings"> {
  readonly board: TaskBoard;
  readonly connections: Connections;
  readonly clock: Clock;
  /** The lease of polling: the window that polls also fetches. */
  readonly turn: Pick<PollLeaseKeeper, "isOurs" | "need" | "state">;
  /** Fetches the result of the task with this id, up to `limit` bytes. An error is kept on the task. */
  readonly fetch: (id: string, limit: number) => Promise<unknown>;
}

const atOnce = 2;
const minute = 60_000;
/** The pause in milliseconds after the first failure, the second, and so on. After one failure more a person decides. */
const pauses = [minute / 2, 2 * minute, 10 * minute, 60 * minute, 6 * 60 * minute, 24 * 60 * minute];
/** Milliseconds after which only a click fetches a result: the links of older results have expired, and the click reads the task for new ones. */
const maxWait = 7 * 24 * 60 * minute;

export class ResultFetcher implements Disposable {
  readonly #options: ResultFetcherOptions;
  readonly #pause = new LoopPause();
  readonly #ended = new AbortController();
  readonly #registrations = new DisposableStore();
  /** Tasks to look at; those that need nothing leave it. */
  readonly #candidates = new Set<string>();
  readonly #inFlight = new Set<string>();
  /** Tasks whose fetch a person has cancelled in this window. */
  readonly #cancelled = new Set<string>();
  /** The time of the last change to a ready connection, in milliseconds since 1970. Failures of the connection before it cause no pause any more. */
  #retryBefore = 0;
  #loop: Promise<void> | undefined;

  constructor(options: ResultFetcherOptions) {
    this.#options = options;
  }

  /** Runs until disposed; never rejects. */
  run(): Promise<void> {
    this.#loop ??= this.#runLoop();
    return this.#loop;
  }

  dispose(): void {
    this.#registrations.dispose();
    this.#ended.abort();
  }

  /** Whether the result is to be fetched without a click, now or later. */
  awaits(task: Task): boolean {
    return this.#dueOf(task) !== undefined;
  }

  /** Whether the file of a task that has succeeded could not be fetched. `given-up`: only a person fetches it now. */
  problemOf(task: Task): "retried" | "given-up" | undefined {
    if (!hasSucceeded(task)) return undefined;
    const { fetchFailure, saved, placement } = task.submission;
    if (placement !== undefined && placement.state !== "placing") return undefined;
    // What a person has cancelled is not fetched again by this window.
    if (saved === undefined && this.#cancelled.has(task.intent.id)) return "given-up";
    if (this.awaits(task)) return fetchFailure && "retried";
    // Without a destination a large result waits for a click, which is no problem.
    if (task.intent.destination === undefined)
      return fetchFailure && fetchFailure.error.code !== overLimit ? "given-up" : undefined;
    // Where nothing has failed and nothing is saved, no window was open for so long that only a click fetches it.
    return fetchFailure !== undefined || saved === undefined ? "given-up" : undefined;
  }

  async #runLoop(): Promise<void> {
    const { board, connections, clock } = this.#options;
    const { signal } = this.#ended;
    this.#registrations.add(board.onDidChange((ids) => this.#consider(ids)));
    this.#registrations.add(
      connections.current.onDidChange(({ now }) => {
        if (now.state !== "ready") return;
        this.#retryBefore = clock.now();
        this.#pause.end();
      }),
    );
    this.#registrations.add(this.#options.turn.state.onDidChange(() => this.#pause.end()));
    this.#consider(board.all.keys());
    try {
      while (!signal.aborted) await this.#pause.wait(this.#startDue(), clock, signal);
    } catch (error) {
      if (!isAbort(error)) throw error;
    }
  }

  #consider(ids: Iterable<string>): void {
    const { board } = this.#options;
    const before = this.#candidates.size;
    for (const id of ids) {
      const task = board.all.get(id);
      if (task && this.#dueOf(task) !== undefined) this.#candidates.add(id);
    }
    if (this.#candidates.size > before) this.#pause.end();
  }

  /** Starts what is due; returns the milliseconds until the next one. */
  #startDue(): number {
    const { board, clock, turn } = this.#options;
    const now = clock.now();
    let next = Infinity;
    for (const id of this.#candidates) {
      if (this.#inFlight.has(id)) continue;
      const task = board.all.get(id);
      const due = task && !this.#cancelled.has(id) ? this.#dueOf(task) : undefined;
      if (task === undefined || due === undefined) this.#candidates.delete(id);
      else if (due > now) next = Math.min(next, due - now);
      else if (turn.isOurs && this.#inFlight.size < atOnce) void this.#fetch(id, task);
    }
    turn.need("results", this.#candidates.size > 0);
    return next;
  }

  /** Never rejects: the error is on the task, with the time for the next attempt. */
  async #fetch(id: string, task: Task): Promise<void> {
    const { fetch, settings } = this.#options;
    this.#inFlight.add(id);
    try {
      await fetch(id, task.intent.destination ? Infinity : maxUnaskedBytes(settings));
    } catch (failure) {
      if (isAbort(failure)) this.#cancelled.add(id);
    } finally {
      this.#inFlight.delete(id);
      this.#pause.end();
    }
  }

  /** The time at which the result is due, in milliseconds since 1970; `undefined` when nothing is fetched without a click. */
  #dueOf(task: Task): number | undefined {
    if (!hasSucceeded(task)) return undefined;
    const { intent, submission } = task;
    const { saved, fetchFailure, remote, at } = submission;
    const now = this.#options.clock.now();
    if (saved !== undefined) return undefined;
    if (now - (remote.completedAt ?? at) > maxWait) return undefined;
    // A result with a destination in the project is fetched whatever its size.
    const limit = intent.destination ? Infinity : maxUnaskedBytes(this.#options.settings);
    if (limit <= 0) return undefined;
    if (fetchFailure === undefined) return now;
    const { error, attempts, at: failedAt } = fetchFailure;
    if (error.kind === "too-large" || error.code === heldBackCode) return undefined;
    const pause = pauses[attempts - 1];
    if (pause === undefined) return undefined;
    // A failure in the future was noted before the clock was set back: nobody knows how long ago that was, so the pause counts as over.
    if (failedAt > now) return now;
    // A change to a ready connection that seems to be in the future says nothing about the failures since, which would have no pauses.
    const retryBefore = this.#retryBefore > now ? 0 : this.#retryBefore;
    if (failedAt < retryBefore && (error.kind === "signed-out" || error.kind === "unreachable")) return now;
    return failedAt + Math.max(pause, error.retryAfterMs ?? 0);
  }
}
