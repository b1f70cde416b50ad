/** The tables of the local gateway's state: one balance, the holds, an append-only list of entries, the tasks and their idempotency keys. */
import type { SqlConnection } from "../../base/database/sqlConnection";
import type { Migration } from "../../base/database/migrate";

/** Times in milliseconds since 1970, money in whole minor units. A shipped step is never changed. */
export const migrations: readonly Migration[] = [
  (connection: SqlConnection): void => {
    connection.exec(`
      CREATE TABLE balance (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        deposited INTEGER NOT NULL CHECK (deposited <= ${Number.MAX_SAFE_INTEGER}),
        available INTEGER NOT NULL CHECK (available >= 0),
        held INTEGER NOT NULL CHECK (held >= 0),
        spent INTEGER NOT NULL CHECK (spent >= 0),
        open_holds INTEGER NOT NULL CHECK (open_holds >= 0),
        CHECK (available + held + spent = deposited)
      ) STRICT;
      INSERT INTO balance VALUES (1, 0, 0, 0, 0, 0);

      CREATE TABLE hold (
        id TEXT PRIMARY KEY NOT NULL,
        amount INTEGER NOT NULL CHECK (amount >= 0),
        state TEXT NOT NULL CHECK (state IN ('open', 'closed', 'refunded')),
        cost INTEGER NOT NULL DEFAULT 0 CHECK (cost >= 0)
      ) STRICT;
      CREATE INDEX hold_open ON hold (id) WHERE state = 'open';

      CREATE TABLE entry (
        id INTEGER PRIMARY KEY,
        at REAL NOT NULL,
        type TEXT NOT NULL CHECK (type IN ('deposit', 'hold', 'settle', 'release', 'refund')),
        hold_id TEXT REFERENCES hold (id),
        amount INTEGER CHECK (amount >= 0),
        CHECK ((hold_id IS NULL) = (type = 'deposit')),
        CHECK ((amount IS NULL) = (type = 'release'))
      ) STRICT;

      CREATE TABLE task (
        id TEXT PRIMARY KEY NOT NULL,
        hold_id TEXT NOT NULL UNIQUE REFERENCES hold (id),
        -- When it ends by itself; NULL once it has ended.
        due_at REAL,
        task TEXT NOT NULL,
        ended TEXT,
        refund TEXT,
        CHECK ((due_at IS NULL) = (ended IS NOT NULL))
      ) STRICT;
      CREATE INDEX task_due ON task (due_at) WHERE due_at IS NOT NULL;

      CREATE TABLE idempotency_key (
        key TEXT PRIMARY KEY NOT NULL,
        task_id TEXT NOT NULL REFERENCES task (id)
      ) STRICT;
    `);
  },
];

/** After rows were lost to a damaged file: the balance follows from the holds, and the deposits cover it. */
export function rebuildBalance(connection: SqlConnection): void {
  connection.exec(`
    INSERT INTO balance (id, deposited, available, held, spent, open_holds)
    SELECT 1, max(deposits, held + spent), max(deposits, held + spent) - held - spent, held, spent, open_holds FROM (
      SELECT
        (SELECT coalesce(sum(amount), 0) FROM entry WHERE type = 'deposit') AS deposits,
        (SELECT coalesce(sum(amount), 0) FROM hold WHERE state = 'open') AS held,
        (SELECT coalesce(sum(cost), 0) FROM hold WHERE state = 'closed') AS spent,
        (SELECT count(*) FROM hold WHERE state = 'open') AS open_holds
    ) WHERE true
    ON CONFLICT (id) DO UPDATE SET deposited = excluded.deposited, available = excluded.available,
      held = excluded.held, spent = excluded.spent, open_holds = excluded.open_holds;
  `);
}
