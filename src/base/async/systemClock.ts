/** The system's clock, for the product; needs Node. */
import { uptime } from "node:os";
import { abortReason } from "./abort";
import type { MonotonicClock } from "../clock";

/**
 * Milliseconds by which the uptime is ahead of `performance.now()`. On Linux and macOS each sleep of the machine adds its length, because only the
 * uptime goes on meanwhile.
 */
const uptimeAhead = (): number => uptime() * 1000 - performance.now();
const startedAhead = uptimeAhead();
/** Milliseconds. A shorter difference counts as no sleep, because the uptime may be in whole seconds and its rounding would look like one. */
const shortestSleep = 5000;
/** Milliseconds of all sleeps that were noticed since this program began. */
let slept = 0;

const machineClock: MonotonicClock = {
  now: () => Date.now(),
  monotonic() {
    const asleep = uptimeAhead() - startedAhead - slept;
    if (asleep > shortestSleep) slept += asleep;
    return performance.now() + slept;
  },
  delay: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(abortReason(signal));
        return;
      }
      const onAbort = (): void => {
        clearTimeout(timer);
        reject(abortReason(signal));
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      }, ms);
      signal?.addEventListener("abort", onAbort, { once: true });
    }),
};

let current = machineClock;

/** The clock of this program: the machine's, unless `runOnClock` has set another one. */
export const systemClock: MonotonicClock = {
  now: () => current.now(),
  monotonic: () => current.monotonic(),
  delay: (ms, signal) => current.delay(ms, signal),
};

/** Replaces the clock of the whole program before anything reads it. A test that moves the time gives its clock to `activate`, which calls this. */
export function runOnClock(clock: MonotonicClock): void {
  current = clock;
}
