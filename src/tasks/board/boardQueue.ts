/** What the board asks of its store, one after the other: a record never overtakes one that happened before it. */
import { SerialQueue } from "../../base/async/serialQueue";
import { AppFailure } from "../../domain/errors/appError";

/**
 * A window that was stopped inside its write holds the file for everybody. The store waits for it within a limit; what was asked meanwhile has
 * waited for the same, and fails with it instead of waiting the limit once more, each behind the other. What is asked later waits for the store again.
 */
export class BoardQueue {
  readonly #queue = new SerialQueue();
  #asked = 0;
  /** The last busy failure, and what had been asked by then. */
  #busy: { readonly failure: AppFailure; readonly upTo: number } | undefined;

  /** Settles as the work does. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const number = (this.#asked += 1);
    return this.#queue.run(async () => {
      if (this.#busy && number <= this.#busy.upTo) throw this.#busy.failure;
      try {
        return await work();
      } catch (failure) {
        if (isBusy(failure)) this.#busy = { failure, upTo: this.#asked };
        throw failure;
      }
    });
  }

  /** Resolves when all that was asked for has ended; never rejects. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }
}

function isBusy(failure: unknown): failure is AppFailure {
  return failure instanceof AppFailure && failure.error.kind === "storage" && failure.error.code === "busy";
}
