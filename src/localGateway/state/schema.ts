/** The tables of the local gateway's state: the accounts with their balances, the holds, an append-only list of entries, the tasks and their idempotency keys. */
import type { SqlConnection } from "../../base/database/sqlConnection";
import type { Migration } from "../../base/database/migrate";
import { mainAccount } from "./accountSums";

/** Times in milliseconds since 1970, money in whole minor units. A shipped step is never changed. */
export const migrations: readonly Migration[] = [
  (connection: SqlConnection): void => {
    connection.exec(`
      -- The key of the main account is in another file.
      CREATE TABLE account (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        key TEXT UNIQUE,
        -- The task types that are switched off, a JSON array.
        types_off TEXT NOT NULL DEFAULT '[]',
        deposited INTEGER NOT NULL DEFAULT 0 CHECK (deposited <= ${Number.MAX_SAFE_INTEGER}),
        available INTEGER NOT NULL DEFAULT 0 CHECK (available >= 0),
        held INTEGER NOT NULL DEFAULT 0 CHECK (held >= 0),
        spent INTEGER NOT NULL DEFAULT 0 CHECK (spent >= 0),
        open_holds INTEGER NOT NULL DEFAULT 0 CHECK (open_holds >= 0),
        CHECK ((id = ${mainAccount}) = (key IS NULL)),
        CHECK (available + held + spent = deposited)
      ) STRICT;
      INSERT INTO account (id, name) VALUES (${mainAccount}, 'main');

      CREATE TABLE hold (
        id TEXT PRIMARY KEY NOT NULL,
        amount INTEGER NOT NULL CHECK (amount >= 0),
        state TEXT NOT NULL CHECK (state IN ('open', 'closed', 'refunded')),
        cost INTEGER NOT NULL DEFAULT 0 CHECK (cost >= 0),
        account INTEGER NOT NULL DEFAULT ${mainAccount}
      ) STRICT;
      CREATE INDEX hold_open ON hold (id) WHERE state = 'open';

      CREATE TABLE entry (
        id INTEGER PRIMARY KEY,
        at REAL NOT NULL,
        type TEXT NOT NULL CHECK (type IN ('deposit', 'hold', 'settle', 'release', 'refund')),
        hold_id TEXT REFERENCES hold (id),
        amount INTEGER CHECK (amount >= 0),
        account INTEGER NOT NULL DEFAULT ${mainAccount},
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

      CREATE TABLE account_idempotency_key (
        account INTEGER NOT NULL REFERENCES account (id),
        key TEXT NOT NULL,
        task_id TEXT NOT NULL REFERENCES task (id),
        PRIMARY KEY (account, key)
      ) STRICT;
    `);
  },
];
