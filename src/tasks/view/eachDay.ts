/** Calls back after each local midnight, for lists that name today. */
import type { Clock } from "../../base/clock";
import { startOfDay, startOfNextDay } from "../../base/localDay";

/** Resolves when the signal aborts; never rejects. */
export async function eachDay(clock: Clock, signal: AbortSignal, run: () => void): Promise<void> {
  let day = startOfDay(clock.now());
  const isOver = (): boolean => signal.aborted;
  while (!isOver()) {
    // The machine may sleep over midnight, so the day is looked at each hour.
    const wait = Math.min(startOfNextDay(clock.now()) - clock.now(), 3_600_000);
    await clock.delay(wait, signal).catch(() => undefined);
    if (isOver() || startOfDay(clock.now()) === day) continue;
    day = startOfDay(clock.now());
    run();
  }
}
