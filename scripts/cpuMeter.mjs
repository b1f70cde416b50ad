// Runs Node with the given arguments, as `node` would, and writes the CPU seconds of it and of all that it waited for to descriptor 3. Linux only; elsewhere it writes nothing.
import { spawn } from "node:child_process";
import { readFileSync, writeSync } from "node:fs";

const child = spawn(process.execPath, process.argv.slice(2), { stdio: "inherit" });
// A signal is for the whole group: this process goes when the other has gone.
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) process.on(signal, () => undefined);
child.on("error", (error) => {
  console.error(error);
  process.exitCode = 1;
});
child.on("exit", (code) => {
  const spent = secondsOfChildren();
  if (spent !== undefined) writeSync(3, String(spent));
  process.exitCode = code ?? 1;
});

function secondsOfChildren() {
  try {
    // The name of the program, in parentheses, may have blanks. It is followed by the state and the numbers from the fourth on.
    const fields = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1)?.split(" ") ?? [];
    // These are the times of children that were waited for, in user and in system mode. Linux counts 100 ticks a second.
    return (Number(fields[13]) + Number(fields[14])) / 100;
  } catch {
    return undefined;
  }
}
