/** Results that were too long to be given at once, kept in memory so that a model can read the rest of them (A6). */
import { randomUUID } from "node:crypto";

export interface KeptResult {
  /** What gave it, as shown to the person. */
  readonly name: string;
  readonly text: string;
  /** As `CallFacts.untrusted`. */
  readonly untrusted?: string;
}

/** Of all results together, in characters. The oldest give way. */
const capacity = 32 * 1024 * 1024;
/** The longest that is kept whole. */
export const keptLength = 8 * 1024 * 1024;

export class KeptResults {
  readonly #kept = new Map<string, KeptResult>();
  #length = 0;

  /** Returns its id. */
  keep(result: KeptResult): string {
    const id = randomUUID().slice(0, 8);
    this.#kept.set(id, result);
    this.#length += result.text.length;
    for (const [oldest, { text }] of this.#kept) {
      if (this.#length <= capacity || oldest === id) break;
      this.#kept.delete(oldest);
      this.#length -= text.length;
    }
    return id;
  }

  get(id: string): KeptResult | undefined {
    return this.#kept.get(id);
  }
}
