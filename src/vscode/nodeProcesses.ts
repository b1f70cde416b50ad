/** Child processes over Node: no shell, and the whole tree is killed at once. */
import { type ChildProcess, spawn } from "node:child_process";
import { abortReason } from "../base/abort";
import type { Clock } from "../base/clock";
import type { ChildCommand, ChildEnd, ChildProcesses } from "../domain/childProcesses";

export function createChildProcesses(clock: Clock): ChildProcesses {
  return {
    isWindows: process.platform === "win32",
    get environment() {
      return Object.fromEntries(
        Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
      );
    },
    run: (command, signal) => runChild(command, signal, clock),
  };
}

/** Milliseconds from the end of a process to the end of its output: two timers, so that in between the pipes are read also after a pause of this process. */
const lastOutput = [450, 50];

async function runChild(command: ChildCommand, signal: AbortSignal, clock: Clock): Promise<ChildEnd> {
  signal.throwIfAborted();
  const [program, ...rest] = command.argv;
  const { cwd, environment, timeoutMs, onOutput } = command;
  const child = spawn(program, rest, {
    cwd,
    env: { ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
    windowsVerbatimArguments: command.isVerbatim === true,
    // POSIX: the child leads a process group of its own, so one signal reaches its descendants too.
    detached: process.platform !== "win32",
  });
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", onOutput);
  const ended = new AbortController();
  try {
    return await Promise.race([
      endOf(child, async () => {
        for (const ms of lastOutput) await clock.delay(ms, ended.signal);
      }),
      clock.delay(timeoutMs, AbortSignal.any([signal, ended.signal])).then((): ChildEnd => ({ type: "timed-out" })),
    ]);
  } catch {
    throw abortReason(signal);
  } finally {
    ended.abort();
    if (child.exitCode === null && child.signalCode === null) killTree(child);
    // A descendant that left the group keeps the pipes open; nobody reads them any more.
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

function endOf(child: ChildProcess, untilLate: () => Promise<void>): Promise<ChildEnd> {
  return new Promise((resolve) => {
    child.once("error", (error: NodeJS.ErrnoException) => resolve({ type: "not-started", code: error.code ?? "" }));
    child.once("exit", (code, signal) => {
      const exit: ChildEnd = code === null ? { type: "killed", signal: signal ?? "" } : { type: "exited", code };
      // "close" comes after the last output; background descendants would hold the pipes open until they end.
      killTree(child);
      child.once("close", () => resolve(exit));
      // A descendant that left the group was not killed.
      untilLate().then(
        () => resolve(exit),
        () => undefined,
      );
    });
  });
}

function killTree({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    if (process.platform === "win32") {
      spawn("taskkill", ["/pid", String(pid), "/T", "/F"], { windowsHide: true }).on("error", () => undefined);
    } else process.kill(-pid, "SIGKILL");
  } catch {
    // The group has ended.
  }
}
