/** `SerialQueue` runs asynchronous work one at a time, `Coalescer` gathers keys for a while, and `once` loads something with its first use. */
import type { Clock } from "../clock";
import type { Disposable } from "../disposable";

export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves or rejects as the work does. The next work runs after it in either case. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Resolves when all work that was queued so far has ended; never rejects. */
  async idle(): Promise<void> {
    await this.#last;
  }
}

// Gathers keys for a while and hands them over together, for views that redraw what has changed.

interface CoalescerOptions<Key> {
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

  /** Hands over the gathered keys at once. */
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

/**
 * Returns a function that calls `load` with its first use and shares the promise, for parts of the product that are imported when they are
 * needed. After a rejection the next call loads again.
 */
export function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

/** Like `once`, for a value that is made synchronously. */
export function onceNow<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
