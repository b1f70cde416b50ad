/** Charges chat answers: a hold by estimate before, settled by the produced tokens, also when the answer is cut off. */
import type { Clock } from "../base/clock";
import { numberIn } from "../base/database/sqlConnection";
import type { StateDatabase } from "./state/stateDatabase";
import { Ledger } from "./ledger";

export interface Estimate {
  /** The account that pays. */
  readonly account: number;
  /** Tokens of the request. */
  readonly input: number;
  /** Most tokens that the answer may have; `Infinity` when the request sets no limit. */
  readonly maxOutput: number;
}

/** Counts while the answer is produced. */
export interface OutputMeter {
  /** Reasoning and arguments of tool calls count too. */
  count(tokens: number): void;
}

/** Held for an answer without a limit. */
const usualTokens = 2_000;

/** Minor units: 1 for a hundred tokens in, 4 for a hundred out, rounded up together. */
export function priceOf(input: number, output: number): number {
  return Math.ceil((input + output * 4) / 100);
}

export class Charges {
  readonly #state: StateDatabase;
  readonly #clock: Clock;

  private constructor(state: StateDatabase, clock: Clock) {
    this.#state = state;
    this.#clock = clock;
  }

  /** Settles the answers that a kill cut off by their estimate: their usage was in the memory of that process only. */
  static async open(state: StateDatabase, clock: Clock): Promise<Charges> {
    await state.change((connection) => {
      const ledger = new Ledger(connection, clock.now());
      const unfinished = `
        SELECT hold.id AS id, amount FROM hold LEFT JOIN task ON task.hold_id = hold.id
        WHERE hold.state = 'open' AND task.id IS NULL
      `;
      for (const { id, amount } of connection.all(unfinished)) ledger.settle(String(id), numberIn(amount));
    });
    return new Charges(state, clock);
  }

  /** 402 without money, and then `produce` is not called. An answer without output costs nothing. */
  async run<T>({ account, input, maxOutput }: Estimate, produce: (meter: OutputMeter) => Promise<T>): Promise<T> {
    const amount = priceOf(input, Math.min(maxOutput, usualTokens));
    const holdId = await this.#change(account, (ledger) => {
      ledger.requireAvailable(amount, "This request");
      return ledger.hold(amount);
    });
    let output = 0;
    try {
      return await produce({
        count(tokens) {
          output += tokens;
        },
      });
    } finally {
      await this.#change(account, (ledger) => {
        if (output === 0) ledger.release(holdId);
        else ledger.settle(holdId, priceOf(input, output));
      });
    }
  }

  #change<T>(account: number, work: (ledger: Ledger) => T): Promise<T> {
    return this.#state.change((connection) => work(new Ledger(connection, this.#clock.now(), account)));
  }
}
