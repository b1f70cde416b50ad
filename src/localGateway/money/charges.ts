/** What an answer of the chat endpoints costs: a hold by estimate before it, settled by what was produced, also when it is cut off (service-spec 8). */
import { randomUUID } from "node:crypto";
import type { Clock } from "../../base/clock";
import type { Book } from "./book";

export interface Estimate {
  /** Tokens of the request. */
  readonly input: number;
  /** Tokens that the answer may have at most; `Infinity` when nobody set a limit. */
  readonly most: number;
}

/** Counts while the answer is made. */
export interface OutputMeter {
  /** One more token of the answer, thinking and arguments of calls among them, has gone out. */
  count(tokens: number): void;
}

/** Held for an answer without a limit. */
const usualTokens = 2_000;

/** Minor units: 1 for a hundred tokens in, 4 for a hundred out, rounded up together. */
export function priceOf(input: number, output: number): number {
  return Math.ceil((input + output * 4) / 100);
}

export class Charges {
  readonly #book: Book;
  readonly #clock: Clock;

  private constructor(book: Book, clock: Clock) {
    this.#book = book;
    this.#clock = clock;
  }

  /** Answers that a kill cut off are settled by their estimate: what they really used is not known any more. */
  static async open(book: Book, clock: Clock): Promise<Charges> {
    const charges = new Charges(book, clock);
    const open = new Map<string, number>();
    for (const { type, entry } of book.records) {
      if (type === "charge-opened" && entry.type === "hold") open.set(entry.holdId, entry.amount);
      if (type === "charge-closed" && "holdId" in entry) open.delete(entry.holdId);
    }
    for (const [holdId, amount] of open) await charges.#close(holdId, amount);
    return charges;
  }

  /**
   * Holds, lets the answer be made, settles. 402 without money, and then nothing is made. An answer of which nothing was
   * produced costs nothing.
   */
  async run<T>({ input, most }: Estimate, answer: (meter: OutputMeter) => Promise<T>): Promise<T> {
    const holdId = await this.#hold(priceOf(input, Math.min(most, usualTokens)));
    let output = 0;
    try {
      return await answer({
        count(tokens) {
          output += tokens;
        },
      });
    } finally {
      await this.#close(holdId, output === 0 ? 0 : priceOf(input, output));
    }
  }

  #hold(amount: number): Promise<string> {
    return this.#book.exclusive(async () => {
      this.#book.requireAvailable(amount, "This request");
      const holdId = `hold_${randomUUID()}`;
      const entry = { type: "hold", holdId, amount } as const;
      await this.#book.write({ type: "charge-opened", at: this.#clock.now(), entry });
      return holdId;
    });
  }

  #close(holdId: string, cost: number): Promise<void> {
    return this.#book.exclusive(async () => {
      const amount = this.#book.payable(holdId, cost);
      const entry =
        amount === 0 ? ({ type: "release", holdId } as const) : ({ type: "settle", holdId, amount } as const);
      await this.#book.write({ type: "charge-closed", at: this.#clock.now(), entry });
    });
  }
}
