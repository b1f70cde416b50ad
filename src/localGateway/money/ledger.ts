/** The money: deposits, holds, settlements, releases and refunds in whole minor units. Each is an entry and a new balance, whose sums the database checks. */
import { randomUUID } from "node:crypto";
import { type SqlConnection, numberIn } from "../../base/database/sqlConnection";
import { HttpError } from "../http/httpError";
import { mainAccount, readSums } from "../state/accountSums";

export type EntryType = "deposit" | "hold" | "settle" | "release" | "refund";

export interface LedgerEntry {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly type: EntryType;
  readonly holdId?: string;
  /** Missing for a release. */
  readonly amount?: number;
  readonly taskId?: string;
}

/** A hold that is not open, or not closed, as the entry requires. Nothing is written. */
export class LedgerError extends Error {
  override readonly name = "LedgerError";
}

/** The entries of one transaction. What ends a hold is booked to the account of the hold. */
export class Ledger {
  readonly #connection: SqlConnection;
  readonly #at: number;
  readonly #account: number;

  /** `account`: of deposits and new holds. */
  constructor(connection: SqlConnection, at: number, account = mainAccount) {
    this.#connection = connection;
    this.#at = at;
    this.#account = account;
  }

  deposit(amount: number): void {
    this.#moveMoney(this.#account, { deposited: amount, available: amount });
    this.#addEntry(this.#account, "deposit", null, amount);
  }

  /** 402 when less is available; `what` begins the message. */
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

  /** More than was held is taken from what is available, and never more than that. Returns the amount. */
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

  /** Gives back what a closed hold cost, 0 when it was released. Returns the amount. */
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

  /** Returns what was held, and whose it was. */
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
