// What processes have used since they began, as Linux counts it.
import { readFileSync } from "node:fs";

/** Milliseconds of CPU of these processes with all their threads. @param {readonly number[]} pids */
export function cpuOf(pids) {
  return pids.reduce((sum, pid) => {
    // The name of the program, in parentheses, may have blanks.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    // User and system mode; Linux counts 100 ticks a second.
    return sum + (Number(fields[11]) + Number(fields[12])) * 10;
  }, 0);
}

/** Bytes that it has made the system write to the disk: blocks that were clean before. @param {number} pid */
export function writtenBy(pid) {
  return Number(/^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, "utf8"))?.[1]);
}
