/** A clock that runs faster than time, the same one in every process of a run: minutes of polling and making take seconds. */
import type { MonotonicClock } from "../../src/base/clock";
import { systemClock } from "../../src/base/async/systemClock";

/** `epoch`: milliseconds since 1970 at which it agrees with the system's clock. */
export function createFastClock(epoch: number, factor: number): MonotonicClock {
  const fast = (at: number): number => epoch + (at - epoch) * factor;
  return {
    now: () => fast(Date.now()),
    monotonic: () => systemClock.monotonic() * factor,
    delay: (ms, signal) => systemClock.delay(ms / factor, signal),
  };
}
