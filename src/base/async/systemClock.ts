/** The system's clock, for the product; needs Node. */
import { uptime } from "node:os";
import { abortReason } from "./abort";
import type { MonotonicClock } from "../clock";

/** By how much the uptime is ahead: `performance.now()` stops while Linux and macOS sleep, the uptime does not, but may be in whole seconds. */
const uptimeAhead = (): number => uptime() * 1000 - performance.now();
const startedAhead = uptimeAhead();
/** Milliseconds; a smaller difference is rounding. */
const shortestSleep = 5000;
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

/** Replaces the clock of the whole program. A test of the extension calls it before anything reads the time, to move the time itself. */
export function runOnClock(clock: MonotonicClock): void {
  current = clock;
}
