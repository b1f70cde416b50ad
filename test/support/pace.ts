import { startBusyTime } from "./busyTime";

/** Lines that take about 10 ms on a machine of 2025. */
const lines = Array.from({ length: 20_000 }, (_, index) => `line ${(index * 7919) % 20_000}`);

/**
 * The milliseconds that a fixed piece of work takes this process now: the middle of three. A limit that is a multiple of them is longer on a slow
 * machine, and while other programs take its caches.
 */
export function paceOf(): number {
  const times = [0, 1, 2].map(() => {
    const spent = startBusyTime();
    lines.join("\n").split("\n").toSorted();
    return spent();
  });
  return times.toSorted((one, other) => one - other)[1] ?? 0;
}
