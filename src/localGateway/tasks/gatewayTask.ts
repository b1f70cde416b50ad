/** A task of the local gateway: its plan, its row in the database, and its status and events at a given time. */
import * as z from "zod/mini";
import { resultOptionsSchema } from "../demo/resultOptions";
import { subjectOf } from "../demo/drawing/subjects";
import { taskTypeWords, type TaskKind, taskKinds, type TaskTypeWord } from "../demo/taskKinds";
import { type SqlConnection, numberIn, type Row } from "../../base/database/sqlConnection";
import { definedFields } from "../../base/definedFields";
import { createRandom, hashText } from "../demo/seededRandom";
import type { Clock } from "../../base/clock";
import { Ledger } from "../ledger";
import { StateDatabase, type StateDatabaseOptions } from "../state/stateDatabase";

// Plans a task when it is created: the time of each state, the outcome and the cost.

/** Milliseconds since 1970; a state begins at its time. */
const taskPlanSchema = z.object({
  queuedAt: z.number(),
  processingAt: z.number(),
  /** Missing for a task that never completes and expires. */
  endsAt: z.optional(z.number()),
  expiresAt: z.number(),
  outcome: z.discriminatedUnion("state", [
    /** `usage`: the actual cost in minor units. */
    z.object({ state: z.literal("succeeded"), usage: z.int() }),
    z.object({ state: z.literal("failed"), errorCode: z.string(), errorMessage: z.string() }),
  ]),
});
type TaskPlan = z.infer<typeof taskPlanSchema>;

const timeToLive = 15 * 60_000;
/** Factor for the duration of a prompt with `[slow]`. */
const slowness = 8;

interface PlanRequest {
  readonly type: TaskTypeWord;
  readonly prompt: string;
  readonly seed: number;
  readonly now: number;
  /** Divides all durations. */
  readonly speed: number;
  /** Set for a rehearsal, which always succeeds soon and costs nothing. */
  readonly isRehearsal?: true;
}

/** Milliseconds that a rehearsal takes. */
const rehearsalTime = 800;

/** The same request always has the same durations. `[fail]`, `[slow]` and `[stuck]` in a prompt select these outcomes. */
export function planTask({ type, prompt, seed, now, speed, isRehearsal }: PlanRequest): TaskPlan {
  if (isRehearsal === true) {
    const at = (part: number): number => now + Math.round((rehearsalTime / speed) * part);
    const expiresAt = now + Math.round(timeToLive / speed);
    return {
      queuedAt: at(0.1),
      processingAt: at(0.3),
      endsAt: at(1),
      expiresAt,
      outcome: { state: "succeeded", usage: 0 },
    };
  }
  const { seconds, estimate }: TaskKind = taskKinds[type];
  const random = createRandom(hashText("plan", type, prompt, seed));
  const factor = (prompt.includes("[slow]") ? slowness : 1) / speed;
  const total = random.between(...seconds) * 1000 * factor;
  const after = (part: number): number => now + Math.round(total * part);
  const times = {
    queuedAt: after(random.between(0.02, 0.05)),
    processingAt: after(random.between(0.1, 0.25)),
    expiresAt: now + Math.round(timeToLive / speed),
  };
  const usage = Math.round(estimate * random.between(0.7, 1.1));
  if (prompt.includes("[fail]")) {
    const errorCode = random.pick(failureCodes);
    const errorMessage = failures[errorCode];
    return { ...times, endsAt: after(random.between(0.4, 0.9)), outcome: { state: "failed", errorCode, errorMessage } };
  }
  const outcome = { state: "succeeded", usage } as const;
  return prompt.includes("[stuck]") ? { ...times, outcome } : { ...times, endsAt: after(1), outcome };
}

const failureCodes = ["generation_failed", "content_rejected", "upstream_timeout"] as const;
const failures = {
  generation_failed: "The generator stopped before the result was complete.",
  content_rejected: "The prompt was not accepted by the content filter.",
  upstream_timeout: "The generator did not answer in time.",
} as const;

const gatewayTaskSchema = z.object({
  taskId: z.string(),
  account: z.int(),
  holdId: z.string(),
  requestId: z.string(),
  type: z.enum(taskTypeWords),
  model: z.string(),
  prompt: z.string(),
  seed: z.int(),
  idempotencyKey: z.optional(z.string()),
  /** Hash of the request body, independent of the order of its fields. A repetition under the same key has the same hash. */
  fingerprint: z.string(),
  /** Hash of the input assets. */
  inputs: z.optional(z.int()),
  /** Missing for tasks of earlier versions. */
  options: z.optional(resultOptionsSchema),
  /** Set for a placeholder, for which no money is held or taken. */
  isRehearsal: z.optional(z.literal(true)),
  createdAt: z.number(),
  plan: taskPlanSchema,
});
export type GatewayTask = z.infer<typeof gatewayTaskSchema>;

const taskEndSchema = z.discriminatedUnion("state", [
  z.object({ state: z.literal("succeeded"), at: z.number() }),
  z.object({ state: z.literal("failed"), at: z.number(), errorCode: z.string(), errorMessage: z.string() }),
  z.object({ state: z.literal("cancelled"), at: z.number(), reason: z.string() }),
  z.object({ state: z.literal("expired"), at: z.number() }),
]);
export type TaskEnd = z.infer<typeof taskEndSchema>;

/** A refund by the operator, which returns the charge, if there was one. `amount`: minor units. */
const taskRefundSchema = z.object({ at: z.number(), reason: z.string(), amount: z.int() });
type TaskRefund = z.infer<typeof taskRefundSchema>;

/** The numbers of the service's status field. */
export const statusNumbers = {
  created: 1,
  submitted: 2,
  processing: 3,
  succeeded: 4,
  failed: 5,
  cancelled: 6,
  expired: 7,
  refunded: 8,
} as const;
type TaskStatus = keyof typeof statusNumbers;

/** A task, with its end and refund once it has them. */
export interface TaskAccount {
  readonly task: GatewayTask;
  readonly end?: TaskEnd;
  readonly refund?: TaskRefund;
}

export function statusAt({ task, end, refund }: TaskAccount, now: number): TaskStatus {
  if (refund !== undefined) return "refunded";
  if (end !== undefined) return end.state;
  if (now >= task.plan.processingAt) return "processing";
  return now >= task.plan.queuedAt ? "submitted" : "created";
}

/** The state and time of its end if it is not cancelled before. */
export function dueEnd({ plan }: GatewayTask): TaskEnd {
  const { endsAt, expiresAt, outcome } = plan;
  if (endsAt === undefined || endsAt > expiresAt) return { state: "expired", at: expiresAt };
  if (outcome.state === "succeeded") return { state: "succeeded", at: endsAt };
  return { state: "failed", at: endsAt, errorCode: outcome.errorCode, errorMessage: outcome.errorMessage };
}

export interface GatewayTaskEvent {
  readonly id: string;
  /** `event_type` in the response; the status when missing. */
  readonly type?: "hold_released";
  readonly status: TaskStatus;
  readonly message: string;
  readonly at: number;
}

/** Oldest first. */
export function eventsUntil({ task, end, refund }: TaskAccount, now: number): readonly GatewayTaskEvent[] {
  const { plan, createdAt } = task;
  const begun: Omit<GatewayTaskEvent, "id">[] = [
    { status: "created", message: task.isRehearsal === true ? rehearsed : reserved, at: createdAt },
    { status: "submitted", message: "Queued for a generator.", at: plan.queuedAt },
    { status: "processing", message: workOn(task), at: plan.processingAt },
  ];
  const last = Math.min(now, end?.at ?? now);
  const seen = begun.filter(({ at }) => at <= last);
  if (end !== undefined) {
    const { state: status, at } = end;
    const isPlaceholder = task.isRehearsal === true && status === "succeeded";
    seen.push({ status, message: isPlaceholder ? "The placeholder is ready." : endMessage(end), at });
    if (status !== "succeeded")
      seen.push({ type: "hold_released", status, message: "The reserved play money is given back.", at });
  }
  if (refund !== undefined) seen.push({ status: "refunded", message: refundMessage(refund), at: refund.at });
  return seen.map((event, index) => ({ id: `evt_${task.taskId.slice(0, 8)}_${index + 1}`, ...event }));
}

const reserved = "Task created; play money is reserved for it.";
const rehearsed = "Rehearsal: a placeholder is drawn, and nothing is reserved for it.";

function workOn({ prompt }: GatewayTask): string {
  return subjectOf(prompt) === undefined
    ? "The generator has no drawing of these words: it draws hills."
    : "The generator works on it.";
}

function refundMessage({ amount, reason }: TaskRefund): string {
  const why = reason === "" ? "" : `: ${reason}`;
  return amount === 0 ? `Refunded${why}. Nothing had been charged.` : `Refunded${why}. The charge is returned.`;
}

function endMessage(end: TaskEnd): string {
  switch (end.state) {
    case "succeeded":
      return "The result is ready; the play money for the real usage is taken.";
    case "failed":
      return end.errorMessage;
    case "cancelled":
      return end.reason === "" ? "Cancelled." : `Cancelled: ${end.reason}.`;
    case "expired":
      return "The time to live ran out.";
  }
}

// Reads and writes the rows of tasks and idempotency keys, inside the transaction of the caller.

const rowSchema = z.object({
  task: z.string(),
  ended: z.nullable(z.string()),
  refund: z.nullable(z.string()),
});
const columns = "task.task, task.ended, task.refund";

export function insertTask(connection: SqlConnection, task: GatewayTask): void {
  connection.run("INSERT INTO task (id, hold_id, due_at, task) VALUES (:id, :holdId, :dueAt, :task)", {
    id: task.taskId,
    holdId: task.holdId,
    dueAt: dueEnd(task).at,
    task: JSON.stringify(task),
  });
  if (task.idempotencyKey === undefined) return;
  // A key whose lifetime is over is assigned to the new task.
  connection.run(
    `INSERT INTO account_idempotency_key (account, key, task_id) VALUES (:account, :key, :taskId)
     ON CONFLICT (account, key) DO UPDATE SET task_id = excluded.task_id`,
    { account: task.account, key: task.idempotencyKey, taskId: task.taskId },
  );
}

export function findTaskRow(connection: SqlConnection, taskId: string): TaskAccount | undefined {
  const row = connection.get(`SELECT ${columns} FROM task WHERE id = :taskId`, { taskId });
  return row && readRow(row);
}

export function findTaskByKey(connection: SqlConnection, account: number, key: string): TaskAccount | undefined {
  const row = connection.get(
    `SELECT ${columns} FROM account_idempotency_key JOIN task ON task.id = task_id
     WHERE account = :account AND key = :key`,
    { account, key },
  );
  return row && readRow(row);
}

/** The newest other task of the account. */
export function findOtherTask(connection: SqlConnection, account: number, taskId: string): TaskAccount | undefined {
  const row = connection.get(
    `SELECT ${columns} FROM account_idempotency_key JOIN task ON task.id = task_id
     WHERE account = :account AND task_id <> :taskId ORDER BY task.rowid DESC LIMIT 1`,
    { account, taskId },
  );
  return row && readRow(row);
}

/** Oldest due time first. */
export function findDueTasks(connection: SqlConnection, now: number): readonly GatewayTask[] {
  const query = `SELECT ${columns} FROM task WHERE due_at <= :now ORDER BY due_at`;
  return connection.all(query, { now }).map((row) => readRow(row).task);
}

/** `undefined` when no task is running. */
export function nextDueTime(connection: SqlConnection): number | undefined {
  const row = connection.get("SELECT due_at FROM task WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1");
  return row && numberIn(row["due_at"]);
}

/** False when the task has ended already. */
export function endTask(connection: SqlConnection, id: string, end: TaskEnd): boolean {
  const update = "UPDATE task SET due_at = NULL, ended = :ended WHERE id = :id AND ended IS NULL";
  return connection.changeRow(update, { id, ended: JSON.stringify(end) });
}

/** False when the task has not ended or was refunded already. */
export function markRefunded(connection: SqlConnection, id: string, refund: TaskRefund): boolean {
  const update = "UPDATE task SET refund = :refund WHERE id = :id AND ended IS NOT NULL AND refund IS NULL";
  return connection.changeRow(update, { id, refund: JSON.stringify(refund) });
}

function readRow(row: Row): TaskAccount {
  const { task, ended, refund } = rowSchema.parse(row);
  return {
    task: gatewayTaskSchema.parse(JSON.parse(task)),
    ...definedFields({
      end: ended === null ? undefined : taskEndSchema.parse(JSON.parse(ended)),
      refund: refund === null ? undefined : taskRefundSchema.parse(JSON.parse(refund)),
    }),
  };
}

// Opens the database of a state folder, and makes the first deposit.

interface OpenStateOptions extends StateDatabaseOptions {
  readonly stateDir: string;
  readonly clock: Clock;
  /** Minor units, paid in when the ledger has no entry. */
  readonly deposit: number;
}

/** Rejects with `StateUnusable`. */
export async function openState({ stateDir, clock, deposit, ...options }: OpenStateOptions): Promise<StateDatabase> {
  const state = await StateDatabase.open(stateDir, options);
  try {
    await state.change((connection) => {
      if (connection.get("SELECT 1 FROM entry LIMIT 1") !== undefined) return;
      new Ledger(connection, clock.now()).deposit(deposit);
    });
    return state;
  } catch (error) {
    await state.close();
    throw error;
  }
}
