// Measures how fast this machine is, by a fixed piece of work of the kinds that the product does. It is compared with the machine on which the limits
// of time were set.
import { createHash } from "node:crypto";

/** Milliseconds of CPU that the work took there: what it takes today, by what the type check of the project took there and takes today (8 s and 21 s). */
const reference = 30;
const rounds = 7;

/**
 * Returns how many times as long the work takes here. The least of some rounds counts, because what else the machine does only adds to it. It is
 * never below 1, so that no limit gets tighter than it was set.
 */
export function measurePace() {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return Math.max(1, least / reference);
}

/** Texts that are joined, split, searched and hashed, and objects that are written as JSON, read, sorted and looked up. */
function work() {
  const entries = Array.from({ length: 12_000 }, (_, at) => ({
    id: `entry-${(at * 7919) % 12_000}`,
    text: `line ${at} of a text with `.repeat(4),
    counts: [at, at * 2, at % 7],
  }));
  const json = JSON.stringify(entries);
  /** @type {typeof entries} */
  const read = JSON.parse(json);
  const byId = new Map(read.map((entry) => [entry.id, entry]));
  const sorted = read.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  let found = 0;
  for (const { id, text } of sorted) {
    if (/(\d+) of a (\w+)/.exec(text)?.[1] === "0") found += 1;
    found += byId.get(id)?.counts[2] ?? 0;
  }
  const lines = json.split(",").map((line) => line.trim());
  return createHash("sha256").update(lines.join("\n")).update(String(found)).digest("hex");
}
