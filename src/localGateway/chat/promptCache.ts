/** Prefixes of prompts that were sent lately and marked for keeping: what the messages family reports as read from a cache. */
import { BoundedMap } from "../../base/boundedMap";
import type { Clock } from "../../base/clock";
import { hashText } from "../demo/seededRandom";

/** Tokens of a prompt. */
export interface CachedPrompt {
  readonly read: number;
  readonly write: number;
}

/** Everything up to a mark: what it is, and how long. */
export interface Prefix {
  readonly text: string;
  readonly tokens: number;
}

const keptMs = 5 * 60_000;
const mostKept = 1_000;

export class PromptCache {
  readonly #clock: Clock;
  /** By the prefix's hash: until when. */
  readonly #kept = new BoundedMap<number, number>(mostKept);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The longest marked prefix that is known is read, the rest up to the last mark is written. Each use keeps it for five minutes more. */
  use(prefixes: readonly Prefix[]): CachedPrompt {
    const now = this.#clock.now();
    const hashed = prefixes.map(({ text, tokens }) => ({ hash: hashText(text), tokens }));
    const read = hashed.findLast(({ hash }) => (this.#kept.get(hash) ?? 0) > now)?.tokens ?? 0;
    for (const { hash } of hashed) this.#kept.set(hash, now + keptMs);
    return { read, write: Math.max(0, (hashed.at(-1)?.tokens ?? 0) - read) };
  }
}
