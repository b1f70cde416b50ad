/** Gathers keys for views in which a redraw disturbs: the first change of a key is handed over soon, and further ones at a pace. */
import type { Disposable } from "../disposable";
import type { MonotonicClock } from "../clock";

export interface PacedChangesOptions<Key> {
  readonly clock: Pick<MonotonicClock, "delay" | "monotonic">;
  /** Milliseconds for which changes are gathered. */
  readonly delay: number;
  /** The fewest milliseconds between two redraws of a key. */
  readonly pace: number;
  /** Returns the keys that it has redrawn; the others looked the same. */
  readonly flush: (keys: ReadonlySet<Key>) => Iterable<Key>;
}

export class PacedChanges<Key> implements Disposable {
  readonly #options: PacedChangesOptions<Key>;
  /** The monotonic time at which each gathered key is handed over. */
  readonly #due = new Map<Key, number>();
  readonly #redrawn = new Map<Key, number>();
  #waiting: { readonly until: number; readonly ended: AbortController } | undefined;
  #holds = 0;

  constructor(options: PacedChangesOptions<Key>) {
    this.#options = options;
  }

  add(keys: Iterable<Key>): void {
    const { clock, delay, pace } = this.#options;
    const now = clock.monotonic();
    // A flush that is already due sooner than the delay takes these keys along.
    const until = this.#waiting?.until ?? Infinity;
    const soon = until - now < delay ? until : now + delay;
    let first = Infinity;
    for (const key of keys) {
      if (this.#due.has(key)) continue;
      const before = this.#redrawn.get(key);
      const due = before === undefined ? soon : Math.max(soon, before + pace);
      this.#due.set(key, due);
      first = Math.min(first, due);
    }
    if (first < until) this.#waitUntil(first);
  }

  /** Hands over all gathered keys at once and ignores the pace. */
  flush(): void {
    this.#flush([...this.#due.keys()]);
  }

  /** Hands over nothing until the returned object is disposed of; keys that became due meanwhile are handed over then. */
  hold(): Disposable {
    this.#holds += 1;
    let isHeld = true;
    return {
      dispose: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#holds -= 1;
        if (this.#holds === 0) this.#waitForNext();
      },
    };
  }

  dispose(): void {
    this.#due.clear();
    this.#stopWaiting();
  }

  #waitUntil(until: number): void {
    this.#stopWaiting();
    if (until === Infinity) return;
    const { clock } = this.#options;
    const ended = new AbortController();
    this.#waiting = { until, ended };
    clock.delay(Math.max(0, Math.ceil(until - clock.monotonic())), ended.signal).then(
      () => {
        this.#waiting = undefined;
        const now = clock.monotonic();
        this.#flush([...this.#due].filter(([, due]) => due <= now).map(([key]) => key));
      },
      () => undefined,
    );
  }

  #stopWaiting(): void {
    this.#waiting?.ended.abort();
    this.#waiting = undefined;
  }

  #flush(keys: readonly Key[]): void {
    if (this.#holds > 0) return;
    const { clock, flush, pace } = this.#options;
    for (const key of keys) this.#due.delete(key);
    if (keys.length > 0) {
      const now = clock.monotonic();
      for (const [key, at] of this.#redrawn) if (at + pace <= now) this.#redrawn.delete(key);
      for (const key of flush(new Set(keys))) this.#redrawn.set(key, now);
    }
    this.#waitForNext();
  }

  #waitForNext(): void {
    let first = Infinity;
    for (const due of this.#due.values()) first = Math.min(first, due);
    this.#waitUntil(first);
  }
}
