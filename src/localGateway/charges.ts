/** Charges chat answers: an estimate is held before, and settled by the produced tokens, even if the answer is cut off. */
import type { Clock } from "../base/clock";
import { numberIn } from "../base/database/sqlConnection";
import type { StateDatabase } from "./state/stateDatabase";
import { Ledger } from "./ledger";

export interface Estimate {
  /** The account that pays. */
  readonly account: number;
  /** Tokens of the request. */
  readonly input: number;
  /** The most tokens that the answer may have; `Infinity` when the request sets no limit. */
  readonly maxOutput: number;
}

/** Counts tokens while the answer is produced. */
export interface OutputMeter {
  /** Reasoning and arguments of tool calls count too. */
  count(tokens: number): void;
}

/** The output tokens for which money is held when the request sets a higher limit or none. */
const usualTokens = 2_000;

/** Minor units: 1 for a hundred tokens in, 4 for a hundred out, rounded up together. */
export function chatPrice(input: number, output: number): number {
  return Math.ceil((input + output * 4) / 100);
}

export class Charges {
  readonly #state: StateDatabase;
  readonly #clock: Clock;

  private constructor(state: StateDatabase, clock: Clock) {
    this.#state = state;
    this.#clock = clock;
  }

  /** Settles answers that a killed process had begun by their estimate, because their usage was only in its memory. */
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

  /** Holds money, runs `produce` and settles. 402 without enough money, and `produce` is not called. An answer without output costs nothing. */
  async run<T>({ account, input, maxOutput }: Estimate, produce: (meter: OutputMeter) => Promise<T>): Promise<T> {
    const amount = chatPrice(input, Math.min(maxOutput, usualTokens));
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
        else ledger.settle(holdId, chatPrice(input, output));
      });
    }
  }

  #change<T>(account: number, work: (ledger: Ledger) => T): Promise<T> {
    return this.#state.change((connection) => work(new Ledger(connection, this.#clock.now(), account)));
  }
}
