/** Finds the ends of whole JSON values in text that arrives in chunks, without parsing it again for each chunk. */

export class JsonBalance {
  #depth = 0;
  #offset = 0;
  #inString = false;
  #escaped = false;
  #trailing = false;
  readonly #ends: number[] = [];

  /** The text so far is one or more whole objects or arrays, and nothing after them. */
  get balanced(): boolean {
    return this.#depth === 0 && this.#ends.length > 0 && !this.#trailing && !this.#inString;
  }

  /** The offset after each whole object or array of the top level. */
  get ends(): readonly number[] {
    return this.#ends;
  }

  push(text: string): void {
    for (let at = 0; at < text.length; at++, this.#offset++) {
      const code = text.charCodeAt(at);
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (code === 0x5c) this.#escaped = true;
        else if (code === 0x22) this.#inString = false;
        continue;
      }
      if (code === 0x22) this.#inString = true;
      else if (code === 0x7b || code === 0x5b) this.#depth += 1;
      else if (code === 0x7d || code === 0x5d) {
        this.#depth -= 1;
        if (this.#depth !== 0) continue;
        this.#ends.push(this.#offset + 1);
        this.#trailing = false;
        continue;
      }
      if (this.#depth === 0 && code > 0x20) this.#trailing = true;
    }
  }
}
