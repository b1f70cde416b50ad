/**
 * The clock of a fake window. Time passes while a test waits and nothing happens: the shortest of the waiting pauses ends then, at once.
 * A delay that is longer than `longestPause` is a limit for work that takes real time: it ends after that time, or when a test moves the clock.
 */
import { abortReason } from "../../../src/base/async/abort";
import type { MonotonicClock } from "../../../src/base/clock";

interface Delay {
  readonly due: number;
  readonly isPause: boolean;
  readonly release: () => void;
}

/** Milliseconds. Polling, pauses before a paid step and redrawing are shorter. */
const usualLongestPause = 6000;

export class WaitingClock implements MonotonicClock {
  readonly #started = performance.now();
  readonly #wall: number;
  readonly #longestPause: number;
  readonly #delays = new Set<Delay>();
  #skipped = 0;

  /** `longestPause`: milliseconds; less where a test needs a shorter limit to take its time. */
  constructor(wall: number = Date.now(), { longestPause = usualLongestPause } = {}) {
    this.#wall = wall;
    this.#longestPause = longestPause;
  }

  now(): number {
    return Math.round(this.#wall + this.monotonic());
  }

  monotonic(): number {
    return performance.now() - this.#started + this.#skipped;
  }

  delay(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(abortReason(signal));
        return;
      }
      const end = (): void => {
        clearTimeout(timer);
        this.#delays.delete(delay);
        signal?.removeEventListener("abort", onAbort);
      };
      const onAbort = (): void => {
        end();
        reject(abortReason(signal));
      };
      const release = (): void => {
        end();
        resolve();
      };
      const delay = { due: this.monotonic() + ms, isPause: ms <= this.#longestPause, release };
      const timer = setTimeout(release, Math.min(ms, 2 ** 31 - 1));
      this.#delays.add(delay);
      signal?.addEventListener("abort", onAbort, { once: true });
    });
  }

  /** Ends the pause that would end first. False when none waits. */
  skipPause(): boolean {
    const next = this.#next((delay) => delay.isPause);
    if (next) this.#end(next);
    return next !== undefined;
  }

  /** Lets time pass, for limits too. What each delay sets off runs before the next one ends. */
  async advance(ms: number): Promise<void> {
    const until = this.monotonic() + ms;
    for (;;) {
      const next = this.#next((delay) => delay.due <= until);
      if (!next) break;
      this.#end(next);
      await turns();
    }
    this.#skipped += Math.max(0, until - this.monotonic());
    await turns();
  }

  #next(isMeant: (delay: Delay) => boolean): Delay | undefined {
    let first: Delay | undefined;
    for (const delay of this.#delays) if (isMeant(delay) && (!first || delay.due < first.due)) first = delay;
    return first;
  }

  #end(delay: Delay): void {
    this.#skipped += Math.max(0, delay.due - this.monotonic());
    delay.release();
  }
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}
