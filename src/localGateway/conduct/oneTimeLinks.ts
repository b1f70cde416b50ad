/** One-time links, valid for ten minutes: a browser can't send the key with a link. */
import { randomBytes } from "node:crypto";
import { BoundedMap } from "../../base/boundedMap";
import type { Clock } from "../../base/clock";

const life = 10 * 60_000;
const maxLinks = 100;

export class OneTimeLinks {
  readonly #clock: Clock;
  /** Expiry time by token. */
  readonly #open = new BoundedMap<string, number>(maxLinks);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  make(): string {
    const token = randomBytes(24).toString("base64url");
    this.#open.set(token, this.#clock.now() + life);
    return token;
  }

  isValid(token: string): boolean {
    const until = this.#open.get(token);
    return until !== undefined && this.#clock.now() < until;
  }

  /** True once, before it expires. */
  use(token: string): boolean {
    const isGood = this.isValid(token);
    this.#open.delete(token);
    return isGood;
  }
}
