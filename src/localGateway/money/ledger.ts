/** The money: deposits, holds, settlements, releases and refunds in whole minor units. Each is an entry and a new balance, whose sums the database checks. */
import { randomUUID } from "node:crypto";
import { type SqlConnection, numberIn } from "../../base/database/sqlConnection";
import { HttpError } from "../http/httpError";

/** Minor units. `available + held + spent === deposited`, after every entry. */
export interface Balance {
  readonly deposited: number;
  readonly available: number;
  readonly held: number;
  readonly spent: number;
}

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

export function readAccount(connection: SqlConnection): { readonly balance: Balance; readonly openHolds: number } {
  const row = connection.get("SELECT deposited, available, held, spent, open_holds FROM balance") ?? {};
  const { deposited, available, held, spent, open_holds: openHolds } = row;
  const balance = {
    deposited: numberIn(deposited),
    available: numberIn(available),
    held: numberIn(held),
    spent: numberIn(spent),
  };
  return { balance, openHolds: numberIn(openHolds) };
}

/** The entries of one transaction. */
export class Ledger {
  readonly #connection: SqlConnection;
  readonly #at: number;

  constructor(connection: SqlConnection, at: number) {
    this.#connection = connection;
    this.#at = at;
  }

  deposit(amount: number): void {
    this.#moveMoney({ deposited: amount, available: amount });
    this.#addEntry("deposit", null, amount);
  }

  /** 402 when less is available; `what` begins the message. */
  requireAvailable(amount: number, what: string): void {
    const { available } = readAccount(this.#connection).balance;
    if (available >= amount) return;
    const message = `${what} needs a hold of ${amount}, and ${available} is available.`;
    throw new HttpError(402, "insufficient_balance", message);
  }

  hold(amount: number, id = `hold_${randomUUID()}`): string {
    this.#connection.run("INSERT INTO hold (id, amount, state) VALUES (:id, :amount, 'open')", { id, amount });
    this.#moveMoney({ available: -amount, held: amount, openHolds: 1 });
    this.#addEntry("hold", id, amount);
    return id;
  }

  /** More than was held is taken from what is available, and never more than that. Returns the amount. */
  settle(id: string, usage: number): number {
    const held = this.#closeHold(id);
    const amount = Math.min(usage, held + readAccount(this.#connection).balance.available);
    this.#connection.run("UPDATE hold SET cost = :amount WHERE id = :id", { id, amount });
    this.#moveMoney({ available: held - amount, held: -held, spent: amount, openHolds: -1 });
    this.#addEntry("settle", id, amount);
    return amount;
  }

  release(id: string): void {
    const held = this.#closeHold(id);
    this.#moveMoney({ available: held, held: -held, openHolds: -1 });
    this.#addEntry("release", id, null);
  }

  /** Gives back what a closed hold cost, 0 when it was released. Returns the amount. */
  refund(id: string): number {
    const refund = "UPDATE hold SET state = 'refunded' WHERE id = :id AND state = 'closed'";
    if (!this.#connection.changeRow(refund, { id })) throw new LedgerError(`hold ${id} is not closed`);
    const amount = numberIn(this.#connection.get("SELECT cost FROM hold WHERE id = :id", { id })?.["cost"]);
    this.#moveMoney({ available: amount, spent: -amount });
    this.#addEntry("refund", id, amount);
    return amount;
  }

  /** Returns what was held. */
  #closeHold(id: string): number {
    const close = "UPDATE hold SET state = 'closed' WHERE id = :id AND state = 'open'";
    if (!this.#connection.changeRow(close, { id })) throw new LedgerError(`hold ${id} is not open`);
    return numberIn(this.#connection.get("SELECT amount FROM hold WHERE id = :id", { id })?.["amount"]);
  }

  #moveMoney({ deposited = 0, available = 0, held = 0, spent = 0, openHolds = 0 }): void {
    this.#connection.run(
      `UPDATE balance SET deposited = deposited + :deposited, available = available + :available,
        held = held + :held, spent = spent + :spent, open_holds = open_holds + :openHolds`,
      { deposited, available, held, spent, openHolds },
    );
  }

  #addEntry(type: EntryType, holdId: string | null, amount: number | null): void {
    const values = { at: this.#at, type, holdId, amount };
    this.#connection.run("INSERT INTO entry (at, type, hold_id, amount) VALUES (:at, :type, :holdId, :amount)", values);
  }
}
