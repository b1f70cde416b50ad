/** Long work in slices: between two of them the event loop runs, so that an abort and all other work go on. */
export class TimeSlices {
  readonly #signal: AbortSignal;
  readonly #milliseconds: number;
  #end: number;

  constructor(signal: AbortSignal, milliseconds = 10) {
    this.#signal = signal;
    this.#milliseconds = milliseconds;
    this.#end = performance.now() + milliseconds;
  }

  /** Then `next` is due. Cheap enough for every few hundred steps of a loop. */
  get isSpent(): boolean {
    return performance.now() >= this.#end;
  }

  /** Waits for a macrotask: microtasks would keep timers and input waiting. Rejects with the signal's reason. */
  async next(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#signal.throwIfAborted();
    this.#end = performance.now() + this.#milliseconds;
  }
}
