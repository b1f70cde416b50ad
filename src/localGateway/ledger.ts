/**
 * The money and its accounts: deposits, holds, settlements, releases and refunds in whole minor units. Each movement writes an entry and a new
 * balance, whose sums the database checks.
 */
import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import { type SqlConnection, numberIn, type Row } from "../base/database/sqlConnection";
import { HttpError, invalidRequest } from "./http/httpError";
import { createKey } from "./state/identity";
import { mainAccount, readSums, type AccountSums } from "./state/stateDatabase";
import { type TaskTypeWord, taskTypeWords } from "./demo/taskKinds";
import { definedFields } from "../base/definedFields";

type EntryType = "deposit" | "hold" | "settle" | "release" | "refund";

interface LedgerEntry {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly type: EntryType;
  readonly holdId?: string;
  /** Missing for a release. */
  readonly amount?: number;
  readonly taskId?: string;
}

/** Thrown for a hold that is not open or not closed, as the entry requires; nothing is written. */
export class LedgerError extends Error {
  override readonly name = "LedgerError";
}

/** Writes the entries of one transaction. The end of a hold is booked to the account of the hold. */
export class Ledger {
  readonly #connection: SqlConnection;
  readonly #at: number;
  readonly #account: number;

  /** `account`: the account of deposits and new holds. */
  constructor(connection: SqlConnection, at: number, account = mainAccount) {
    this.#connection = connection;
    this.#at = at;
    this.#account = account;
  }

  deposit(amount: number): void {
    this.#moveMoney(this.#account, { deposited: amount, available: amount });
    this.#addEntry(this.#account, "deposit", null, amount);
  }

  /** Throws a 402 when less is available; `what` begins the message. */
  requireAvailable(amount: number, what: string): void {
    const { available } = readSums(this.#connection, this.#account).balance;
    if (available >= amount) return;
    const message = `${what} needs a hold of ${amount}, and ${available} is available.`;
    throw new HttpError(402, "insufficient_balance", message);
  }

  hold(amount: number, id = `hold_${randomUUID()}`): string {
    const account = this.#account;
    const insert = "INSERT INTO hold (id, amount, state, account) VALUES (:id, :amount, 'open', :account)";
    this.#connection.run(insert, { id, amount, account });
    this.#moveMoney(account, { available: -amount, held: amount, openHolds: 1 });
    this.#addEntry(account, "hold", id, amount);
    return id;
  }

  /** Settles a hold. An amount above the hold is taken from the available money, as far as there is some. Returns the amount. */
  settle(id: string, usage: number): number {
    const { account, amount: held } = this.#closeHold(id);
    const amount = Math.min(usage, held + readSums(this.#connection, account).balance.available);
    this.#connection.run("UPDATE hold SET cost = :amount WHERE id = :id", { id, amount });
    this.#moveMoney(account, { available: held - amount, held: -held, spent: amount, openHolds: -1 });
    this.#addEntry(account, "settle", id, amount);
    return amount;
  }

  release(id: string): void {
    const { account, amount: held } = this.#closeHold(id);
    this.#moveMoney(account, { available: held, held: -held, openHolds: -1 });
    this.#addEntry(account, "release", id, null);
  }

  /** Refunds the cost of a closed hold, which is 0 when it was released. Returns the amount. */
  refund(id: string): number {
    const refund = "UPDATE hold SET state = 'refunded' WHERE id = :id AND state = 'closed'";
    if (!this.#connection.changeRow(refund, { id })) throw new LedgerError(`hold ${id} is not closed`);
    const row = this.#connection.get("SELECT account, cost FROM hold WHERE id = :id", { id });
    const account = numberIn(row?.["account"]);
    const amount = numberIn(row?.["cost"]);
    this.#moveMoney(account, { available: amount, spent: -amount });
    this.#addEntry(account, "refund", id, amount);
    return amount;
  }

  /** Returns the amount and the account of the hold. */
  #closeHold(id: string): { readonly account: number; readonly amount: number } {
    const close = "UPDATE hold SET state = 'closed' WHERE id = :id AND state = 'open'";
    if (!this.#connection.changeRow(close, { id })) throw new LedgerError(`hold ${id} is not open`);
    const row = this.#connection.get("SELECT account, amount FROM hold WHERE id = :id", { id });
    return { account: numberIn(row?.["account"]), amount: numberIn(row?.["amount"]) };
  }

  #moveMoney(account: number, { deposited = 0, available = 0, held = 0, spent = 0, openHolds = 0 }): void {
    this.#connection.run(
      `UPDATE account SET deposited = deposited + :deposited, available = available + :available,
        held = held + :held, spent = spent + :spent, open_holds = open_holds + :openHolds WHERE id = :account`,
      { account, deposited, available, held, spent, openHolds },
    );
  }

  #addEntry(account: number, type: EntryType, holdId: string | null, amount: number | null): void {
    const values = { account, at: this.#at, type, holdId, amount };
    const insert =
      "INSERT INTO entry (account, at, type, hold_id, amount) VALUES (:account, :at, :type, :holdId, :amount)";
    this.#connection.run(insert, values);
  }
}

// An account has a key, a balance and the task types that are switched off for it. Changes run inside the caller's transaction.

export interface Account extends AccountSums {
  readonly id: number;
  readonly name: string;
  /** Missing for the main account, whose key is that of the gateway. */
  readonly key?: string;
  readonly typesOff: readonly TaskTypeWord[];
}

const maxAccounts = 20;
/** Minor units. */
const firstDeposit = 100_000;
/** Letters, digits, blanks, `_` and `-`, because the name is shown unchanged. */
export const accountName = /^[A-Za-z0-9][A-Za-z0-9 _-]{0,39}$/;
const typesSchema = z.array(z.enum(taskTypeWords));

/** All accounts in the order of their creation; the main account is the first. */
export function listAccounts(connection: SqlConnection): readonly Account[] {
  return connection.all("SELECT id, name, key, types_off FROM account ORDER BY id").map((row) => {
    const id = numberIn(row["id"]);
    const key = row["key"] === null ? {} : { key: String(row["key"]) };
    return { id, name: String(row["name"]), ...key, typesOff: typesIn(row), ...readSums(connection, id) };
  });
}

/** Throws a 409 for a name that is taken. */
function createAccount(connection: SqlConnection, name: string | undefined): Account {
  const known = listAccounts(connection);
  if (known.length >= maxAccounts) throw invalidRequest("No more accounts can be created.");
  const id = Math.max(...known.map((account) => account.id)) + 1;
  const values = { id, name: name ?? `account ${id}`, key: createKey() };
  if (known.some((account) => account.name === values.name)) {
    throw new HttpError(409, "account_exists", `There is an account ${values.name} already.`, { param: "name" });
  }
  connection.run("INSERT INTO account (id, name, key) VALUES (:id, :name, :key)", values);
  return { ...values, typesOff: [], ...readSums(connection, id) };
}

/** Creates an account with a first deposit. */
export function openAccount(connection: SqlConnection, now: number, name: string | undefined): Account {
  const account = createAccount(connection, name);
  new Ledger(connection, now, account.id).deposit(firstDeposit);
  return { ...account, ...readSums(connection, account.id) };
}

/** Applies the start options: creates wanted accounts unless they exist, and sets the types that are off for the main account. */
export function prepareAccounts(
  connection: SqlConnection,
  now: number,
  { wanted, off }: { readonly wanted: readonly string[]; readonly off?: readonly TaskTypeWord[] },
): void {
  const known = new Set(listAccounts(connection).map(({ name }) => name));
  for (const name of new Set(wanted)) if (!known.has(name)) openAccount(connection, now, name);
  if (off !== undefined) setTypesOff(connection, mainAccount, off);
}

/** Throws a 404 when there is none. */
export function findAccount(connection: SqlConnection, name: string): Account {
  const account = listAccounts(connection).find((one) => one.name === name);
  if (account === undefined) throw new HttpError(404, "account_not_found", `There is no account ${name}.`);
  return account;
}

export function switchType(
  connection: SqlConnection,
  { id, typesOff }: Account,
  type: TaskTypeWord,
  on: boolean,
): void {
  const others = typesOff.filter((one) => one !== type);
  setTypesOff(connection, id, on ? others : [...others, type]);
}

function setTypesOff(connection: SqlConnection, id: number, types: readonly TaskTypeWord[]): void {
  connection.run("UPDATE account SET types_off = :types WHERE id = :id", { id, types: JSON.stringify(types) });
}

export function isTypeOff(connection: SqlConnection, account: number, type: TaskTypeWord): boolean {
  const row = connection.get("SELECT types_off FROM account WHERE id = :account", { account });
  return row !== undefined && typesIn(row).includes(type);
}

function typesIn(row: Row): readonly TaskTypeWord[] {
  return typesSchema.parse(JSON.parse(String(row["types_off"])));
}

// Reads the list of entries for `GET /_local/ledger`.

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

/** The last `maxEntries` entries, or all, oldest first. */
export function readEntries(connection: SqlConnection, account = mainAccount, maxEntries = -1): readonly LedgerEntry[] {
  const rows = connection.all(query, { account, maxEntries }).toReversed();
  return rows.map((row) => {
    const { at, type, holdId, amount, taskId } = rowSchema.parse(row);
    const fields = { holdId: holdId ?? undefined, amount: amount ?? undefined, taskId: taskId ?? undefined };
    return { at, type, ...definedFields(fields) };
  });
}
