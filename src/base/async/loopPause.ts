/** Lets a loop pause between its rounds; whoever has new work for it can end the pause early. */
import { type Clock } from "../clock";
import { isAbort } from "./abort";

export class LoopPause {
  #current: AbortController | undefined;
  #pending = false;

  /** Ends the current pause, or the next one before it begins. */
  end(): void {
    this.#pending = true;
    this.#current?.abort();
  }

  /** Resolves after `ms`, or when `end` is called, and after an hour at the latest, also for `Infinity`. Rejects when `signal` aborts. */
  async wait(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (!this.#pending) {
      this.#current = new AbortController();
      try {
        // setTimeout takes at most 31 bits, so a longer pause is cut to an hour. A needless round of the loop every hour costs nothing.
        await clock.delay(Math.min(ms, 3_600_000), AbortSignal.any([this.#current.signal, signal]));
      } catch (error) {
        if (signal.aborted || !isAbort(error)) throw error;
      } finally {
        this.#current = undefined;
      }
    }
    this.#pending = false;
  }
}
