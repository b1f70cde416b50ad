/** How fast this machine computes now, and limits that follow it. */
import assert from "node:assert/strict";
import { startBusyTime } from "./busyTime";

/** Milliseconds that the piece of work takes on a machine of 2025. */
const usualPace = 10;
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

/** Fails where work took longer than `limit`, or on a slower machine than as many times what a fixed piece of work takes there. Both in milliseconds. */
export function assertWithin(limit: number, spent: number, what: string): void {
  if (spent < limit) return;
  const most = Math.max(limit, (limit / usualPace) * paceOf());
  assert.ok(spent < most, `${what}: ${Math.round(spent)} ms, at most ${Math.round(most)} ms`);
}
