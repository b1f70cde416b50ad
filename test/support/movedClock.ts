/** A clock that only a test moves: delays are released in order, and what one sets off settles before the next. */
import { abortReason } from "../../src/base/async/abort";
import type { MonotonicClock } from "../../src/base/clock";

export interface MovedClock extends MonotonicClock {
  /** Moves the time on by `ms`, releasing each delay when it is due; what they set off has settled when this resolves. */
  advance(ms: number): Promise<void>;
  /** Sets the wall clock ahead, or back; no time passes. */
  setWall(by: number): void;
  /** Lets time pass that no timer counts, as while a machine sleeps. */
  sleep(ms: number): void;
  /** How many delays are waiting. */
  readonly waiting: number;
}

interface Delay {
  readonly due: number;
  readonly release: () => void;
}

/** `start`: milliseconds since 1970; by default a fixed moment, so that texts with times are the same in each run. */
export function createMovedClock(start: number = Date.UTC(2026, 0, 15, 12, 0, 0)): MovedClock {
  /** Milliseconds since the start, without those of a sleep, which no timer counts. */
  let now = 0;
  let slept = 0;
  let wall = start;
  // The set is in order of creation: of two that are due at once, the older one is released first.
  const delays = new Set<Delay>();

  const next = (until: number): Delay | undefined => {
    let first: Delay | undefined;
    for (const delay of delays) {
      if (delay.due <= until && (first === undefined || delay.due < first.due)) first = delay;
    }
    return first;
  };

  return {
    now: () => wall + now + slept,
    monotonic: () => now + slept,
    delay: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) {
          reject(abortReason(signal));
          return;
        }
        const onAbort = (): void => {
          delays.delete(delay);
          reject(abortReason(signal));
        };
        const delay: Delay = {
          due: now + Math.max(0, ms),
          release: () => {
            signal?.removeEventListener("abort", onAbort);
            resolve();
          },
        };
        delays.add(delay);
        signal?.addEventListener("abort", onAbort, { once: true });
      }),
    async advance(ms) {
      const until = now + ms;
      await settle();
      for (let delay = next(until); delay !== undefined; delay = next(until)) {
        delays.delete(delay);
        now = Math.max(now, delay.due);
        delay.release();
        await settle();
      }
      now = until;
      await settle();
    },
    setWall(by) {
      wall += by;
    },
    sleep(ms) {
      slept += ms;
    },
    get waiting() {
      return delays.size;
    },
  };
}

/** Runs microtasks and a few turns of the event loop, for code that awaits a turn itself. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}
