/** A map that forgets: of more than so many entries those go first that were set longest ago. */

export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
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

  /** Also an entry that was there already becomes the newest. */
  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    const oldest = this.#entries.keys().next();
    if (this.#entries.size > this.#most && oldest.done !== true) this.#entries.delete(oldest.value);
  }

  /** In place: it does not become the newest. */
  change(key: Key, change: (value: Value) => Value): void {
    const value = this.#entries.get(key);
    if (value !== undefined) this.#entries.set(key, change(value));
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }

  /** The oldest first. */
  values(): readonly Value[] {
    return [...this.#entries.values()];
  }
}
