/** Gathers keys for a while and hands them over together, for views that redraw what has changed. */
import type { Clock } from "../clock";
import type { Disposable } from "../disposable";

export interface CoalescerOptions<Key> {
  readonly clock: Clock;
  /** Milliseconds from the first key until `flush`. */
  readonly delay: number;
  readonly flush: (keys: ReadonlySet<Key>) => void;
}

export class Coalescer<Key> implements Disposable {
  readonly #options: CoalescerOptions<Key>;
  readonly #ended = new AbortController();
  #gathered = new Set<Key>();
  #isWaiting = false;

  constructor(options: CoalescerOptions<Key>) {
    this.#options = options;
  }

  add(keys: Iterable<Key>): void {
    for (const key of keys) this.#gathered.add(key);
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    const { clock, delay } = this.#options;
    clock.delay(delay, this.#ended.signal).then(
      () => this.flush(),
      () => undefined,
    );
  }

  /** At once. */
  flush(): void {
    this.#isWaiting = false;
    const keys = this.#gathered;
    if (keys.size === 0) return;
    this.#gathered = new Set();
    this.#options.flush(keys);
  }

  dispose(): void {
    this.#ended.abort();
  }
}
