/** The journal and the sums that it makes: one change at a time, and each is on disk before anybody hears of it. */
import type { Clock } from "../../base/clock";
import { HttpError } from "../http/httpError";
import type { Journal, JournalRecord } from "../state/journal";
import { Ledger } from "./ledger";

export interface BookOptions {
  readonly journal: Journal;
  readonly clock: Clock;
  /** Minor units, put in when the journal is empty. */
  readonly deposit: number;
}

export class Book {
  readonly ledger = new Ledger();
  readonly #journal: Journal;
  /** Looking, deciding and writing belong together. */
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(journal: Journal) {
    this.#journal = journal;
  }

  static async open({ journal, clock, deposit }: BookOptions): Promise<Book> {
    const book = new Book(journal);
    for (const { entry } of journal.records) book.ledger.apply(entry);
    if (journal.records.length === 0) {
      await book.write({ type: "deposited", at: clock.now(), entry: { type: "deposit", amount: deposit } });
    }
    return book;
  }

  /** Oldest first. */
  get records(): readonly JournalRecord[] {
    return this.#journal.records;
  }

  /** Runs the change when all earlier ones are through. */
  exclusive<T>(change: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(change);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  /** Only inside a change. Throws a `LedgerError`, and writes nothing, for an entry that would make the sums wrong. */
  async write(record: JournalRecord): Promise<void> {
    this.ledger.after(record.entry);
    await this.#journal.append(record);
    this.ledger.apply(record.entry);
  }

  /** 402 when there is less. */
  requireAvailable(amount: number, what: string): void {
    const { available } = this.ledger.balance;
    if (available >= amount) return;
    const message = `${what} needs a hold of ${amount}, and ${available} is available.`;
    throw new HttpError(402, "insufficient_balance", message);
  }

  /** More than was held is taken from what is there, never from what is not. */
  payable(holdId: string, amount: number): number {
    return Math.min(amount, (this.ledger.held(holdId) ?? 0) + this.ledger.balance.available);
  }

  /** Resolves when every change that was begun is on disk. */
  async flushed(): Promise<void> {
    for (let turn; turn !== this.#turn;) {
      turn = this.#turn;
      await turn;
    }
  }
}
