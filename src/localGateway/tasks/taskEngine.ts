/** Makes tasks, lets time run over them and settles them: every change is on disk before anybody hears of it. */
import { randomUUID } from "node:crypto";
import { isAbort } from "../../base/abort";
import type { Clock } from "../../base/clock";
import type { Book } from "../money/book";
import { HttpError } from "../http/httpError";
import type { JournalRecord } from "../state/journal";
import type { LedgerEntry } from "../money/ledger";
import { dueEnd, type StoredTask, type TaskAccount, type TaskEnd } from "./storedTask";
import { planTask, taskKinds, type TaskTypeWord } from "./taskPlan";

export interface TaskOrder {
  readonly type: TaskTypeWord;
  readonly model: string;
  readonly prompt: string;
  readonly seed: number;
  readonly requestId: string;
  readonly idempotencyKey?: string;
  readonly fingerprint: string;
  /** Stands for the input assets: others make another picture. */
  readonly inputs?: number;
}

export interface TaskEngineOptions {
  readonly book: Book;
  readonly clock: Clock;
  readonly speed: number;
}

const keyLifetime = 24 * 3_600_000;
/** Timers can't wait for longer than 24 days; a look now and then costs nothing. */
const longestWait = 3_600_000;
const retryAfterFailedWrite = 1_000;

export class TaskEngine {
  readonly #accounts = new Map<string, TaskAccount>();
  readonly #running = new Map<string, { readonly task: StoredTask; readonly due: TaskEnd }>();
  readonly #taskByKey = new Map<string, string>();
  readonly #options: TaskEngineOptions;
  readonly #ending = new AbortController();
  #nudge = new AbortController();
  #settling: Promise<void> = Promise.resolve();

  private constructor(options: TaskEngineOptions) {
    this.#options = options;
  }

  /** Replays the journal; tasks that were running go on, and what came due meanwhile ends at its own time. */
  static open(options: TaskEngineOptions): TaskEngine {
    const engine = new TaskEngine(options);
    for (const record of options.book.records) engine.#apply(record);
    engine.#settling = engine.#settleAsTimeGoes();
    return engine;
  }

  /** The same key and fingerprint within 24 h give the first task again; 409 for another request, 402 without money. */
  create(order: TaskOrder): Promise<{ readonly task: StoredTask; readonly replayed: boolean }> {
    return this.#exclusive(async () => {
      await this.#settleDue();
      const earlier = this.#earlierTask(order);
      if (earlier !== undefined) return { task: earlier, replayed: true };
      const task = this.#planned(order);
      const { estimate } = taskKinds[order.type];
      this.#options.book.requireAvailable(estimate, "This task");
      const entry = { type: "hold", holdId: task.holdId, amount: estimate } as const;
      await this.#write({ type: "task-created", at: task.createdAt, entry, task });
      this.#nudge.abort();
      return { task, replayed: false };
    });
  }

  /** Whether a task was made under this key within its life. */
  knowsKey(idempotencyKey: string): boolean {
    const taskId = this.#taskByKey.get(idempotencyKey);
    return taskId !== undefined && this.#isFresh(this.#account(taskId).task);
  }

  /** The task that was first made under this key; 404 when there is none. */
  firstOfKey(idempotencyKey: string): { readonly task: StoredTask; readonly replayed: boolean } {
    return { task: this.#account(this.#taskByKey.get(idempotencyKey) ?? "").task, replayed: true };
  }

  /** 404 when there is none. */
  get(taskId: string): Promise<TaskAccount> {
    return this.#exclusive(async () => {
      await this.#settleDue();
      return this.#account(taskId);
    });
  }

  /** 409 when it has ended: nothing changes then. */
  cancel(taskId: string, reason: string): Promise<TaskAccount> {
    return this.#exclusive(async () => {
      await this.#settleDue();
      const { task, end } = this.#account(taskId);
      if (end !== undefined) {
        throw new HttpError(409, "task_already_terminal", `The task has ended already: ${end.state}.`);
      }
      await this.#end(task, { state: "cancelled", at: this.#options.clock.now(), reason });
      return this.#account(taskId);
    });
  }

  /** Only by the operator, after the end of a task: 409 while it runs and when it was refunded already. */
  refund(taskId: string, reason: string): Promise<TaskAccount> {
    return this.#exclusive(async () => {
      await this.#settleDue();
      const { task, end, refund } = this.#account(taskId);
      if (end === undefined || refund !== undefined) {
        const why = end === undefined ? "The task has not ended yet." : "The task was refunded already.";
        throw new HttpError(409, "task_not_refundable", why);
      }
      const amount = this.#options.book.ledger.cost(task.holdId) ?? 0;
      const entry = { type: "refund", holdId: task.holdId, amount } as const;
      await this.#write({ type: "task-refunded", at: this.#options.clock.now(), entry, taskId, reason });
      return this.#account(taskId);
    });
  }

  get runningTasks(): number {
    return this.#running.size;
  }

  async close(): Promise<void> {
    this.#ending.abort();
    this.#nudge.abort();
    await this.#settling;
    await this.#options.book.flushed();
  }

  #account(taskId: string): TaskAccount {
    const account = this.#accounts.get(taskId);
    if (account === undefined) throw new HttpError(404, "task_not_found", `There is no task ${taskId}.`);
    return account;
  }

  #planned(order: TaskOrder): StoredTask {
    const now = this.#options.clock.now();
    return {
      ...order,
      taskId: randomUUID(),
      holdId: `hold_${randomUUID()}`,
      createdAt: now,
      plan: planTask({ ...order, now, speed: this.#options.speed }),
    };
  }

  #earlierTask(order: TaskOrder): StoredTask | undefined {
    const taskId = order.idempotencyKey === undefined ? undefined : this.#taskByKey.get(order.idempotencyKey);
    if (taskId === undefined) return undefined;
    const { task } = this.#account(taskId);
    if (!this.#isFresh(task)) return undefined;
    if (task.fingerprint === order.fingerprint) return task;
    const message = "This idempotency key was used for another request.";
    throw new HttpError(409, "idempotency_key_conflict", message, { param: "idempotency_key" });
  }

  #isFresh({ createdAt }: StoredTask): boolean {
    return createdAt + keyLifetime > this.#options.clock.now();
  }

  async #settleAsTimeGoes(): Promise<void> {
    const { clock } = this.#options;
    while (!this.#ending.signal.aborted) {
      this.#nudge = new AbortController();
      let wait = longestWait;
      try {
        await this.#exclusive(() => this.#settleDue());
        for (const { due } of this.#running.values()) wait = Math.min(wait, due.at - clock.now());
      } catch {
        // The disk refused: the hold stays open, which is safe, and the next try settles it.
        wait = retryAfterFailedWrite;
      }
      if (this.#isEnding()) return;
      // While one was being written the next may have come due.
      if (wait <= 0) continue;
      await clock.delay(wait, this.#nudge.signal).catch((error: unknown) => {
        if (!isAbort(error)) throw error;
      });
    }
  }

  #isEnding(): boolean {
    return this.#ending.signal.aborted;
  }

  async #settleDue(): Promise<void> {
    const now = this.#options.clock.now();
    const due = [...this.#running.values()].filter((running) => running.due.at <= now);
    for (const running of due.sort((a, b) => a.due.at - b.due.at)) await this.#end(running.task, running.due);
  }

  async #end(task: StoredTask, end: TaskEnd): Promise<void> {
    const entry = this.#closingEntry(task, end);
    await this.#write({ type: "task-ended", at: this.#options.clock.now(), entry, taskId: task.taskId, end });
  }

  #closingEntry({ holdId, plan }: StoredTask, end: TaskEnd): LedgerEntry {
    if (end.state !== "succeeded" || plan.outcome.state !== "succeeded") return { type: "release", holdId };
    return { type: "settle", holdId, amount: this.#options.book.payable(holdId, plan.outcome.usage) };
  }

  async #write(record: JournalRecord): Promise<void> {
    await this.#options.book.write(record);
    this.#apply(record);
  }

  #apply(record: JournalRecord): void {
    if (record.type === "task-created") {
      const { task } = record;
      this.#accounts.set(task.taskId, { task });
      this.#running.set(task.taskId, { task, due: dueEnd(task) });
      if (task.idempotencyKey !== undefined) this.#taskByKey.set(task.idempotencyKey, task.taskId);
    }
    if (record.type === "task-ended") {
      const { task } = this.#account(record.taskId);
      this.#accounts.set(record.taskId, { task, end: record.end });
      this.#running.delete(record.taskId);
    }
    if (record.type === "task-refunded" && record.entry.type === "refund") {
      const { at, reason, entry } = record;
      this.#accounts.set(record.taskId, {
        ...this.#account(record.taskId),
        refund: { at, reason, amount: entry.amount },
      });
    }
  }

  #exclusive<T>(change: () => Promise<T>): Promise<T> {
    return this.#options.book.exclusive(change);
  }
}
