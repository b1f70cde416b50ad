// Samples how fast the machine is while a suite runs. A process of its own does it, because a suite may hold this one, or measure what holds it.
import { fork } from "node:child_process";
import { once } from "node:events";
import { measurePace } from "./pace.mjs";

/** Milliseconds between two samples. */
const pause = 15_000;

/** @returns {() => Promise<number>} ends the sampling; the median of all samples */
export function samplePace() {
  const samples = [measurePace()];
  const child = fork(import.meta.filename, ["--samples"], { execArgv: [] });
  child.on("message", (sample) => samples.push(Number(sample)));
  return async () => {
    const closed = once(child, "close");
    child.kill();
    await closed;
    samples.push(measurePace());
    const sorted = samples.toSorted((one, other) => one - other);
    const middle = sorted.length >> 1;
    return ((sorted[middle] ?? 1) + (sorted[sorted.length - 1 - middle] ?? 1)) / 2;
  };
}

if (process.argv[1] === import.meta.filename && process.argv.includes("--samples"))
  setInterval(() => process.send?.(measurePace()), pause);
