/**
 * The request budget of one account (T4): four starts a second, four at once, 2 s between two reads of a task, and every pause that the service
 * asks for; and the gateways whose requests keep to it.
 */
import { abortReason, isAbort } from "../../base/async/abort";
import type { MonotonicClock } from "../../base/clock";
import { Emitter } from "../../base/event";
import { LoopPause } from "../../base/async/loopPause";
import { type AppError, AppFailure, toAppError } from "../../domain/errors/appError";
import { factsOfKind } from "../../domain/errors/errorKinds";
import { failurePause, minReadInterval, refusedKeyPause, requestedPause } from "./pollSchedule";
import type { Connections } from "../../domain/ports";
import { homeMark } from "../../domain/task/sameHome";
import type { TaskHome } from "../../domain/task/task";

interface PaceOptions {
  readonly clock: MonotonicClock;
  /** 0 to 1. */
  readonly random: () => number;
}

/** A pause that the service asked for. */
interface Pause {
  /** Milliseconds that are left of it. */
  readonly left: number;
  /** Milliseconds that it has in all. */
  readonly length: number;
}

/** No read of the account can succeed. */
interface AccountFailure {
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly error: AppError;
}

const atOnce = 4;
/** Milliseconds between two starts. */
const startGap = 250;
/** Milliseconds that a request on behalf of a person waits for the end of a pause before it is given up. */
const patience = 5 * 60_000;

export class AccountPace {
  readonly #options: PaceOptions;
  readonly #changed = new Emitter<void>();
  readonly #paused = new Emitter<Pause>();
  /** Requests that wait for their turn, in their order. */
  readonly #waiting: LoopPause[] = [];
  /**
   * The time at which the last read of a task began, or `Infinity` while it is under way, by the service's id; kept for as long as it delays the next
   * read.
   */
  readonly #reads = new Map<string, number>();
  #inFlight = 0;
  #nextStart = -Infinity;
  #pause = { until: -Infinity, length: 0 };
  #backoffUntil = -Infinity;
  #lastFailure = -Infinity;
  #lastLimit = -Infinity;
  #failures = 0;
  #rateLimits = 0;
  #failure: AccountFailure | undefined;

  constructor(options: PaceOptions) {
    this.#options = options;
  }

  /** A slot is free, or a pause or a failure has begun or ended. */
  readonly onDidChange = this.#changed.event;

  /** The service has asked this window for a pause. */
  readonly onDidPause = this.#paused.event;

  get failure(): AccountFailure | undefined {
    return this.#failure;
  }

  get pause(): Pause | undefined {
    const left = this.#pause.until - this.#options.clock.monotonic();
    return left > 0 ? { left, length: this.#pause.length } : undefined;
  }

  /** Takes over a pause that another window was asked for, or this one before it was reloaded. */
  resumePause({ left, length }: Pause): void {
    const known = this.#pause.until - this.#options.clock.monotonic();
    // The end of the other pause was given by the wall clock, so a difference of less than a second is the same pause.
    if (left > known + 1000) this.#pauseFor(Math.min(left, length), length);
  }

  /** Ends the back-off after failures, but no pause that the service asked for. Called for a new key or network, or when a person asks. */
  retry(): void {
    if (this.#backoffUntil === -Infinity) return;
    this.#backoffUntil = -Infinity;
    this.#changed.fire();
  }

  /** Monotonic time of the earliest start of a poll; `Infinity` until `onDidChange`. */
  get pollsAt(): number {
    if (this.#waiting.length > 0) return Infinity;
    // After a failure one request at a time finds out whether it is over.
    if (this.#failures > 0 && this.#inFlight > 0) return Infinity;
    return Math.max(this.#turnAt, this.#backoffUntil);
  }

  /** Monotonic time of the earliest read of a task; `Infinity` while one is under way. */
  readableAt(taskId: string): number {
    return (this.#reads.get(taskId) ?? -Infinity) + minReadInterval;
  }

  /** Makes a read of the schedule, at `pollsAt` or later; it begins before this returns. */
  poll<T>(taskId: string, send: () => Promise<T>): Promise<T> {
    this.#takeSlot();
    return this.#read(taskId, send);
  }

  /** Makes a read outside of the schedule: it waits for the task's turn and for a slot, before all polls. */
  async readSoon<T>(taskId: string, send: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (;;) {
      await this.#forReadable(taskId, signal);
      await this.#forTurn(signal);
      if (this.readableAt(taskId) <= this.#options.clock.monotonic()) return this.#read(taskId, send);
      this.#releaseSlot();
    }
  }

  /** Makes a request that has a place in the budget and concerns no task's state. */
  async request<T>(send: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#forTurn(signal);
    return this.#inSlot(send);
  }

  /** Makes a request outside of the budget; a pause that the service asks for counts for the account. */
  async unscheduled<T>(send: () => Promise<T>): Promise<T> {
    const start = this.#options.clock.monotonic();
    try {
      return await send();
    } catch (failure) {
      this.#takePause(toAppError(failure), start);
      throw failure;
    }
  }

  /** Resolves when the account is not paused. Rejects with an `AppFailure` when that takes too long to wait for. */
  async forPauseEnd(signal: AbortSignal = new AbortController().signal): Promise<void> {
    for (let { pause } = this; pause; { pause } = this) {
      this.#checkPatience();
      await this.#options.clock.delay(pause.left, signal);
    }
  }

  /** Counts an error of a read for the account when it concerns more than one task. `start` is the monotonic time at which the read began. */
  failed(error: AppError, start = this.#options.clock.monotonic()): void {
    // Failures of several requests that were under way together count once.
    const isNew = start > this.#lastFailure || this.#failure === undefined;
    this.#takePause(error, start);
    switch (factsOfKind(error.kind).backOff) {
      case "growing":
        this.#backOff(error, isNew, () => failurePause(this.#failures, this.#options.random()));
        return;
      case "until-next-key":
        this.#backOff(error, isNew, () => refusedKeyPause);
        return;
      case "none":
        this.#changed.fire();
    }
  }

  get #turnAt(): number {
    return this.#inFlight >= atOnce ? Infinity : Math.max(this.#nextStart, this.#pause.until);
  }

  async #forReadable(taskId: string, signal: AbortSignal = new AbortController().signal): Promise<void> {
    const { clock } = this.#options;
    const waiter = new LoopPause();
    const listening = this.onDidChange(() => waiter.end());
    try {
      for (let at = this.readableAt(taskId); at > clock.monotonic(); at = this.readableAt(taskId))
        await waiter.wait(at - clock.monotonic(), clock, signal);
    } finally {
      listening.dispose();
    }
  }

  async #forTurn(signal: AbortSignal = new AbortController().signal): Promise<void> {
    if (signal.aborted) throw abortReason(signal);
    const { clock } = this.#options;
    const waiter = new LoopPause();
    const listening = this.onDidChange(() => waiter.end());
    this.#waiting.push(waiter);
    try {
      for (;;) {
        this.#checkPatience();
        const wait = this.#waiting[0] === waiter ? this.#turnAt - clock.monotonic() : Infinity;
        if (wait <= 0) {
          this.#takeSlot();
          return;
        }
        await waiter.wait(wait, clock, signal);
      }
    } finally {
      listening.dispose();
      this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
      this.#changed.fire();
    }
  }

  #checkPatience(): void {
    const { pause } = this;
    if (pause && pause.left > patience) {
      const retryAfterMs = Math.ceil(pause.left);
      const message = "The gateway asked for a pause that is not over; nothing was sent.";
      throw new AppFailure({ kind: "rate-limited", message, retryAfterMs, notSent: true });
    }
  }

  async #read<T>(taskId: string, send: () => Promise<T>): Promise<T> {
    const start = this.#options.clock.monotonic();
    for (const [id, at] of this.#reads) if (at + minReadInterval <= start) this.#reads.delete(id);
    this.#reads.set(taskId, Infinity);
    try {
      return await this.#inSlot(send);
    } finally {
      this.#reads.set(taskId, start);
      this.#changed.fire();
    }
  }

  /** Sends in a slot that was taken. */
  async #inSlot<T>(send: () => Promise<T>): Promise<T> {
    const start = this.#options.clock.monotonic();
    try {
      const result = await send();
      this.#succeeded(start);
      return result;
    } catch (failure) {
      if (!isAbort(failure)) this.failed(toAppError(failure), start);
      throw failure;
    } finally {
      this.#releaseSlot();
    }
  }

  #takeSlot(): void {
    this.#inFlight += 1;
    this.#nextStart = this.#options.clock.monotonic() + startGap;
  }

  #releaseSlot(): void {
    this.#inFlight -= 1;
    this.#changed.fire();
  }

  /** Only a request that began after the last failure shows that the failure is over; no success ends a pause. */
  #succeeded(start: number): void {
    if (start > this.#lastLimit) this.#rateLimits = 0;
    if (start <= this.#lastFailure || !this.#failure) return;
    this.#failures = 0;
    this.#backoffUntil = -Infinity;
    this.#failure = undefined;
    this.#changed.fire();
  }

  #takePause({ kind, status, retryAfterMs }: AppError, start: number): void {
    if (kind === "rate-limited") {
      if (start > this.#lastLimit) this.#rateLimits += 1;
      this.#lastLimit = this.#options.clock.monotonic();
      this.#beginPause(requestedPause(retryAfterMs, this.#rateLimits));
    } else if (retryAfterMs !== undefined && (kind === "unavailable" || status === 429))
      this.#beginPause(requestedPause(retryAfterMs, 1));
  }

  #backOff(error: AppError, isNew: boolean, wait: () => number): void {
    if (isNew) this.#failures += 1;
    const now = this.#options.clock.monotonic();
    this.#lastFailure = now;
    this.#backoffUntil = Math.max(this.#backoffUntil, now + wait());
    this.#failure = { since: this.#failure?.since ?? this.#options.clock.now(), error };
    this.#changed.fire();
  }

  #beginPause(ms: number): void {
    this.#pauseFor(ms);
    this.#paused.fire({ left: ms, length: ms });
  }

  #pauseFor(ms: number, length = ms): void {
    const until = this.#options.clock.monotonic() + ms;
    if (until > this.#pause.until) this.#pause = { until, length };
    this.#changed.fire();
  }
}

// Wraps the gateways of tasks: each request keeps to the pace of its account, for outbox, cancels, events and results.

/** The paces of all accounts that are known to this window. */
export class AccountPaces {
  readonly #options: PaceOptions;
  readonly #changed = new Emitter<void>();
  readonly #paused = new Emitter<Pause & { readonly account: string }>();
  readonly #paces = new Map<string, AccountPace>();

  constructor(options: PaceOptions) {
    this.#options = options;
  }

  readonly onDidChange = this.#changed.event;
  /** A service has asked this window for a pause. */
  readonly onDidPause = this.#paused.event;

  get all(): ReadonlyMap<string, AccountPace> {
    return this.#paces;
  }

  of(home: TaskHome): AccountPace {
    return this.named(homeMark(home));
  }

  named(account: string): AccountPace {
    let pace = this.#paces.get(account);
    if (!pace) {
      this.#paces.set(account, (pace = new AccountPace(this.#options)));
      pace.onDidChange(() => this.#changed.fire());
      pace.onDidPause((pause) => this.#paused.fire({ ...pause, account }));
    }
    return pace;
  }
}

/** Hooks that are awaited before requests. */
interface RequestHooks {
  /** Waits while another window polls, because that one may just have read the task. */
  readonly beforeRead: (signal: AbortSignal | undefined) => Promise<void>;
  /** Takes over pauses that other windows may have been asked for. */
  readonly beforeCancel: () => Promise<void>;
}

export function paceConnections(
  connections: Connections,
  paces: AccountPaces,
  { beforeRead, beforeCancel }: RequestHooks,
): Connections {
  return {
    current: connections.current,
    ready: (signal) => connections.ready(signal),
    local: () => connections.local(),
    async find(home) {
      const gateway = await connections.find(home);
      const pace = paces.of(home);
      return {
        ...gateway,
        async getTask(taskId, signal) {
          await beforeRead(signal);
          return pace.readSoon(taskId, () => gateway.getTask(taskId, signal), signal);
        },
        listTaskEvents: (taskId, page, signal) =>
          pace.request(() => gateway.listTaskEvents(taskId, page, signal), signal),
        createTask: (body, signal) => pace.unscheduled(() => gateway.createTask(body, signal)),
        async cancelTask(taskId, reason, signal) {
          await beforeCancel();
          return pace.request(() => gateway.cancelTask(taskId, reason, signal), signal);
        },
      };
    },
  };
}
