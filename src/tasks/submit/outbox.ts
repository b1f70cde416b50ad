/** Submitting: the intent and the start of each request are on disk before the request, and the same bytes go under the same key each time (T1). */
import { randomUUID } from "node:crypto";
import { isAbort } from "../../base/async/abort";
import type { Clock } from "../../base/clock";
import { definedFields } from "../../base/definedFields";
import { type AppError, AppFailure, toAppError } from "../../domain/errors/appError";
import type { Connections, Gateway, Log } from "../../domain/ports";
import { failureEvent } from "../../domain/task/submission";
import type { Task, TaskDestination, TaskHome, TaskIntent, TaskRequest } from "../../domain/task/task";
import type { TaskBoard } from "../board/board";
import { type DayCap, dayCap } from "../store/caps";
import { storageError } from "../../domain/errors/storageError";

export interface NewTask extends Omit<TaskRequest, "idempotencyKey"> {
  readonly duplicatedFrom?: string;
  readonly destination?: TaskDestination;
}

export interface OutboxPorts {
  readonly board: TaskBoard;
  readonly connections: Connections;
  readonly clock: Clock;
  readonly log: Log;
  /** Resolves when the account is not paused by its service. Rejects with an `AppFailure` when the pause is a long one. */
  readonly untilUnpaused: (home: TaskHome) => Promise<void>;
  /** The most tasks of one day; 0 for no cap. */
  readonly tasksPerDay: () => number;
}

/** How many submissions of a batch are under way at once. */
const atOnce = 4;

/** The service keeps a key for 24 h (contract of the task interface); after that the same key could make a second task. */
const keyLifetime = 23 * 60 * 60 * 1000;

export class Outbox {
  readonly #ports: OutboxPorts;
  /** Tasks with a request under way: a second click does not send a second one. */
  readonly #sending = new Set<string>();

  constructor(ports: OutboxPorts) {
    this.#ports = ports;
  }

  /** Gives each task its body and its key. Nothing is written or sent; rejects when there is no gateway to send to. */
  async prepare(tasks: readonly NewTask[]): Promise<readonly TaskIntent[]> {
    const { connections, clock } = this.#ports;
    const { gateway, home } = await connections.ready();
    const batch = tasks.length > 1 ? { batch: randomUUID() } : {};
    return tasks.map(({ inputAssets, metadata, ...task }) => {
      const idempotencyKey = randomUUID();
      const body = gateway.writeTask({ ...task, ...definedFields({ inputAssets, metadata }), idempotencyKey });
      return { ...task, id: randomUUID(), idempotencyKey, home, body, createdAt: clock.now(), ...batch };
    });
  }

  /**
   * Writes every intent, then sends them; calling it again with the same intents goes on where it stopped, under the
   * same keys. Resolves when each has an outcome; what became of a task is on the board. Rejects with an `AppFailure`
   * of kind `storage` or `capped` when an intent could not be written: then nothing was sent.
   */
  async send(intents: readonly TaskIntent[]): Promise<void> {
    const { board } = this.#ports;
    await this.#intend(intents);
    const waiting = intents.values();
    const worker = async (): Promise<void> => {
      for (const { id, body } of waiting) {
        const state = board.tasks.get(id)?.submission.state;
        if (state === "prepared") await this.#attempt(id, { body });
        else if (state === "not-accepted") await this.#attempt(id, { body, cap: dayCap(this.#ports, 1) });
      }
    };
    await Promise.all(Array.from({ length: Math.min(atOnce, intents.length) }, worker));
  }

  /** Writes the intents that are not on disk yet, if the cap allows all of them. */
  async #intend(intents: readonly TaskIntent[]): Promise<void> {
    const { board } = this.#ports;
    const fresh = intents.filter(({ id }) => !board.tasks.has(id));
    for (const [index, intent] of fresh.entries()) {
      try {
        const cap = dayCap(this.#ports, fresh.length - index);
        await board.writeThenApply({ type: "task-intended", intent }, { cap });
      } catch (failure) {
        const { error } = unsent(failure);
        for (const { id } of intents) {
          if (board.tasks.get(id)?.submission.state === "prepared") await this.#notSent(id, error);
        }
        throw new AppFailure(error, { cause: failure });
      }
    }
  }

  /** `prepare` and `send`; resolves with the intents' ids. */
  async submit(tasks: readonly NewTask[]): Promise<readonly string[]> {
    const intents = await this.prepare(tasks);
    await this.send(intents);
    return intents.map(({ id }) => id);
  }

  /** Whether the service may have forgotten the key of a task whose outcome is unknown: a person decides then. */
  isKeyOld(id: string): boolean {
    const task = this.#ports.board.tasks.get(id);
    if (task?.submission.state !== "outcome-unknown") return false;
    const age = this.#ports.clock.now() - task.intent.createdAt;
    // Made in the future: the clock was set back, and the age of the key is unknown.
    return age > keyLifetime || age < 0;
  }

  /**
   * Sends a task once more that was not accepted or whose outcome is unknown: same bytes, same key. Does nothing for
   * any other task, for one that is being sent, and for one with an old key unless `despiteOldKey`. Never rejects: what
   * came of it is on the board.
   */
  async sendAgain(id: string, { despiteOldKey = false } = {}): Promise<void> {
    const { board } = this.#ports;
    await board.readOtherWindows();
    const task = board.tasks.get(id);
    if (!task || !canSendAgain(task) || (this.isKeyOld(id) && !despiteOldKey)) return;
    // By the cap, what was refused is no task of the day until it is sent again.
    await this.#attempt(id, task.submission.state === "not-accepted" ? { cap: dayCap(this.#ports, 1) } : {});
  }

  /** One request for a task, with the body on disk where none is given. Never rejects. */
  async #attempt(
    id: string,
    { body: given, cap }: { readonly body?: string | undefined; readonly cap?: DayCap | undefined },
  ): Promise<void> {
    const { board, connections, clock, log } = this.#ports;
    const task = board.tasks.get(id);
    if (!task || this.#sending.has(id)) return;
    this.#sending.add(id);
    try {
      let gateway: Gateway;
      let body: string | undefined;
      try {
        await this.#ports.untilUnpaused(task.intent.home);
        // First, so that each outcome on disk has its own start before it: without that, a restart would take "not
        // sent" for the outcome of an earlier attempt whose end is unknown.
        const isOurs = await board.writeThenApply(
          { type: "task-sending", id, at: clock.now() },
          { ifUnchanged: true, cap },
        );
        // Another window has moved this intent since: what it does is shown, and nothing is sent here.
        if (!isOurs) return;
        body = given ?? (await board.readBody(id));
        if (body === undefined) throw new AppFailure(bodyMissing);
        gateway = await connections.find(task.intent.home);
      } catch (failure) {
        await this.#notSent(id, unsent(failure).error);
        return;
      }
      try {
        const created = await gateway.createTask(body);
        await board.applyThenWrite({ type: "task-accepted", id, at: clock.now(), created });
      } catch (failure) {
        const error = attemptError(failure);
        log.warn("A submission was not answered with a task.", { task: id, kind: error.kind, status: error.status });
        const type = failureEvent(error) === "lost" ? "task-outcome-unknown" : "task-not-accepted";
        await board.applyThenWrite({ type, id, at: clock.now(), error });
      }
    } finally {
      this.#sending.delete(id);
    }
  }

  async #notSent(id: string, error: AppError): Promise<void> {
    const { board, clock } = this.#ports;
    const record = { type: "task-not-accepted", id, at: clock.now(), error } as const;
    // What a full disk prevented is not worth a place in the queue for that disk: a restart finds it not sent as well.
    if (error.kind === "storage") board.applyTransient(record);
    else await board.applyThenWrite(record);
  }
}

/** Of a task that was submitted elsewhere, or of a file that was damaged. */
const bodyMissing = { kind: "not-found", message: "The request of this task is not on this machine." } as const;

/** The error of a step before the request. */
function unsent(failure: unknown): AppFailure {
  const { error } = storageError(failure);
  return new AppFailure({ ...error, notSent: true }, { cause: failure });
}

function attemptError(failure: unknown): AppError {
  if (isAbort(failure)) return { kind: "unreachable", message: "The request was ended before an answer came." };
  return toAppError(failure);
}

/** A task that was submitted elsewhere has no request. */
function canSendAgain({ intent, submission }: Task): boolean {
  if (intent.isWatched) return false;
  return submission.state === "not-accepted" || submission.state === "outcome-unknown";
}
