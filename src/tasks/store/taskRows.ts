/** The table of tasks: one row a task, with the columns that are asked for and the task itself as JSON. */
import { type SqlConnection, numberIn, type Row, type Values } from "../../base/database/sqlConnection";
import { leaseSchema } from "../../base/database/lease";
import type { Migration } from "../../base/database/migrate";
import { isRunning, type Task } from "../../domain/task";
import { intentIdOf } from "../../domain/taskRecord";
import { taskSchema } from "../../domain/taskSchema";
import { placeRecord } from "./placeRecord";
import type { AppliedRecord, RecordToApply, StoredTask } from "./taskStore";

/** `change` is the number of the write that changed the row last, over all rows. */
const firstSchema = `
  CREATE TABLE task (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    revision INTEGER NOT NULL,
    change INTEGER NOT NULL,
    origin TEXT NOT NULL,
    account TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    submission TEXT NOT NULL,
    task_id TEXT,
    status TEXT,
    is_running INTEGER NOT NULL,
    is_removed INTEGER NOT NULL,
    state TEXT NOT NULL
  ) STRICT;
  CREATE INDEX task_change ON task (change);
  CREATE INDEX task_active ON task (number) WHERE is_removed = 0 AND (is_running = 1 OR submission <> 'accepted');
  ${leaseSchema};
`;

export const taskMigrations: readonly Migration[] = [
  (connection: SqlConnection): void => {
    connection.exec(firstSchema);
  },
];

const columns = "number, revision, is_removed, state";
const active = "is_removed = 0 AND (is_running = 1 OR submission <> 'accepted')";

export interface ReadRows {
  readonly tasks: readonly StoredTask[];
  /** Rows whose JSON is none that this version knows. */
  readonly unreadable: number;
}

/** In the order of their numbers. */
export function readSnapshot(connection: SqlConnection, newest: number): ReadRows {
  const rows = new Map<number, Row>();
  for (const row of connection.all(
    `SELECT ${columns} FROM task WHERE is_removed = 0 ORDER BY number DESC LIMIT :newest`,
    { newest },
  )) {
    rows.set(numberIn(row["number"]), row);
  }
  for (const row of connection.all(`SELECT ${columns} FROM task WHERE ${active}`))
    rows.set(numberIn(row["number"]), row);
  return readRows([...rows].sort(([one], [other]) => one - other).map(([, row]) => row));
}

export function readPage(connection: SqlConnection, before: number, limit: number): ReadRows {
  const where = "number < :before AND is_removed = 0";
  return readRows(
    connection.all(`SELECT ${columns} FROM task WHERE ${where} ORDER BY number DESC LIMIT :limit`, { before, limit }),
  );
}

export function readChanges(
  connection: SqlConnection,
  since: number,
  limit: number,
): ReadRows & { readonly change: number; readonly isComplete: boolean } {
  const rows = connection.all(
    `SELECT ${columns}, change FROM task WHERE change > :since ORDER BY change LIMIT :limit`,
    { since, limit },
  );
  const last = rows.at(-1);
  return {
    ...readRows(rows),
    change: last === undefined ? since : numberIn(last["change"]),
    isComplete: rows.length < limit,
  };
}

export function readLastChange(connection: SqlConnection): number {
  return numberIn(connection.value("SELECT coalesce(max(change), 0) FROM task"));
}

/**
 * Reads the row, reduces it and writes it back where it still has the revision that was read. `written` counts what this
 * transaction has written of each task, which is no other window's doing.
 */
export function applyRecord(
  connection: SqlConnection,
  { record, revision }: RecordToApply,
  written: Map<string, number>,
): AppliedRecord {
  const id = intentIdOf(record);
  const row = connection.get(`SELECT ${columns} FROM task WHERE id = :id`, { id });
  const before = row && readRow(row);
  // Made by a later version, or damaged: nothing of it is overwritten.
  if (row && !before) return { stored: undefined, isConflict: true };
  const own = written.get(id) ?? 0;
  if (revision !== undefined && before?.revision !== revision + own) return { stored: before, isConflict: true };
  const placed = placeRecord(before, record);
  if (placed === undefined || placed === before) return { stored: before, isConflict: false };
  const next = { ...placed, revision: (before?.revision ?? 0) + 1 };
  const change = readLastChange(connection) + 1;
  // A row that can't be read back is a lost task: better no row, and an error before anything is sent.
  taskSchema.parse(placed.task);
  const values = { ...columnsOf(placed.task), is_removed: placed.isRemoved ? 1 : 0, change, revision: next.revision };
  if (before === undefined) {
    connection.run(insert, values);
    const number = numberIn(connection.value("SELECT last_insert_rowid()"));
    written.set(id, own + 1);
    return { stored: { ...next, number }, isConflict: false };
  }
  if (!connection.changeRow(update, { ...values, before: before.revision }))
    return { stored: before, isConflict: true };
  written.set(id, own + 1);
  return { stored: { ...next, number: before.number }, isConflict: false };
}

const insert = `
  INSERT INTO task (id, revision, change, origin, account, created_at, submission, task_id, status, is_running, is_removed, state)
  VALUES (:id, :revision, :change, :origin, :account, :created_at, :submission, :task_id, :status, :is_running, :is_removed, :state)
`;
const update = `
  UPDATE task SET revision = :revision, change = :change, origin = :origin, account = :account, created_at = :created_at,
    submission = :submission, task_id = :task_id, status = :status, is_running = :is_running, is_removed = :is_removed,
    state = :state
  WHERE id = :id AND revision = :before
`;

function columnsOf(task: Task): Values {
  const { intent, submission } = task;
  const accepted = submission.state === "accepted" ? submission : undefined;
  return {
    id: intent.id,
    origin: intent.home.origin,
    account: intent.home.account,
    created_at: Math.trunc(intent.createdAt),
    submission: submission.state,
    task_id: accepted?.taskId ?? null,
    status: accepted?.remote.state ?? null,
    is_running: isRunning(task) ? 1 : 0,
    state: JSON.stringify(task),
  };
}

function readRows(rows: readonly Row[]): ReadRows {
  const tasks: StoredTask[] = [];
  for (const row of rows) {
    const read = readRow(row);
    if (read) tasks.push(read);
  }
  return { tasks, unreadable: rows.length - tasks.length };
}

function readRow(row: Row): StoredTask | undefined {
  const read = taskSchema.safeParse(parseJson(row["state"]));
  if (!read.success) return undefined;
  return {
    number: numberIn(row["number"]),
    revision: numberIn(row["revision"]),
    isRemoved: row["is_removed"] === 1,
    task: read.data,
  };
}

function parseJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}
