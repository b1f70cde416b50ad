/** Runs asynchronous work one at a time, in the order in which it was asked for. */

export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Settles as the work does; the next one runs after it in either case. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Resolves when all that was asked for has ended; never rejects. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
