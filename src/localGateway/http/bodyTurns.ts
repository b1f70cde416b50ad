/** Large bodies are read one after the other: a body of 100 MB takes several times its size while it is parsed. */

export class BodyTurns {
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves when it is the caller's turn; the function ends it. */
  async take(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const before = this.#last;
    this.#last = promise;
    await before;
    return () => resolve(undefined);
  }
}
