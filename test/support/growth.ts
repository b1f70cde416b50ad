/** How the time of a call grows with the length of its input: the same on a fast and on a slow machine, which a limit in milliseconds is not. */
import assert from "node:assert/strict";
import { startBusyTime } from "./busyTime";

/** The length of the longer input in lengths of the shorter one, which is read so often. */
const factor = 8;
/** The best attempt counts: the machine may be busy, or collect garbage, in any of them. */
const maxAttempts = 6;

/** Makes an input of that length and returns the call that is measured. */
type Prepare = (length: number) => () => unknown;

/** Fails where the time grows faster than the input. `what` is in the message. */
export async function assertLinear(length: number, prepare: Prepare, what = ""): Promise<void> {
  // Linear time is 1 here, quadratic time is 8.
  await assertGrowth(3, length, prepare, what);
}

/** Fails where the time grows with the input. */
export async function assertConstant(length: number, prepare: Prepare, what = ""): Promise<void> {
  // Constant time is an eighth here, linear time is 1.
  await assertGrowth(0.5, length, prepare, what);
}

/** Compares the time of one call for the longer input with that of as many calls for the shorter one as have its length together. */
async function assertGrowth(limit: number, length: number, prepare: Prepare, what: string): Promise<void> {
  const short = prepare(length);
  const long = prepare(length * factor);
  const readShort = async (): Promise<void> => {
    for (let time = 0; time < factor; time += 1) await short();
  };
  // The first run compiles the code. It is not measured, because this time would be added to the shorter input.
  await readShort();
  let growth = Infinity;
  for (let attempt = 0; attempt < maxAttempts && growth > limit; attempt += 1) {
    const few = await timeOf(readShort);
    growth = Math.min(growth, (await timeOf(long)) / few);
  }
  assert.ok(
    growth <= limit,
    `${what}: ${length * factor} take ${growth.toFixed(1)} times as long as ${factor} times ${length}`,
  );
}

async function timeOf(work: () => unknown): Promise<number> {
  const spent = startBusyTime();
  await work();
  // A time below the clock's own resolution counts as that resolution.
  return Math.max(spent(), 0.02);
}
