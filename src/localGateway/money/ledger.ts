/** The money: deposits, holds, settlements, releases, in whole minor units, with sums that always agree (service-spec 1.4, 8). */
import * as z from "zod/mini";

const amount = z.int().check(z.nonnegative());

export const ledgerEntrySchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("deposit"), amount }),
  z.object({ type: z.literal("hold"), holdId: z.string(), amount }),
  /** `amount` is what the use really cost: less or more than the hold. */
  z.object({ type: z.literal("settle"), holdId: z.string(), amount }),
  z.object({ type: z.literal("release"), holdId: z.string() }),
  /** Gives back all that a closed hold cost; `amount` is 0 when it was released. */
  z.object({ type: z.literal("refund"), holdId: z.string(), amount }),
]);

export type LedgerEntry = z.infer<typeof ledgerEntrySchema>;

/** Minor units. `available + held + spent === deposited`, after every entry. */
export interface Balance {
  readonly deposited: number;
  readonly available: number;
  readonly held: number;
  readonly spent: number;
}

/** An entry that would make the sums wrong. It is never written. */
export class LedgerError extends Error {
  override readonly name = "LedgerError";
}

export class Ledger {
  readonly #open = new Map<string, number>();
  /** What each closed hold cost. */
  readonly #closed = new Map<string, number>();
  readonly #refunded = new Set<string>();
  #balance: Balance = { deposited: 0, available: 0, held: 0, spent: 0 };

  get balance(): Balance {
    return this.#balance;
  }

  /** What is held under this id, while it is open. */
  held(holdId: string): number | undefined {
    return this.#open.get(holdId);
  }

  /** What a closed hold cost, 0 when it was released. */
  cost(holdId: string): number | undefined {
    return this.#closed.get(holdId);
  }

  get openHolds(): number {
    return this.#open.size;
  }

  /** The sums after the entry; throws a `LedgerError` for one that can't be, and changes nothing. */
  after(entry: LedgerEntry): Balance {
    const { deposited, available, held, spent } = this.#balance;
    switch (entry.type) {
      case "deposit":
        return sound({ deposited: deposited + entry.amount, available: available + entry.amount, held, spent });
      case "hold":
        if (this.#open.has(entry.holdId) || this.#closed.has(entry.holdId)) {
          throw new LedgerError(`hold ${entry.holdId} exists already`);
        }
        return sound({ deposited, available: available - entry.amount, held: held + entry.amount, spent });
      case "settle": {
        const hold = this.#openHold(entry.holdId);
        const back = hold - entry.amount;
        return sound({ deposited, available: available + back, held: held - hold, spent: spent + entry.amount });
      }
      case "release": {
        const hold = this.#openHold(entry.holdId);
        return sound({ deposited, available: available + hold, held: held - hold, spent });
      }
      case "refund": {
        if (this.#closed.get(entry.holdId) !== entry.amount || this.#refunded.has(entry.holdId)) {
          throw new LedgerError(`hold ${entry.holdId} did not cost ${entry.amount}, or was refunded already`);
        }
        return sound({ deposited, available: available + entry.amount, held, spent: spent - entry.amount });
      }
    }
  }

  apply(entry: LedgerEntry): void {
    this.#balance = this.after(entry);
    if (entry.type === "hold") this.#open.set(entry.holdId, entry.amount);
    if (entry.type === "settle" || entry.type === "release") {
      this.#open.delete(entry.holdId);
      this.#closed.set(entry.holdId, entry.type === "settle" ? entry.amount : 0);
    }
    if (entry.type === "refund") this.#refunded.add(entry.holdId);
  }

  #openHold(holdId: string): number {
    const hold = this.#open.get(holdId);
    if (hold === undefined) throw new LedgerError(`hold ${holdId} is not open`);
    return hold;
  }
}

function sound(balance: Balance): Balance {
  const { deposited, available, held, spent } = balance;
  for (const sum of [deposited, available, held, spent]) {
    if (!Number.isSafeInteger(sum) || sum < 0) throw new LedgerError(`a sum would become ${sum}`);
  }
  if (available + held + spent !== deposited) {
    throw new LedgerError(`${available} + ${held} + ${spent} is not ${deposited}`);
  }
  return balance;
}
