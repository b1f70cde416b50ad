/**
 * The local gateway's state on disk, with its tables. Changes that arrive in one turn of the event loop share a transaction, so that many requests
 * cost one sync. Each change has its own savepoint, so one that throws does not affect the others.
 */
import { join } from "node:path";
import { systemClock } from "../../base/async/systemClock";
import { type SqlConnection, numberIn, type Migration } from "../../base/database/sqlConnection";
import { Database } from "../../base/database/database";
import { DatabaseFailure, hasKind } from "../../base/database/failure";
import type { OpenNative } from "../../base/database/runtime";
import { definedFields } from "../../base/definedFields";

/** The work of a change is synchronous and may run more than once, so it must change nothing but the database. */
type StateChange<T> = (connection: SqlConnection) => T;

interface WaitingChange {
  readonly work: StateChange<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown };

export interface StateDatabaseOptions {
  /** Called with the new path of a damaged file, which was replaced by an empty one. */
  readonly onSetAside?: (file: string) => void;
  /** Only for tests. */
  readonly openNative?: OpenNative;
}

export class StateDatabase {
  readonly #database: Database;
  #waiting: WaitingChange[] = [];
  #committing: Promise<void> | undefined;
  #balance: Balance = { deposited: 0, available: 0, held: 0, spent: 0 };
  #openHolds = 0;

  private constructor(database: Database) {
    this.#database = database;
  }

  /** Rejects with `StateUnusable`. */
  static async open(stateDir: string, { openNative, onSetAside }: StateDatabaseOptions): Promise<StateDatabase> {
    const path = join(stateDir, "state.db");
    // The system's clock is used, because a wait for a lock must end even while a test's clock stands still.
    const database = await Database.open({
      path,
      migrations,
      clock: systemClock,
      isDisposable: true,
      ...definedFields({ openNative }),
    }).catch((error: unknown) => {
      throw StateUnusable.from(stateDir, error);
    });
    const { access } = database;
    if (access.state !== "read-write") {
      await database.close();
      const reason = access.state === "newer" ? "a later version has written it." : "it can't be written.";
      throw new StateUnusable(stateDir, reason);
    }
    const tell = (replacement = database.replacement): void => {
      if (replacement !== undefined) onSetAside?.(replacement.setAside);
    };
    tell();
    database.onDidReplace((replacement) => tell(replacement));
    const state = new StateDatabase(database);
    await state.change(() => undefined);
    return state;
  }

  /** The balance of the main account after the last committed change. */
  get balance(): Balance {
    return this.#balance;
  }

  get openHolds(): number {
    return this.#openHolds;
  }

  /** Reads committed state only. Rejects with the error of `work` or with a `DatabaseFailure`. */
  read<T>(work: StateChange<T>): Promise<T> {
    return this.#database.read(work);
  }

  /** Commits all of a change or nothing; it is on the disk when this resolves. Rejects with the error of `work` or with a `DatabaseFailure`. */
  change<T>(work: StateChange<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as (value: unknown) => void, reject });
      this.#committing ??= this.#commitWaiting();
    });
  }

  /** Resolves when every change that was begun is on disk or has failed. */
  async flushed(): Promise<void> {
    while (this.#committing !== undefined) await this.#committing;
  }

  async close(): Promise<void> {
    await this.flushed();
    await this.#database.close();
  }

  async #commitWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      await new Promise((resolve) => setImmediate(resolve));
      const group = this.#waiting.splice(0);
      try {
        const { outcomes, sums } = await this.#database.write((connection) => {
          const outcomes = group.map(({ work }) => runChange(connection, work, group.length === 1));
          return { outcomes, sums: readSums(connection, mainAccount) };
        });
        this.#balance = sums.balance;
        this.#openHolds = sums.openHolds;
        for (const [index, { resolve, reject }] of group.entries()) {
          const outcome = outcomes[index];
          if (outcome?.ok === true) resolve(outcome.value);
          else reject(outcome?.error);
        }
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    // This must follow the check synchronously: a change that was added between the two would never be committed.
    this.#committing = undefined;
  }
}

/** A failure of the file ends the whole transaction; any other error undoes only this change. `isAlone`: no other change is in it. */
function runChange(connection: SqlConnection, work: StateChange<unknown>, isAlone: boolean): Outcome {
  if (isAlone) return { ok: true, value: work(connection) };
  connection.exec("SAVEPOINT change");
  try {
    const value = work(connection);
    connection.exec("RELEASE change");
    return { ok: true, value };
  } catch (error) {
    if (error instanceof DatabaseFailure && !hasKind(error, "constraint")) throw error;
    connection.exec("ROLLBACK TO change; RELEASE change");
    return { ok: false, error };
  }
}

// Defines the tables: the accounts with their balances, the holds, an append-only list of entries, the tasks and their idempotency keys.

/** The steps of the schema. Times are in milliseconds since 1970, money in whole minor units. A shipped step is never changed. */
const migrations: readonly Migration[] = [
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

/** The error of a state folder that can't be read, written or understood; its message is for a person. */
export class StateUnusable extends Error {
  override readonly name = "StateUnusable";

  constructor(stateDir: string, reason: string, cause?: unknown) {
    super(`The state folder ${stateDir} can't be used: ${reason}`, { cause });
  }

  static from(stateDir: string, error: unknown): StateUnusable {
    if (error instanceof StateUnusable) return error;
    return new StateUnusable(stateDir, error instanceof Error ? error.message : String(error), error);
  }
}

// Defines the sums of an account, which the database keeps in addition to the entries.

/** The account that every gateway has; its key is that of the gateway. */
export const mainAccount = 1;

/** Minor units. `available + held + spent === deposited`, after every entry. */
export interface Balance {
  readonly deposited: number;
  readonly available: number;
  readonly held: number;
  readonly spent: number;
}

export interface AccountSums {
  readonly balance: Balance;
  readonly openHolds: number;
}

export function readSums(connection: SqlConnection, account: number): AccountSums {
  const query = "SELECT deposited, available, held, spent, open_holds FROM account WHERE id = :account";
  const row = connection.get(query, { account }) ?? {};
  const { deposited, available, held, spent, open_holds: openHolds } = row;
  const balance = {
    deposited: numberIn(deposited),
    available: numberIn(available),
    held: numberIn(held),
    spent: numberIn(spent),
  };
  return { balance, openHolds: numberIn(openHolds) };
}
