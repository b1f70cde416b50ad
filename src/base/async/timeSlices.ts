/** Splits long synchronous work into time slices: the event loop runs between them, so that aborts and other work are handled. */
export class TimeSlices {
  readonly #signal: AbortSignal | undefined;
  readonly #milliseconds: number;
  #end: number;

  constructor(signal?: AbortSignal, milliseconds = 10) {
    this.#signal = signal;
    this.#milliseconds = milliseconds;
    this.#end = performance.now() + milliseconds;
  }

  /** Whether the slice is over, so that `next` should be awaited. A loop can afford to ask every few hundred steps. */
  get isSpent(): boolean {
    return performance.now() >= this.#end;
  }

  /** Waits for a macrotask: microtasks would block timers and input. Rejects with the signal's reason. */
  async next(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#signal?.throwIfAborted();
    this.#end = performance.now() + this.#milliseconds;
  }
}
