/** Imports `journal.jsonl`, in which earlier versions kept tasks and money as JSON lines, into the database: once, in one transaction. */
import { readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import type { SqlConnection } from "../../base/database/sqlConnection";
import { Ledger } from "../money/ledger";
import { gatewayTaskSchema, taskEndSchema } from "./gatewayTask";
import { endTask, insertTask, markRefunded } from "./gatewayTaskRows";
import type { StateDatabase } from "../state/stateDatabase";
import { StateUnusable } from "../state/stateUnusable";

const recordSchema = z.object({
  at: z.number(),
  entry: z.object({
    type: z.enum(["deposit", "hold", "settle", "release", "refund"]),
    holdId: z._default(z.string(), ""),
    amount: z._default(z.int(), 0),
  }),
  task: z.optional(gatewayTaskSchema),
  taskId: z._default(z.string(), ""),
  end: z.optional(taskEndSchema),
  reason: z.optional(z.string()),
});
type FormerRecord = z.infer<typeof recordSchema>;

/** Rejects with `StateUnusable` for a complete line that is no record, because the sums would be wrong without it. */
export async function importFormerJournal(state: StateDatabase, stateDir: string): Promise<void> {
  const path = join(stateDir, "journal.jsonl");
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return;
  const records = text.split("\n").flatMap((line, index) => readLine(line, `line ${index + 1} of ${path}`, stateDir));
  await state.change((connection) => {
    // An earlier process was killed between the commit and the rename.
    if (connection.get("SELECT 1 FROM entry LIMIT 1") !== undefined) return;
    for (const record of records) applyRecord(connection, record);
  });
  await rename(path, `${path}.imported`);
}

/** A line that is not JSON was cut by a kill; its change was never confirmed. */
function readLine(line: string, where: string, stateDir: string): readonly FormerRecord[] {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return [];
  }
  const read = recordSchema.safeParse(value);
  if (!read.success) throw new StateUnusable(stateDir, `${where} is not one of this gateway's.`);
  return [read.data];
}

function applyRecord(connection: SqlConnection, { at, entry, task, taskId, end, reason }: FormerRecord): void {
  const ledger = new Ledger(connection, at);
  const { type, holdId, amount } = entry;
  if (type === "deposit") ledger.deposit(amount);
  if (type === "hold") ledger.hold(amount, holdId);
  if (type === "settle") ledger.settle(holdId, amount);
  if (type === "release") ledger.release(holdId);
  if (type === "refund") ledger.refund(holdId);
  if (task !== undefined) insertTask(connection, task);
  if (end !== undefined) endTask(connection, taskId, end);
  if (reason !== undefined) markRefunded(connection, taskId, { at, reason, amount });
}
