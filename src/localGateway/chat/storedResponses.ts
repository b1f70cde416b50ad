/** What the responses endpoint has answered lately, for clients that refer to it by id instead of sending it again. In memory: a service forgets too. */

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
