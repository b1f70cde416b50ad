/** The processes that another one has started, also those that lead a group or a session of their own. POSIX. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import type { Clock } from "../../base/clock";

interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
}

/** Not those whose parent has ended: they belong to the system's first process by then. Takes a few milliseconds. */
export function descendantsOf(pid: number): readonly number[] {
  const children = Map.groupBy(runningProcesses(), ({ parent }) => parent);
  const found: number[] = [];
  for (let parents = [pid]; parents.length > 0;) {
    parents = parents.flatMap((parent) => children.get(parent) ?? []).map((child) => child.pid);
    found.push(...parents);
  }
  return found;
}

/** Those that have this entry in the environment with which they were started. Linux; elsewhere none is found. */
export function processesWith(entry: string): readonly number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").flatMap((name) => {
    try {
      const environment = /^\d+$/.test(name) ? readFileSync(`/proc/${name}/environ`, "latin1") : "";
      return `\0${environment}`.includes(`\0${entry}\0`) ? [Number(name)] : [];
    } catch {
      // Of another user, or it has ended.
      return [];
    }
  });
}

/** Milliseconds between two looks, and for all of them. */
const looks = { pace: 5, limit: 5000 };

/** Resolves when all of these have ended; after some seconds at the latest, for one that the system does not let go. */
export async function untilEnded(pids: readonly number[], clock: Clock): Promise<void> {
  const never = new AbortController().signal;
  const isRunning = (pid: number): boolean => {
    try {
      const status = process.platform === "linux" ? readFileSync(`/proc/${pid}/stat`, "latin1") : "";
      // What only waits to be noticed by its parent has ended, with all of its process namespace.
      return status !== "" && !/\) [ZX] /u.test(status);
    } catch {
      return false;
    }
  };
  for (let waited = 0; waited < looks.limit && pids.some(isRunning); waited += looks.pace)
    await clock.delay(looks.pace, never);
}

function runningProcesses(): readonly RunningProcess[] {
  try {
    if (process.platform === "linux") return readdirSync("/proc").flatMap(readProcess);
    const listed = execFileSync("/bin/ps", ["-axo", "pid=,ppid="], { encoding: "utf8", timeout: 1000 });
    return [...listed.matchAll(/^ *(\d+) +(\d+)/gm)].map(([, pid, parent]) => ({
      pid: Number(pid),
      parent: Number(parent),
    }));
  } catch {
    return [];
  }
}

/** None for a name that is no process, or one that has ended meanwhile. */
function readProcess(name: string): readonly RunningProcess[] {
  if (!/^\d+$/.test(name)) return [];
  try {
    const status = readFileSync(`/proc/${name}/stat`, "latin1");
    // The name of the program is in brackets and may hold any character.
    const parent = /^ \S (\d+)/.exec(status.slice(status.lastIndexOf(")") + 1))?.[1];
    return parent === undefined ? [] : [{ pid: Number(name), parent: Number(parent) }];
  } catch {
    return [];
  }
}
