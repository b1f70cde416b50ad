/** The services that the chat endpoints need, the prompt cache of the messages family, and the memory of the responses endpoint. */
import type { Clock } from "../../base/clock";
import type { Charges } from "../charges";
import type { Secrets } from "../state/identity";
import type { TaskTypeNames } from "../tasks/taskTypeNames";
import type { Relay } from "./relay";
import type { ChatPace } from "./streamAnswer";
import type { SpokenDialect } from "../demo/spokenDialects";
import { BoundedMap } from "../../base/boundedMap";
import { hashText } from "../demo/seededRandom";

export interface ChatServices {
  /** The form in which costs and prices are stated; an empty dialect states none. */
  readonly dialect: SpokenDialect;
  /** The secrets, which never leave the gateway. */
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly seed: number;
  readonly pace: ChatPace;
  /** Pays for chat answers. */
  readonly charges: Charges;
  readonly prompts: PromptCache;
  readonly responses: StoredResponses;
  readonly typeNames: TaskTypeNames;
  /** The relay to other programs; missing when the gateway was started without it. */
  readonly relay?: Relay;
}

// Simulates the prompt cache of the messages family: it has the prefixes that were marked with `cache_control` within five minutes or an hour.

/** The tokens of a prompt that were read from the cache, and written to it. */
export interface CachedPrompt {
  readonly read: number;
  readonly write: number;
}

/** The prompt up to a `cache_control` mark. */
export interface Prefix {
  readonly text: string;
  readonly tokens: number;
  /** Whether the prefix is kept for an hour. */
  readonly isLong?: boolean;
}

const keptMs = 5 * 60_000;
const longMs = 60 * 60_000;
const maxKept = 1_000;

export class PromptCache {
  readonly #clock: Clock;
  /** Expiry time by the hash of the prefix. */
  readonly #kept = new BoundedMap<number, number>(maxKept);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The longest known prefix counts as read, the rest up to the last mark as written. Each use renews the time. */
  use(prefixes: readonly Prefix[]): CachedPrompt {
    const now = this.#clock.now();
    const hashed = prefixes.map(({ text, ...prefix }) => ({ hash: hashText(text), ...prefix }));
    const read = hashed.findLast(({ hash }) => (this.#kept.get(hash) ?? 0) > now)?.tokens ?? 0;
    for (const { hash, isLong } of hashed)
      this.#kept.set(hash, Math.max(this.#kept.get(hash) ?? 0, now + (isLong === true ? longMs : keptMs)));
    return { read, write: Math.max(0, (hashed.at(-1)?.tokens ?? 0) - read) };
  }
}

// Keeps the last responses of the responses endpoint, for clients that refer to them by id instead of sending them again. They are in memory only:
// a service forgets them too.

interface StoredResponse {
  readonly account: number;
  /** All items that were sent to the model, then the items of its answer. */
  readonly items: readonly unknown[];
  readonly size: number;
}

/** Characters of all kept responses. Conversations repeat their beginnings, but share the items in memory. */
const maxSize = 50_000_000;
const maxResponses = 200;

export class StoredResponses {
  readonly #responses = new Map<string, StoredResponse>();
  #size = 0;

  /** `size`: bytes of the request and the response. */
  add(id: string, response: StoredResponse): void {
    this.#responses.set(id, response);
    this.#size += response.size;
    for (const [oldest, { size }] of this.#responses) {
      if (this.#responses.size <= maxResponses && this.#size <= maxSize) return;
      this.#responses.delete(oldest);
      this.#size -= size;
    }
  }

  of(account: number): { conversation(id: string): readonly unknown[] | undefined; item(id: string): unknown } {
    const responses = this.#responses;
    return {
      conversation(id) {
        const found = responses.get(id);
        return found?.account === account ? found.items : undefined;
      },
      item(id) {
        for (const { account: owner, items } of [...responses.values()].toReversed()) {
          const found = owner === account ? items.findLast((one) => idOf(one) === id) : undefined;
          if (found !== undefined) return found;
        }
        return undefined;
      },
    };
  }
}

function idOf(item: unknown): unknown {
  return typeof item === "object" && item !== null && "id" in item ? item.id : undefined;
}
