/** Creates, ends, cancels and refunds tasks. A change of a task and its money is one transaction, committed before the response is sent. */
import { randomUUID } from "node:crypto";
import { isAbort } from "../../base/async/abort";
import type { Clock } from "../../base/clock";
import type { SqlConnection } from "../../base/database/sqlConnection";
import { HttpError } from "../http/httpError";
import { isTypeOff, Ledger } from "../ledger";
import type { StateDatabase } from "../state/stateDatabase";
import {
  dueEnd,
  type GatewayTask,
  type TaskAccount,
  type TaskEnd,
  planTask,
  endTask,
  findDueTasks,
  findTaskRow,
  findOtherTask,
  findTaskByKey,
  insertTask,
  nextDueTime,
  markRefunded,
} from "./gatewayTask";
import type { DemoResultOptions } from "../demo/resultOptions";
import { hashText } from "../demo/seededRandom";
import { taskKinds, type TaskTypeWord } from "../demo/taskKinds";

export interface GatewayTaskOrder {
  readonly account: number;
  readonly type: TaskTypeWord;
  readonly model: string;
  readonly prompt: string;
  /** The seed of durations and costs. A result uses it only if the request names it; otherwise tasks with the same prompt get different results. */
  readonly seed: number;
  readonly isSeedRequested: boolean;
  readonly requestId: string;
  readonly idempotencyKey?: string;
  readonly fingerprint: string;
  /** A hash of the input assets, so that other assets give another picture. */
  readonly inputs?: number;
  readonly options?: DemoResultOptions;
  readonly isRehearsal?: true;
}

export interface TaskCreation {
  readonly task: GatewayTask;
  /** Whether the idempotency key was known, so that this is its first task. */
  readonly replayed: boolean;
}

export interface TaskEngineOptions {
  readonly state: StateDatabase;
  readonly clock: Clock;
  readonly speed: number;
  /** The name of a type in errors. */
  readonly nameOf: (type: TaskTypeWord) => string;
}

export const seedLimit = 1_000_000;
const keyLifetime = 24 * 3_600_000;
/** Milliseconds. Node's timers fire at once above 24 days. */
const maxWait = 3_600_000;
const retryAfterFailedWrite = 1_000;

export class TaskEngine {
  readonly #options: TaskEngineOptions;
  readonly #ending = new AbortController();
  /** Ends the wait for the next due time when a task was created. */
  #pause = new AbortController();
  readonly #settling: Promise<void>;

  /** Running tasks continue. Tasks that came due while no gateway ran get their planned time as the end. */
  constructor(options: TaskEngineOptions) {
    this.#options = options;
    this.#settling = this.#settleAsTimeGoes();
  }

  /** The same key and fingerprint within 24 hours return the first task. 409 for another request, 403 for a type that is off, 402 without money. */
  async create(order: GatewayTaskOrder): Promise<TaskCreation> {
    const { account, type, isRehearsal } = order;
    const created = await this.#change((connection): TaskCreation => {
      const earlier = this.#earlierTask(connection, order);
      if (earlier !== undefined) return { task: earlier, replayed: true };
      // A rehearsal ignores types that are off, because it stands for a task of another gateway.
      if (isRehearsal !== true && isTypeOff(connection, account, type)) throw notEnabled(this.#options.nameOf(type));
      const ledger = new Ledger(connection, this.#options.clock.now(), account);
      const estimate = isRehearsal === true ? 0 : taskKinds[type].estimate;
      ledger.requireAvailable(estimate, "This task");
      const task = this.#plannedTask(order, ledger.hold(estimate));
      insertTask(connection, task);
      return { task, replayed: false };
    });
    if (!created.replayed) this.#pause.abort();
    return created;
  }

  /** The task that was created under this key within its lifetime. */
  findByKey(account: number, idempotencyKey: string): Promise<GatewayTask | undefined> {
    return this.#read((connection) => this.#taskOfKey(connection, account, idempotencyKey));
  }

  /** The newest other task of the account. */
  findOther(account: number, taskId: string): Promise<TaskAccount | undefined> {
    return this.#read((connection) => findOtherTask(connection, account, taskId));
  }

  /** The task, of any account unless one is given. 404 when there is none. */
  get(taskId: string, account?: number): Promise<TaskAccount> {
    return this.#read((connection) => requireTask(connection, taskId, account));
  }

  /** Cancels a task; 409 without a change when it has ended. */
  cancel(taskId: string, reason: string): Promise<TaskAccount> {
    return this.#change((connection, ledger) => {
      const { task, end } = requireTask(connection, taskId);
      if (end !== undefined) {
        throw new HttpError(409, "task_already_terminal", `The task has ended already: ${end.state}.`);
      }
      closeTask(connection, ledger, task, { state: "cancelled", at: this.#options.clock.now(), reason });
      return requireTask(connection, taskId);
    });
  }

  /** Refunds the charge after the end of a task; 409 while it runs and when it was refunded already. */
  refund(taskId: string, reason: string): Promise<TaskAccount> {
    return this.#change((connection, ledger) => {
      const { task, end, refund } = requireTask(connection, taskId);
      if (end === undefined || refund !== undefined) {
        const why = end === undefined ? "The task has not ended yet." : "The task was refunded already.";
        throw new HttpError(409, "task_not_refundable", why);
      }
      markRefunded(connection, taskId, { at: this.#options.clock.now(), reason, amount: ledger.refund(task.holdId) });
      return requireTask(connection, taskId);
    });
  }

  /** Resolves when every task that is due has ended. */
  settle(): Promise<void> {
    return this.#change(() => undefined);
  }

  async close(): Promise<void> {
    this.#ending.abort();
    this.#pause.abort();
    await this.#settling;
    await this.#options.state.flushed();
  }

  /** Runs a change after it has ended the tasks that have come due, in the same transaction. */
  #change<T>(work: (connection: SqlConnection, ledger: Ledger) => T): Promise<T> {
    const { state, clock } = this.#options;
    return state.change((connection) => {
      const ledger = new Ledger(connection, clock.now());
      for (const task of findDueTasks(connection, clock.now())) closeTask(connection, ledger, task, dueEnd(task));
      return work(connection, ledger);
    });
  }

  /** Runs like a change, but without the write lock if no task has come due. */
  async #read<T>(work: (connection: SqlConnection) => T): Promise<T> {
    const { state, clock } = this.#options;
    const found = await state.read((connection) => {
      const isDue = (nextDueTime(connection) ?? Infinity) <= clock.now();
      return isDue ? undefined : { value: work(connection) };
    });
    return found === undefined ? this.#change(work) : found.value;
  }

  #plannedTask({ isSeedRequested, ...order }: GatewayTaskOrder, holdId: string): GatewayTask {
    const now = this.#options.clock.now();
    const plan = planTask({ ...order, now, speed: this.#options.speed });
    const taskId = randomUUID();
    const seed = isSeedRequested ? order.seed : hashText("task", taskId, order.seed) % seedLimit;
    return { ...order, seed, taskId, holdId, createdAt: now, plan };
  }

  #earlierTask(connection: SqlConnection, order: GatewayTaskOrder): GatewayTask | undefined {
    const { account, idempotencyKey, fingerprint } = order;
    const task = idempotencyKey === undefined ? undefined : this.#taskOfKey(connection, account, idempotencyKey);
    if (task === undefined || task.fingerprint === fingerprint) return task;
    const message = "This idempotency key was used for another request.";
    throw new HttpError(409, "idempotency_key_conflict", message, { param: "idempotency_key" });
  }

  #taskOfKey(connection: SqlConnection, account: number, key: string): GatewayTask | undefined {
    const task = findTaskByKey(connection, account, key)?.task;
    return task !== undefined && task.createdAt + keyLifetime > this.#options.clock.now() ? task : undefined;
  }

  #isEnding(): boolean {
    return this.#ending.signal.aborted;
  }

  async #settleAsTimeGoes(): Promise<void> {
    const { clock } = this.#options;
    while (!this.#isEnding()) {
      this.#pause = new AbortController();
      const wait = await this.#change(nextDueTime).then(
        (due = Infinity) => Math.min(maxWait, due - clock.now()),
        // A write may fail, for example on a full disk: the holds stay open, and the next attempt settles them.
        () => retryAfterFailedWrite,
      );
      // The next task may have come due while this one was written.
      if (this.#isEnding() || wait <= 0) continue;
      await clock.delay(wait, this.#pause.signal).catch((error: unknown) => {
        if (!isAbort(error)) throw error;
      });
    }
  }
}

function requireTask(connection: SqlConnection, taskId: string, account?: number): TaskAccount {
  const found = findTaskRow(connection, taskId);
  const isOwn = found !== undefined && (account === undefined || found.task.account === account);
  if (!isOwn) {
    throw new HttpError(404, "task_not_found", `There is no task ${taskId}.`);
  }
  return found;
}

/** The error for a type that is off. A fault that simulates it uses its own status. */
export function notEnabled(typeName: string, status = 403): HttpError {
  const message = `Tasks of type ${typeName} are not enabled for this account.`;
  return new HttpError(status, "task_type_not_enabled", message, { param: "task_type" });
}

function closeTask(
  connection: SqlConnection,
  ledger: Ledger,
  { taskId, holdId, plan }: GatewayTask,
  end: TaskEnd,
): void {
  endTask(connection, taskId, end);
  if (end.state === "succeeded" && plan.outcome.state === "succeeded") ledger.settle(holdId, plan.outcome.usage);
  else ledger.release(holdId);
}
