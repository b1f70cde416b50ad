/** What a command in the sandbox may take of the machine. One that takes more is ended: the machine stays usable, and the model is told why. Linux. */
import { readFileSync } from "node:fs";
import { totalmem } from "node:os";
import type { Clock } from "../../base/clock";
import type { ChildEnd } from "../../domain/tools/childProcesses";
import { freeSpace } from "../../node/diskFiles";
import { descendantsOf } from "./processTree";

export interface CommandLimits {
  readonly processes: number;
  /** Bytes of all its processes. */
  readonly memory: number;
  /** Bytes that it may write, and bytes that stay free on the disk. */
  readonly written: number;
  readonly free: number;
}

const gigabyte = 1024 ** 3;

export const commandLimits: CommandLimits = {
  processes: 4096,
  memory: Math.max(totalmem() * 0.75, gigabyte),
  written: 20 * gigabyte,
  free: gigabyte / 2,
};

/** Milliseconds between two looks. */
const pace = 500;
const pageSize = 4096;

/** Resolves once the process with all that it has started takes more; rejects with an abort. `folder`: on the disk that it writes. */
export async function untilOverLimit(
  pid: number,
  folder: string,
  limits: CommandLimits,
  clock: Clock,
  signal: AbortSignal,
): Promise<Extract<ChildEnd, { type: "over-limit" }>> {
  const before = await freeSpace(folder);
  for (;;) {
    await clock.delay(pace, signal);
    const running = descendantsOf(pid);
    if (running.length > limits.processes) return { type: "over-limit", limit: "processes", most: limits.processes };
    if (running.reduce((sum, each) => sum + memoryOf(each), 0) > limits.memory)
      return { type: "over-limit", limit: "memory", most: limits.memory };
    const free = await freeSpace(folder);
    if (free === undefined || before === undefined) continue;
    // A disk that was full before is not filled by the command.
    const hasFilled = free < limits.free && before - free > limits.free / 10;
    if (hasFilled || before - free > limits.written) return { type: "over-limit", limit: "disk", most: limits.written };
  }
}

function memoryOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1]) * pageSize;
  } catch {
    return 0;
  }
}
