/** A clock that runs faster than time, the same one in every process of a run: minutes of polling and making take seconds. */
import type { MonotonicClock } from "../../src/base/clock";
import { systemClock } from "../../src/base/async/systemClock";

/**
 * `epoch`: milliseconds since 1970 at which it agrees with the system's clock. `longestPause`: milliseconds; a longer delay is a limit for work that
 * takes real time, such as a download, so it ends after that time.
 */
export function createFastClock(epoch: number, factor: number, longestPause = Infinity): MonotonicClock {
  const fast = (at: number): number => epoch + (at - epoch) * factor;
  return {
    now: () => fast(Date.now()),
    monotonic: () => systemClock.monotonic() * factor,
    delay: (ms, signal) => systemClock.delay(ms > longestPause ? ms : ms / factor, signal),
  };
}
