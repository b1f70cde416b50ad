/** The processes that another one has started, also those that lead a group or a session of their own. POSIX. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

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
