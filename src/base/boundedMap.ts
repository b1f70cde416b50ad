/** A map with a maximum size: the entry that was set longest ago is evicted first. */

export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #maxSize: number;

  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  has(key: Key): boolean {
    return this.#entries.has(key);
  }

  /** An existing entry becomes the newest. */
  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    const oldest = this.#entries.keys().next();
    if (this.#entries.size > this.#maxSize && oldest.done !== true) this.#entries.delete(oldest.value);
  }

  /** Changes the value of an entry that exists, which keeps its place in the order. */
  change(key: Key, change: (value: Value) => Value): void {
    const value = this.#entries.get(key);
    if (value !== undefined) this.#entries.set(key, change(value));
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }

  /** Oldest first. */
  values(): readonly Value[] {
    return [...this.#entries.values()];
  }
}
