// A16: the hunks of a file of 10,000 lines with 300 of them are found within 50 ms, and after a key that is typed within 8 ms of CPU.
import { buildSubject, inFolder, measureSubject } from "./subject.mjs";

const limits = { first: 50, typed: 8 };

export const run = () =>
  inFolder(async (folder) => {
    const { first, cold, typed } = await measureSubject([await buildSubject("review", folder)]);
    console.log("300 hunks in 10,000 lines");
    console.log(`  first: ${first.toFixed(0)} ms of CPU, ${cold.toFixed(0)} ms before anything is compiled`);
    console.log(`  after a key: ${typed.toFixed(1)} ms of CPU (p95), later than the key and not before it is drawn`);
    return [
      { what: "the hunks of a file that is opened", today: first, limit: limits.first, unit: "ms CPU" },
      { what: "the hunks after a key, p95", today: typed, limit: limits.typed, unit: "ms CPU" },
    ];
  });
