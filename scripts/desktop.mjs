// Ends a desktop VS Code that left our process tree: its launcher detaches it, on macOS through the system.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/**
 * Ends the processes whose command line has `argument`, the path of a folder made for this run, and waits until they have exited.
 * @param {string} argument
 */
export async function endByArgument(argument) {
  for (const signal of /** @type {const} */ (["SIGTERM", "SIGKILL"])) {
    for (const pid of carriers(argument)) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has exited already.
      }
    }
    for (let tries = 0; tries < 80 && carriers(argument).length > 0; tries += 1) {
      await new Promise((next) => setTimeout(next, 25));
    }
  }
}

/** @param {string} argument */
function carriers(argument) {
  return commandLines()
    .filter(({ pid, command }) => pid !== process.pid && command.includes(argument))
    .map(({ pid }) => pid);
}

/** @returns {{ pid: number, command: string }[]} */
function commandLines() {
  // On Windows taskkill has ended the whole tree, and listing command lines is slow.
  if (process.platform === "win32") return [];
  if (process.platform !== "linux") {
    const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,command="], { encoding: "utf8" });
    return (stdout ?? "").split("\n").map((line) => ({ pid: Number.parseInt(line, 10), command: line }));
  }
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return [{ pid: Number(name), command: readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ") }];
      } catch {
        return [];
      }
    });
}
