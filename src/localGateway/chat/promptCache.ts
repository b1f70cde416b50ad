/** Simulates the prompt cache of the messages family: prefixes that were marked with `cache_control` in the last five minutes. */
import { BoundedMap } from "../../base/boundedMap";
import type { Clock } from "../../base/clock";
import { hashText } from "../demo/seededRandom";

/** Tokens of a prompt. */
export interface CachedPrompt {
  readonly read: number;
  readonly write: number;
}

/** The prompt up to a `cache_control` mark. */
export interface Prefix {
  readonly text: string;
  readonly tokens: number;
}

const keptMs = 5 * 60_000;
const maxKept = 1_000;

export class PromptCache {
  readonly #clock: Clock;
  /** Expiry time by the hash of the prefix. */
  readonly #kept = new BoundedMap<number, number>(maxKept);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The longest known prefix counts as read, the rest up to the last mark as written. Each use renews the five minutes. */
  use(prefixes: readonly Prefix[]): CachedPrompt {
    const now = this.#clock.now();
    const hashed = prefixes.map(({ text, tokens }) => ({ hash: hashText(text), tokens }));
    const read = hashed.findLast(({ hash }) => (this.#kept.get(hash) ?? 0) > now)?.tokens ?? 0;
    for (const { hash } of hashed) this.#kept.set(hash, now + keptMs);
    return { read, write: Math.max(0, (hashed.at(-1)?.tokens ?? 0) - read) };
  }
}
