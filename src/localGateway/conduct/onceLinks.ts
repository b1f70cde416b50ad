/** Links that open a page once and for ten minutes: a browser can't send the key, and should not learn it. */
import { randomBytes } from "node:crypto";
import type { Clock } from "../../base/clock";

const life = 10 * 60_000;
const most = 100;

export class OnceLinks {
  readonly #clock: Clock;
  readonly #open = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  make(): string {
    const token = randomBytes(24).toString("base64url");
    this.#open.set(token, this.#clock.now() + life);
    const oldest = this.#open.keys().next();
    if (this.#open.size > most && oldest.done !== true) this.#open.delete(oldest.value);
    return token;
  }

  /** True once, in time. */
  use(token: string): boolean {
    const until = this.#open.get(token);
    this.#open.delete(token);
    return until !== undefined && this.#clock.now() < until;
  }
}
