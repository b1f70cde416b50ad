/** Child processes over Node: no shell, and the whole tree is killed at once. */
import { type ChildProcess, spawn } from "node:child_process";
import { abortReason } from "../base/abort";
import type { Clock } from "../base/clock";
import type { ChildCommand, ChildEnd, ChildProcesses } from "../domain/childProcesses";

export function createChildProcesses(clock: Clock): ChildProcesses {
  return { run: (command, signal) => runChild(command, signal, clock) };
}

async function runChild(command: ChildCommand, signal: AbortSignal, clock: Clock): Promise<ChildEnd> {
  signal.throwIfAborted();
  const [program, ...rest] = command.argv;
  const { cwd, environment, timeoutMs, onOutput } = command;
  const child = spawn(program, rest, {
    cwd,
    env: { ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
    // POSIX: the child leads a process group of its own, so one signal reaches its descendants too.
    detached: process.platform !== "win32",
  });
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", onOutput);
  const ended = new AbortController();
  try {
    return await Promise.race([
      endOf(child),
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

function endOf(child: ChildProcess): Promise<ChildEnd> {
  return new Promise((resolve) => {
    child.once("error", (error: NodeJS.ErrnoException) => resolve({ type: "not-started", code: error.code ?? "" }));
    let exit: ChildEnd | undefined;
    child.once("exit", (code, signal) => {
      exit = code === null ? { type: "killed", signal: signal ?? "" } : { type: "exited", code };
      // "close" comes after the last output; background descendants would hold the pipes open until they end.
      killTree(child);
    });
    child.once("close", () => exit && resolve(exit));
  });
}

function killTree({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    if (process.platform === "win32") spawn("taskkill", ["/pid", String(pid), "/T", "/F"], { windowsHide: true });
    else process.kill(-pid, "SIGKILL");
  } catch {
    // The group has ended.
  }
}
