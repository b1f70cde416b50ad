/** Reads the list of entries for `GET /_local/ledger`. */
import * as z from "zod/mini";
import type { SqlConnection } from "../../base/database/sqlConnection";
import { definedFields } from "../../base/definedFields";
import type { LedgerEntry } from "./ledger";
import { mainAccount } from "../state/accountSums";

const rowSchema = z.object({
  at: z.number(),
  type: z.enum(["deposit", "hold", "settle", "release", "refund"]),
  holdId: z.nullable(z.string()),
  amount: z.nullable(z.int()),
  taskId: z.nullable(z.string()),
});

const query = `
  SELECT at, type, entry.hold_id AS holdId, amount, task.id AS taskId
  FROM entry LEFT JOIN task ON task.hold_id = entry.hold_id
  WHERE entry.account = :account
  ORDER BY entry.id DESC LIMIT :maxEntries
`;

/** Oldest first; the last `maxEntries` of them, or all. */
export function readEntries(connection: SqlConnection, account = mainAccount, maxEntries = -1): readonly LedgerEntry[] {
  const rows = connection.all(query, { account, maxEntries }).toReversed();
  return rows.map((row) => {
    const { at, type, holdId, amount, taskId } = rowSchema.parse(row);
    const fields = { holdId: holdId ?? undefined, amount: amount ?? undefined, taskId: taskId ?? undefined };
    return { at, type, ...definedFields(fields) };
  });
}
