/** Reads and writes the rows of tasks and idempotency keys, inside the transaction of the caller. */
import * as z from "zod/mini";
import { type SqlConnection, numberIn, type Row } from "../../base/database/sqlConnection";
import { definedFields } from "../../base/definedFields";
import {
  dueEnd,
  type GatewayTask,
  gatewayTaskSchema,
  type TaskAccount,
  type TaskEnd,
  taskEndSchema,
  type TaskRefund,
  taskRefundSchema,
} from "./gatewayTask";

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
  // A key whose lifetime is over goes to the new task.
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

/** The newest task of the account beside that one. */
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
