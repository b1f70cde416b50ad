/**
 * Submits tasks: the intent and the start of each request are on disk before the request, and the same bytes are sent under the same key each time
 * (T1).
 */
import { randomUUID } from "node:crypto";
import { isAbort } from "../../base/async/abort";
import type { Clock } from "../../base/clock";
import { definedFields } from "../../base/definedFields";
import { type AppError, AppFailure, toAppError, storageError } from "../../domain/errors/appError";
import { localOrigin } from "../../domain/gateway/address";
import type { Connections, Gateway } from "../../domain/ports";
import { priceOfTask, type Price } from "../../domain/prices/priceList";
import { isAccepted, isWaitingToSend } from "../../domain/task/phase";
import { secondsIn } from "../../domain/task/commonOptions";
import { failureEvent, keyTooOld, withdrawn } from "../../domain/task/submission";
import type { CreatedTask, Task, TaskHome, TaskIntent, TaskOrder } from "../../domain/task/task";
import { type Environment, priceListOf } from "../../domain/environment";
import { isSameHome, otherHomeError } from "../../domain/task/sameHome";
import type { TaskBoard, SeenTask } from "../board/board";
import { type DayCap, dayCap } from "../store/caps";

export interface OutboxOptions extends Pick<Environment, "log" | "settings"> {
  readonly board: TaskBoard;
  readonly connections: Connections;
  readonly clock: Clock;
  /** Resolves when the account is not paused by its service. Rejects with an `AppFailure` when the pause is a long one. */
  readonly untilUnpaused: (home: TaskHome, signal: AbortSignal) => Promise<void>;
}

interface GivenToSend {
  /** The bodies by the intents' ids; where one is missing the body on disk is sent. */
  readonly bodies?: ReadonlyMap<string, string | undefined>;
  /** A person has agreed to send keys that the gateway may have forgotten. */
  readonly despiteOldKey?: boolean;
}

/** The number of submissions of a batch that are under way at once. */
const atOnce = 4;

/** The service keeps a key for 24 h (contract of the task interface); after that the same key could make a second task. */
const keyLifetime = 23 * 60 * 60 * 1000;

const never = new AbortController().signal;

export class Outbox {
  readonly #options: OutboxOptions;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /**
   * Gives each order its body and its key. Nothing is written or sent. Rejects when there is no gateway to send to, or
   * when another one or another account is in use than `home`, which the person was shown. Rehearsals go to the gateway inside, whichever is in use.
   */
  async prepare(
    orders: readonly TaskOrder[],
    home: TaskHome,
    signal?: AbortSignal,
    ids?: readonly Pick<TaskIntent, "id" | "idempotencyKey">[],
  ): Promise<readonly TaskIntent[]> {
    const { connections, clock } = this.#options;
    const isRehearsal = orders.some((order) => order.isRehearsal === true);
    const { gateway, home: current } = await (isRehearsal ? connections.local() : connections.ready(signal));
    if (!isRehearsal && !isSameHome(home, current)) throw new AppFailure(otherHomeError);
    const batch = orders.length > 1 ? { batch: randomUUID() } : {};
    return orders.map((order, at) => {
      const { id, idempotencyKey } = ids?.[at] ?? { id: randomUUID(), idempotencyKey: randomUUID() };
      const body = gateway.writeTask(order, idempotencyKey);
      const price = this.priceOf(order, current);
      const made = { id, idempotencyKey, home: current, body, createdAt: clock.now() };
      // The body holds the assets and the metadata.
      const { inputAssets: _assets, metadata: _metadata, ...kept } = order;
      return { ...kept, ...made, ...batch, ...definedFields({ price }) };
    });
  }

  /**
   * The price by the list of the gateway in use, else by the person's. Where both have a price and the currencies differ, the person's counts,
   * because the person's caps count the currency of their list only. `undefined` where neither has a price, and on the local gateway, where nothing
   * is paid.
   */
  priceOf(
    task: Pick<TaskOrder, "type" | "model" | "metadata">,
    { origin }: Pick<TaskHome, "origin">,
  ): Price | undefined {
    if (origin === localOrigin) return undefined;
    const asked = { ...task, ...definedFields({ seconds: secondsIn(task.metadata) }) };
    const connection = this.#options.connections.current.current;
    const isInUse = connection.state === "ready" && connection.home.origin === origin;
    const listed = isInUse ? connection.gateway.amounts.listOf(task.model) : undefined;
    const byGateway = listed && priceOfTask(listed, asked);
    const byPerson = priceOfTask(priceListOf(this.#options.settings), asked);
    return byGateway === undefined || (byPerson && byPerson.currency !== byGateway.currency) ? byPerson : byGateway;
  }

  /**
   * Writes every intent, then sends them; calling it again with the same intents goes on where it stopped, under the
   * same keys. Resolves when each has an outcome; what became of a task is on the board. Rejects with an `AppFailure`
   * of kind `storage` or `capped` when an intent could not be written: then nothing was sent. When `signal` aborts, what
   * has not begun is not sent.
   */
  async send(intents: readonly TaskIntent[], signal = never): Promise<void> {
    signal.throwIfAborted();
    await this.#intend(intents);
    const bodies = new Map(intents.map(({ id, body }) => [id, body]));
    const seen = this.#options.board.see(...bodies.keys());
    const { queued } = await this.#queue(seen.filter(({ state }) => state === "not-accepted"));
    await this.#sendAll([...seen.filter(({ state }) => state === "prepared"), ...queued], signal, { bodies });
  }

  /** Writes the intents that are not on disk yet, if the cap allows all of them. */
  async #intend(intents: readonly TaskIntent[]): Promise<void> {
    const { board } = this.#options;
    const fresh = intents.filter(({ id }) => !board.listed.has(id));
    for (const [index, intent] of fresh.entries()) {
      try {
        const cap = this.#capFor(fresh.slice(index));
        await board.writeThenApply({ type: "task-intended", intent }, { cap });
      } catch (failure) {
        const { error } = unsent(failure);
        const written = board.see(...intents.map(({ id }) => id));
        for (const seen of written) if (seen.state === "prepared") await this.#writeNotSent(seen, error);
        throw new AppFailure(error, { cause: failure });
      }
    }
  }

  /** `prepare` and `send` for the gateway in use; resolves with the intents' ids. */
  async submit(orders: readonly TaskOrder[]): Promise<readonly string[]> {
    const { home } = await this.#options.connections.ready();
    const intents = await this.prepare(orders, home);
    await this.send(intents);
    return intents.map(({ id }) => id);
  }

  /** Whether the service may have forgotten the key of a task whose outcome is unknown: a person decides then. True where that can't be read. */
  isKeyOld(id: string): Promise<boolean> {
    return this.#readIsKeyOld(id).catch(() => true);
  }

  async #readIsKeyOld(id: string): Promise<boolean> {
    const { board, clock } = this.#options;
    const task = board.listed.get(id);
    if (task?.submission.state !== "outcome-unknown") return false;
    const age = clock.now() - task.intent.createdAt;
    // The task was made in the future: the clock was set back, and the age of the key is unknown, also once the clock has caught up.
    return age > keyLifetime || age < 0 || (await board.isAgeUnknown(id));
  }

  /**
   * Sends tasks once more that were not accepted or whose outcome is unknown: same bytes, same key. Nothing is sent of
   * one that has changed since it was seen, in this window or another, and of one with an old key unless
   * `despiteOldKey`. Never rejects: what came of it is on the board. Resolves with those that had changed.
   */
  async sendAgain(seen: readonly SeenTask[], { despiteOldKey = false } = {}): Promise<readonly SeenTask[]> {
    const { board } = this.#options;
    await board.readOtherWindows();
    const wanted: SeenTask[] = [];
    // If the age can't be read here, the check right before the request decides, and its failure is recorded on the board.
    for (const one of seen)
      if (canSendAgain(board, one) && (despiteOldKey || !(await this.#readIsKeyOld(one.id).catch(() => false))))
        wanted.push(one);
    const { queued, changed } = await this.#queue(wanted);
    await this.#sendAll(queued, never, { despiteOldKey });
    return changed;
  }

  /** Writes that these tasks wait to be sent, which every window shows: a second click on one of them finds it changed. */
  async #queue(seen: readonly SeenTask[]): Promise<Record<"queued" | "changed", readonly SeenTask[]>> {
    const { board, clock } = this.#options;
    const queued: SeenTask[] = [];
    const changed: SeenTask[] = [];
    for (const one of seen) {
      // A refused task counts for the cap of a day again once it waits.
      const cap = one.state === "not-accepted" ? this.#capOf(one) : undefined;
      const record = { type: "task-waiting", id: one.id, at: clock.now() } as const;
      try {
        if (await board.writeThenApply(record, { ifUnchanged: one, cap })) queued.push(...board.see(one.id));
        else changed.push(one);
      } catch (failure) {
        await this.#writeNotSent(one, unsent(failure).error);
      }
    }
    return { queued, changed };
  }

  async #sendAll(seen: readonly SeenTask[], signal: AbortSignal, given: GivenToSend): Promise<void> {
    const waiting = seen.values();
    const worker = async (): Promise<void> => {
      for (const one of waiting) await this.#attempt(one, signal, given);
    };
    await Promise.all(Array.from({ length: Math.min(atOnce, seen.length) }, worker));
  }

  /** Sends one request for a task. Never rejects. */
  async #attempt(seen: SeenTask, signal: AbortSignal, given: GivenToSend): Promise<void> {
    const { board, clock, log } = this.#options;
    const { id } = seen;
    const request = await this.#begin(seen, signal, given);
    if (!request) return;
    try {
      if (signal.aborted) throw new AppFailure(withdrawn);
      const created = await request.gateway.createTask(request.body);
      if (isOfOtherIntent(board, id, created)) throw new AppFailure(otherIntent);
      await board.applyThenWrite({ type: "task-accepted", id, at: clock.now(), created });
    } catch (failure) {
      const error = attemptError(failure);
      log.warn("A submission was not answered with a task.", { task: id, kind: error.kind, status: error.status });
      const type = failureEvent(error) === "lost" ? "task-outcome-unknown" : "task-not-accepted";
      await board.applyThenWrite({ type, id, at: clock.now(), error });
    }
  }

  /**
   * Waits for what the request needs, the end of a pause first, and writes its start as the last step. `undefined` where
   * the task was cancelled, removed or sent elsewhere meanwhile, or can't be sent: nothing is sent then.
   */
  async #begin(
    seen: SeenTask,
    signal: AbortSignal,
    { bodies, despiteOldKey = false }: GivenToSend,
  ): Promise<{ readonly gateway: Gateway; readonly body: string } | undefined> {
    const { board, connections, clock, untilUnpaused } = this.#options;
    const { id } = seen;
    const task = board.listed.get(id);
    if (!task || !isWaitingToSend(task)) return undefined;
    const { home } = task.intent;
    const changed = new AbortController();
    const listening = board.onDidChange((ids) => {
      if (ids.has(id) && !board.isAsSeen(seen)) changed.abort();
    });
    try {
      await untilUnpaused(home, AbortSignal.any([signal, changed.signal]));
      const body = bodies?.get(id) ?? (await board.readBody(id));
      if (body === undefined) throw new AppFailure(bodyMissing);
      const gateway = await connections.find(home);
      signal.throwIfAborted();
      // The machine may have slept meanwhile: the yes was for a key that the gateway still had.
      if (!despiteOldKey && (await this.#readIsKeyOld(id))) throw new AppFailure(keyTooOld);
      // A Reconcile proves whether there is a task: no cap stops it.
      const cap = seen.state === "prepared" ? this.#capOf(seen) : undefined;
      const record = { type: "task-sending", id, at: clock.now() } as const;
      return (await board.writeThenApply(record, { ifUnchanged: seen, cap })) ? { gateway, body } : undefined;
    } catch (failure) {
      if (signal.aborted) await this.#writeNotSent(seen, withdrawn);
      // Nothing is written where the task has changed or the window ends: its row shows later that nothing was sent.
      else if (!isAbort(failure)) await this.#writeNotSent(seen, unsent(failure).error);
      return undefined;
    } finally {
      listening.dispose();
    }
  }

  #capOf({ id }: SeenTask): DayCap | undefined {
    return this.#capFor([this.#options.board.listed.get(id)?.intent ?? {}]);
  }

  /** The code of the cap that new tasks with these prices would exceed now. Never rejects: the cap is checked again when they are written. */
  async exceededCap(wanted: readonly Pick<TaskIntent, "price">[]): Promise<string | undefined> {
    const cap = this.#capFor(wanted);
    try {
      if (cap !== undefined) await this.#options.board.checkCap(cap);
      return undefined;
    } catch (failure) {
      return failure instanceof AppFailure && failure.error.kind === "capped" ? failure.error.code : undefined;
    }
  }

  /** Nothing is paid for a rehearsal, so no cap stops it. */
  #capFor(wanted: readonly Pick<TaskIntent, "price" | "isRehearsal">[]): DayCap | undefined {
    return wanted.some(({ isRehearsal }) => isRehearsal === true) ? undefined : dayCap(this.#options, wanted);
  }

  /**
   * Writes that nothing was sent, unless the task has changed since: another window may send it. Where the disk is full, a restart shows the same.
   */
  async #writeNotSent(seen: SeenTask, error: AppError): Promise<void> {
    const { board, clock } = this.#options;
    const record = { type: "task-not-accepted", id: seen.id, at: clock.now(), error } as const;
    await board.writeThenApply(record, { ifUnchanged: seen }).catch(() => board.applyTransient(record));
  }
}

/** The error for a task that was submitted elsewhere, or whose request was in a file that was damaged. */
export const bodyMissing = { kind: "not-found", message: "The request of this task is not on this machine." } as const;

/** The error of a step before the request. */
function unsent(failure: unknown): AppFailure {
  const { error } = storageError(failure);
  return new AppFailure({ ...error, notSent: true }, { cause: failure });
}

function attemptError(failure: unknown): AppError {
  if (isAbort(failure)) return { kind: "unreachable", message: "The request was ended before an answer came." };
  return toAppError(failure);
}

/** The error of a response that names the task of another intent. One intent has one task, so the outcome of this one is not known then. */
const otherIntent = { kind: "malformed", message: "The answer names the task of another submission." } as const;

/**
 * Whether the task of the response belongs to another intent. A task that a person only watches does not count: it may be one of ours whose accept
 * was lost.
 */
function isOfOtherIntent({ all: tasks }: TaskBoard, id: string, { taskId }: CreatedTask): boolean {
  const own = tasks.get(id);
  const isOther = (task: Task): boolean =>
    task !== own && !task.intent.isWatched && isAccepted(task) && task.submission.taskId === taskId;
  return [...tasks.values()].some((task) => isOther(task) && own && isSameHome(task.intent.home, own.intent.home));
}

/** Whether the task's request can be sent again; a task that was submitted elsewhere has none. */
function canSendAgain(board: TaskBoard, { id, state }: SeenTask): boolean {
  if (board.listed.get(id)?.intent.isWatched) return false;
  return state === "not-accepted" || state === "outcome-unknown";
}
