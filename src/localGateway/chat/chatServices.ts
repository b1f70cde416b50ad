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
  /** How the cost of an answer and the prices of models are stated; an empty one states nothing. */
  readonly dialect: SpokenDialect;
  /** Never leave the gateway. */
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly seed: number;
  readonly pace: ChatPace;
  /** Pays for chat answers. */
  readonly charges: Charges;
  readonly prompts: PromptCache;
  readonly responses: StoredResponses;
  readonly typeNames: TaskTypeNames;
  /** Missing when the gateway was started without it. */
  readonly relay?: Relay;
}

// Simulates the prompt cache of the messages family: prefixes that were marked with `cache_control` in the last five minutes, or the last hour.

/** Tokens of a prompt. */
export interface CachedPrompt {
  readonly read: number;
  readonly write: number;
}

/** The prompt up to a `cache_control` mark. */
export interface Prefix {
  readonly text: string;
  readonly tokens: number;
  /** It is kept for an hour. */
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

// Remembers what the responses endpoint has answered lately, for clients that refer to it by id instead of sending it again. It is in memory only:
// a service forgets too.

interface StoredResponse {
  readonly account: number;
  /** Everything that the model was sent, then what it answered. */
  readonly items: readonly unknown[];
  readonly size: number;
}

/** Characters of all that is kept: conversations repeat their beginnings, but share the items. */
const maxSize = 50_000_000;
const maxResponses = 200;

export class StoredResponses {
  readonly #responses = new Map<string, StoredResponse>();
  #size = 0;

  /** `size`: bytes that came and went with this response. */
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
