/**
 * The table of tasks: one row a task, with the columns that queries need and the task itself as JSON. Also the marks of windows that send, and the
 * first read before the thread of the store runs.
 */
import { amountSources, type Price } from "../../domain/prices/priceList";
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  SqlConnection,
  numberIn,
  type Row,
  type Values,
  type Migration,
  readSchemaVersion,
} from "../../base/database/sqlConnection";
import { isRunning } from "../../domain/task/phase";
import { isFinal, type Task, type TaskHome, type TaskIntent, taskStates } from "../../domain/task/task";
import { asOfBackup, intentIdOf, reduceTask, type TaskRecord } from "../../domain/task/taskRecord";
import { taskSchema } from "../../domain/task/taskSchema";
import { localOrigin } from "../../domain/gateway/address";
import { type DayCap, keepWithin } from "./caps";
import { definedFields } from "../../base/definedFields";
import { isRecord, parseJson } from "../../base/jsonValue";
import { pollNoteSchema } from "./pollNotes";
import type {
  AppliedRecord,
  RecordToApply,
  StoredPage,
  StoredRows,
  StoredTask,
  SenderState,
  TaskSnapshot,
} from "./taskStore";
import { FileLock } from "../../base/database/fileLock";
import { openNative } from "../../base/database/runtime";

/**
 * `change` is the number of the write that changed the row last, over all rows. `counted_at` is the time whose day the task counts for in
 * the cap of a day, where that is not the day of `created_at`. The request of each task has a table of its own: it may hold megabytes of
 * pictures, and a row is rewritten with each step.
 */
const schema = `
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
    sender TEXT,
    counted_at INTEGER,
    state TEXT NOT NULL
  ) STRICT;
  CREATE INDEX task_change ON task (change);
  CREATE INDEX task_active ON task (number) WHERE is_removed = 0 AND (is_running = 1 OR submission <> 'accepted');
  CREATE INDEX task_counted ON task (coalesce(counted_at, created_at));
  CREATE TABLE task_body (
    id TEXT PRIMARY KEY,
    body TEXT NOT NULL
  ) STRICT;
  ${pollNoteSchema};
`;

export const taskMigrations: readonly Migration[] = [(connection) => connection.exec(schema)];

const columns = "number, revision, is_removed, sender, state";
const active = "is_removed = 0 AND (is_running = 1 OR submission <> 'accepted')";

/** Reads the tasks in the order of their numbers. */
export function readSnapshot(connection: SqlConnection, newest: number): StoredRows {
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

export function readPage(connection: SqlConnection, after: number, limit: number): StoredPage {
  const rows = connection.all(`SELECT ${columns} FROM task WHERE number > :after ORDER BY number LIMIT :limit`, {
    after,
    limit,
  });
  const last = rows.length < limit ? undefined : rows.at(-1);
  const { tasks, unreadable } = readRows(rows);
  return { tasks: withSharedHomes(tasks), unreadable, ...definedFields({ next: last && numberIn(last["number"]) }) };
}

/** Equal homes become one object. It stays one when it is copied to another thread, so that many tasks in memory hold few of them. */
function withSharedHomes(rows: readonly StoredTask[]): readonly StoredTask[] {
  const homes = new Map<string, TaskHome>();
  return rows.map((row) => {
    const { intent, submission } = row.task;
    const key = JSON.stringify(intent.home);
    const home = homes.get(key) ?? intent.home;
    homes.set(key, home);
    return { ...row, task: { intent: { ...intent, home }, submission } };
  });
}

export function readChanges(
  connection: SqlConnection,
  since: number,
  limit: number,
): StoredRows & { readonly change: number; readonly isComplete: boolean } {
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

export function readBody(connection: SqlConnection, id: string): string | undefined {
  const kept = connection.get("SELECT body FROM task_body WHERE id = :id", { id });
  return kept && String(kept["body"]);
}

/** The number of rows, and the highest number that a row has had. */
export function countTaskRows(connection: SqlConnection): { readonly tasks: number; readonly expected: number } {
  const [row] = connection.all("SELECT count(*) AS tasks, coalesce(max(number), 0) AS expected FROM task");
  return { tasks: numberIn(row?.["tasks"]), expected: numberIn(row?.["expected"]) };
}

export function readLastChange(connection: SqlConnection): number {
  return numberIn(connection.value("SELECT coalesce(max(change), 0) FROM task"));
}

/**
 * Counts the tasks that were sent since then or wait to be sent, by any window, removed ones too; without those that were refused, not sent, or only
 * watched. `ended` is the list of `endedSenders`. It uses the index of times, because the numbers of the rows do not follow the times where a task was
 * watched, recovered, or made while the clock was wrong.
 */
function countSince(connection: SqlConnection, at: number, ended: string): number {
  const counted = connection.get(
    `SELECT count(*) AS count FROM task
      WHERE coalesce(counted_at, created_at) >= :at AND ${countable} AND json_extract(state, '$.intent.isWatched') IS NULL
        AND json_extract(state, '$.intent.isRehearsal') IS NULL`,
    { at: Math.trunc(at), ended },
  );
  return numberIn(counted?.["count"]);
}

/**
 * The cost of the tasks that `countSince` counts, in a currency and by source: as the gateway has stated it, else the price of the submission. Tasks
 * that ended without a result cost nothing, as the service's document says, unless the gateway has stated a cost. Tasks of the local gateway are left
 * out: its money is play money.
 */
function sumsSince(connection: SqlConnection, at: number, currency: string, ended: string): readonly Price[] {
  const rows = connection.all(
    `SELECT source, sum(amount) AS amount FROM (
        SELECT iif(stated, 'gateway', coalesce(json_extract(state, '$.intent.price.source'), 'your-list')) AS source,
          iif(stated, json_extract(state, '$.submission.remote.cost.amount'), json_extract(state, '$.intent.price.amount')) AS amount
        FROM (
          SELECT state, coalesce(json_extract(state, '$.submission.remote.cost.currency') = :currency, 0) AS stated FROM task
          WHERE coalesce(counted_at, created_at) >= :at AND ${countable}
            AND json_extract(state, '$.intent.home.origin') IS NOT :free AND json_extract(state, '$.intent.isWatched') IS NULL
            AND json_extract(state, '$.intent.isRehearsal') IS NULL
        )
        WHERE stated OR (json_extract(state, '$.intent.price.currency') = :currency
          AND coalesce(json_extract(state, '$.submission.remote.state'), '') NOT IN (${unpaidEnds}))
      ) GROUP BY source`,
    { at: Math.trunc(at), currency, ended, free: localOrigin },
  );
  return rows.flatMap(({ source, amount }) => {
    const named = amountSources.find((one) => one === source);
    return named === undefined ? [] : [{ source: named, amount: numberIn(amount ?? 0), currency }];
  });
}

const unpaidEnds = taskStates
  .filter((state) => isFinal(state) && state !== "succeeded")
  .map((state) => `'${state}'`)
  .join(", ");

/**
 * A row stays `prepared` when its window ends, or when it is taken off the list after that: nothing sends it unless a person does, and then the cap is
 * checked for it again.
 */
const isLeftUnsent =
  "submission = 'prepared' AND (is_removed = 1 OR coalesce(sender, '') IN (SELECT value FROM json_each(:ended)))";
const countable = `submission <> 'not-accepted' AND NOT (${isLeftUnsent})`;

/** The windows that have ended and were to send tasks of the time since `at`, as JSON, which is how SQL takes a list. */
function endedSenders(connection: SqlConnection, at: number, taskFile: string): string {
  const rows = connection.all(
    `SELECT DISTINCT sender FROM task
      WHERE coalesce(counted_at, created_at) >= :at AND submission = 'prepared' AND sender IS NOT NULL`,
    { at: Math.trunc(at) },
  );
  const senders = rows.map(({ sender }) => String(sender));
  return JSON.stringify(senders.filter((sender) => senderStateOf(taskFile, sender) === "ended"));
}

/** Whether `countSince` counts the task. */
function isCounted(connection: SqlConnection, id: string, at: number, ended: string): boolean {
  const where = `id = :id AND coalesce(counted_at, created_at) >= :at AND ${countable}`;
  return connection.get(`SELECT 1 FROM task WHERE ${where}`, { id, at: Math.trunc(at), ended }) !== undefined;
}

/** The new `counted_at`: when the task began to wait, or its request began, after it was last refused. `undefined`: it stays as it is. */
function countedAt(record: TaskRecord, { submission }: Task): number | undefined {
  if (record.type === "task-waiting" && submission.state === "prepared") return Math.trunc(record.at);
  return record.type === "task-sending" && submission.state === "sending" ? Math.trunc(record.at) : undefined;
}

/** The transaction that records are written in. */
interface RecordWrite {
  /** The path of the database's file. */
  readonly taskFile: string;
  /** The number of times that this transaction has written each task, which is no other window's doing. */
  readonly written: Map<string, number>;
  /** The mark of the window that writes. */
  readonly window?: string | undefined;
}

/** Reads the row, reduces it and writes it back where it still has the revision that was read. */
export function applyRecord(
  connection: SqlConnection,
  { record, revision, hasHappened, cap }: RecordToApply,
  { taskFile, written, window }: RecordWrite,
): AppliedRecord {
  const id = intentIdOf(record);
  const row = connection.get(`SELECT ${columns} FROM task WHERE id = :id`, { id });
  const before = row && readRow(row);
  // The row was made by a later version, or is damaged: nothing of it is overwritten.
  if (row && !before) return { stored: undefined, isConflict: true };
  const own = written.get(id) ?? 0;
  if (revision !== undefined && before?.revision !== revision + own) return { stored: before, isConflict: true };
  const placed = placeRecord(before, record);
  // A task that another window left unsent is sent by this one from now on.
  const isPrepared = before?.task.submission.state === "prepared";
  const isTakenOver = record.type === "task-waiting" && isPrepared && before.sender !== window;
  if (placed === undefined || (placed === before && !isTakenOver)) {
    // In a new file, a window that lacks the request may have written the row before the one that has it.
    if (before && record.type === "task-recovered") keepBody(connection, record.task.intent);
    return { stored: before, isConflict: false };
  }
  if (cap) checkCap(connection, cap, taskFile, id);
  // A row that can't be read back is a lost task, so an error is thrown before anything is sent.
  const { success, error } = taskSchema.safeParse(placed.task);
  if (!success && !hasHappened) throw error;
  if (!success) return { stored: before, isConflict: true };
  const sender = senderAfter(record, before, window);
  const next = { ...placed, revision: (before?.revision ?? 0) + 1, ...definedFields({ sender }) };
  const change = readLastChange(connection) + 1;
  const counted = countedAt(record, placed.task) ?? null;
  const marks = { change, revision: next.revision, sender: sender ?? null, counted_at: counted };
  const { body: _, ...intent } = placed.task.intent;
  const task = { ...placed.task, intent };
  const state = JSON.stringify(row ? keepUnknown(parseJson(String(row["state"])), before?.task, task) : task);
  const values = { ...columnsOf(placed.task), is_removed: placed.isRemoved ? 1 : 0, ...marks, state };
  if (before === undefined) {
    connection.run(insert, values);
    const number = numberIn(connection.value("SELECT last_insert_rowid()"));
    keepBody(connection, placed.task.intent);
    written.set(id, own + 1);
    return { stored: { ...next, task, number }, isConflict: false };
  }
  if (!connection.changeRow(update, { ...values, before: before.revision }))
    return { stored: before, isConflict: true };
  keepBody(connection, placed.task.intent);
  written.set(id, own + 1);
  return { stored: { ...next, task, number: before.number }, isConflict: false };
}

/**
 * Throws an `AppFailure` of kind `capped` where the tasks that are still to be written exceed the cap. `id`: the task that is written now, which may be
 * counted already.
 */
export function checkCap(connection: SqlConnection, cap: DayCap, taskFile: string, id?: string): void {
  const { since } = cap;
  const ended = endedSenders(connection, since, taskFile);
  if (id !== undefined && isCounted(connection, id, since, ended)) return;
  keepWithin(cap, {
    tasks: () => countSince(connection, since, ended),
    spentIn: (currency) => sumsSince(connection, since, currency, ended),
  });
}

/** Stores the body of a request once: it never changes. */
function keepBody(connection: SqlConnection, { id, body }: TaskIntent): void {
  const into = "INSERT INTO task_body (id, body) VALUES (:id, :body) ON CONFLICT DO NOTHING";
  if (body !== undefined) connection.run(into, { id, body });
}

/** Prepares a backup that is made at that time: tasks that may be sent after it get an unknown outcome. What was taken off the list can't be sent. */
export function ageRows(copy: SqlConnection, at: number): void {
  const rows = copy.all(`SELECT ${columns} FROM task WHERE is_removed = 0 AND submission <> 'accepted'`);
  for (const row of rows) {
    const read = readRow(row);
    const task = read && asOfBackup(read.task, at);
    if (!task || task === read.task) continue;
    const { number } = read;
    const submission = task.submission.state;
    const state = JSON.stringify(keepUnknown(parseJson(String(row["state"])), read.task, task));
    const set = "submission = :submission, state = :state, sender = NULL";
    copy.run(`UPDATE task SET ${set} WHERE number = :number`, { number, submission, state });
  }
}

const insert = `
  INSERT INTO task (id, revision, change, origin, account, created_at, submission, task_id, status, is_running, is_removed, sender, counted_at, state)
  VALUES (:id, :revision, :change, :origin, :account, :created_at, :submission, :task_id, :status, :is_running, :is_removed, :sender, :counted_at, :state)
`;
const update = `
  UPDATE task SET revision = :revision, change = :change, origin = :origin, account = :account, created_at = :created_at,
    submission = :submission, task_id = :task_id, status = :status, is_running = :is_running, is_removed = :is_removed,
    sender = :sender, counted_at = coalesce(:counted_at, counted_at), state = :state
  WHERE id = :id AND revision = :before
`;

/**
 * Keeps fields that only a later version reads: `after` with the fields of `raw`, the stored JSON, that are not in `before`, which was read from it.
 * What the record did not change is written back as it was; of an object whose `state` has changed no such fields are kept.
 */
function keepUnknown(raw: unknown, before: unknown, after: unknown): unknown {
  if (after === before) return raw;
  if (!isRecord(raw) || !isRecord(before) || !isRecord(after) || before["state"] !== after["state"]) return after;
  const unknown = Object.entries(raw).filter(([key]) => !(key in before));
  const known = Object.entries(after).map(([key, value]) => [key, keepUnknown(raw[key], before[key], value)] as const);
  return Object.fromEntries([...unknown, ...known]);
}

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
  };
}

function readRows(rows: readonly Row[]): StoredRows {
  const tasks: StoredTask[] = [];
  const unreadable: number[] = [];
  for (const row of rows) {
    const read = readRow(row);
    if (read) tasks.push(read);
    else if (row["is_removed"] !== 1) unreadable.push(numberIn(row["number"]));
  }
  return { tasks, unreadable };
}

function readRow(row: Row): StoredTask | undefined {
  const read = taskSchema.safeParse(parseJson(String(row["state"])));
  if (!read.success) return undefined;
  return {
    number: numberIn(row["number"]),
    revision: numberIn(row["revision"]),
    isRemoved: row["is_removed"] === 1,
    ...(typeof row["sender"] === "string" ? { sender: row["sender"] } : {}),
    task: read.data,
  };
}

/** The result of one record for one row. A request that goes on after its row was removed brings the row back (T1). */
interface PlacedTask {
  readonly task: Task;
  readonly isRemoved: boolean;
}

/** Returns the same object when the record changes nothing. */
function placeRecord(before: PlacedTask | undefined, record: TaskRecord): PlacedTask | undefined {
  if (record.type === "task-removed") {
    // No row of a running task offers to remove it, so a window that had not read the accept has written this.
    if (before === undefined || before.isRemoved || isRunning(before.task)) return before;
    return { task: before.task, isRemoved: true };
  }
  if (record.type === "task-restored") return before?.isRemoved ? { task: before.task, isRemoved: false } : before;
  const task = reduceTask(before?.task, record);
  // An accepted task stays off the list: it is still polled, its result is fetched, its money counts.
  const isHidden = before?.isRemoved === true && before.task.submission.state === "accepted";
  if (task === undefined || isSame(before?.task, task)) {
    const comesBack = before?.isRemoved && !isHidden && record.type === "task-intended";
    return comesBack ? { task: before.task, isRemoved: false } : before;
  }
  // A task that runs again is shown, because it has an open hold, and its row can cancel it. A refusal, or the end of an attempt that nothing came
  // of, is no reason to show a removed task again.
  const isOffList = isHidden
    ? !isRunning(task)
    : before?.isRemoved === true && task.submission.state === "not-accepted";
  return { task, isRemoved: isOffList };
}

/** Whether only the time of the check has moved, which is not worth a write. */
function isSame(before: Task | undefined, after: Task): boolean {
  if (before === after) return true;
  if (before?.submission.state !== "accepted" || after.submission.state !== "accepted") return false;
  const { checkedAt } = before.submission;
  return JSON.stringify(before.submission) === JSON.stringify({ ...after.submission, checkedAt });
}

// Records which window is sending a task: each that sends holds a mark, by which the others see whether it lives.

export class WindowMark {
  readonly #taskFile: string;
  readonly #id = randomUUID();
  #mark: FileLock | undefined;

  constructor(taskFile: string) {
    this.#taskFile = taskFile;
  }

  /** The name under which these records are written; `undefined` when none of them begins an attempt, or there can be no mark. */
  nameFor(records: readonly TaskRecord[]): string | undefined {
    if (!records.some(beginsAttempt)) return undefined;
    try {
      this.#mark ??= FileLock.take(markFile(this.#taskFile, this.#id));
      return this.#mark && this.#id;
    } catch {
      return undefined;
    }
  }

  release(): void {
    if (this.#mark === undefined) return;
    this.#mark.release();
    this.#mark = undefined;
    removeMark(markFile(this.#taskFile, this.#id));
  }
}

/** The window that sends the task after the record. Taking a row off the list or putting it back is no outcome of its attempt. */
function senderAfter(
  record: TaskRecord,
  before: StoredTask | undefined,
  window: string | undefined,
): string | undefined {
  if (beginsAttempt(record)) return window;
  return record.type === "task-removed" || record.type === "task-restored" ? before?.sender : undefined;
}

/** Whether the record begins an attempt: its request is about to be sent by the window that writes this. */
function beginsAttempt({ type }: TaskRecord): boolean {
  return type === "task-intended" || type === "task-waiting" || type === "task-sending";
}

export function senderStateOf(taskFile: string, sender: string | undefined): SenderState {
  if (sender === undefined) return "unmarked";
  const file = markFile(taskFile, sender);
  if (FileLock.isHeld(file)) return "live";
  removeMark(file);
  return "ended";
}

/** The rows of a snapshot, with those attempts marked that a window is making at this moment. */
export function withAttempts(taskFile: string, rows: readonly StoredTask[]): readonly StoredTask[] {
  const states = new Map<string, SenderState>();
  return rows.map((row) => {
    const { sender } = row;
    if (sender === undefined) return row;
    let state = states.get(sender);
    if (state === undefined) states.set(sender, (state = senderStateOf(taskFile, sender)));
    return state === "live" ? { ...row, isUnderWay: true } : row;
  });
}

function markFile(taskFile: string, window: string): string {
  return join(dirname(taskFile), "windows", window);
}

/** The name is never used again, so a file that can't be removed does no harm. */
function removeMark(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Another process is looking at it; on Windows it can't be removed meanwhile.
  }
}

// Reads the newest tasks on the extension host's thread while the store's own thread is still starting.

/**
 * Takes a few milliseconds and waits for no lock. `undefined` where only the store can read the file: there is none,
 * it has another version, another window is writing, a write was cut, or it is damaged.
 */
export function readTasksEarly(path: string, newest: number): TaskSnapshot | undefined {
  let connection: SqlConnection | undefined;
  try {
    connection = new SqlConnection(openNative(path, { readOnly: true }));
    connection.exec("BEGIN");
    if (readSchemaVersion(connection) !== taskMigrations.length) return undefined;
    const { tasks, unreadable } = readSnapshot(connection, newest);
    const total = countTaskRows(connection).tasks;
    return { tasks: withAttempts(path, tasks), unreadable, total, change: readLastChange(connection) };
  } catch {
    return undefined;
  } finally {
    connection?.rollback();
    connection?.close();
  }
}
