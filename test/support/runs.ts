/** The share of the tests that prove by their number: `npm test` runs a part, `npm run test:all` all (`SLUICE_RUNS=1`), 10 ten times as many. */
import { seeded } from "./seeded";

/** The share of `npm test`. */
const usualShare = 0.1;
const share = Number(process.env["SLUICE_RUNS"] ?? usualShare);
if (!(share > 0)) throw new Error("SLUICE_RUNS is a share above 0");

export const isFullRun = share >= 1;

/** The seed with which seeded runs begin. `SLUICE_SEED` takes another part of them, or repeats the one that failed. */
export const firstSeed = Number(process.env["SLUICE_SEED"] ?? 1);

/** How many runs there are of `full`; with fewer than `least` the test would show nothing. */
export function runsOf(full: number, least = 1): number {
  return Math.max(Math.round(full * share), Math.min(least, full));
}

/** The number of runs that each take seconds of the processor: `few` by default, `full` in a full run. */
export function fewOf(full: number, few: number): number {
  return isFullRun ? Math.round(full * share) : Math.min(full, Math.max(1, Math.round((few * share) / usualShare)));
}

/** All in a full run, otherwise a part that is drawn for the item of that index; at least `least`. */
export function partOf<T>(all: readonly T[], index: number, least = 1): readonly T[] {
  return drawn(all, index, runsOf(all.length, least));
}

/** All in a full run, otherwise `count`, drawn for the item of that index: for what takes long each. */
export function someOf<T>(all: readonly T[], index: number, count: number): readonly T[] {
  return drawn(all, index, isFullRun ? all.length : count);
}

function drawn<T>(all: readonly T[], index: number, count: number): readonly T[] {
  const random = seeded(firstSeed * 7919 + index);
  const left = [...all];
  return Array.from({ length: Math.min(all.length, count) }, () => left.splice(random(left.length), 1)).flat();
}
