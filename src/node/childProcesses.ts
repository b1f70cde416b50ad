/** Child processes over Node: no shell, and the whole tree is killed at once. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { win32 } from "node:path";
import { abortReason } from "../base/async/abort";
import type { Clock } from "../base/clock";
import type { ChildCommand, ChildEnd, ChildProcesses } from "../domain/tools/childProcesses";
import { descendantsOf, processesWith } from "./processTree";

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

/** A daemon has neither the group nor a parent by which it could be found, but this in its environment. */
const markName = "CHAT_COMMAND_ID";

async function runChild(command: ChildCommand, signal: AbortSignal, clock: Clock): Promise<ChildEnd> {
  signal.throwIfAborted();
  const [program, ...rest] = command.argv;
  const { cwd, environment, timeoutMs, onOutput } = command;
  const mark = randomUUID();
  const child = spawn(program, rest, {
    cwd,
    env: { ...environment, [markName]: mark },
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
      endOf(child, mark, async () => {
        for (const ms of lastOutput) await clock.delay(ms, ended.signal);
      }),
      clock.delay(timeoutMs, AbortSignal.any([signal, ended.signal])).then((): ChildEnd => ({ type: "timed-out" })),
    ]);
  } catch {
    throw abortReason(signal);
  } finally {
    ended.abort();
    if (child.exitCode === null && child.signalCode === null) killTree(child, mark);
    // A descendant that is not reached keeps the pipes open; they are no longer read.
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

function endOf(child: ChildProcess, mark: string, untilLate: () => Promise<void>): Promise<ChildEnd> {
  return new Promise((resolve) => {
    child.once("error", (error: NodeJS.ErrnoException) => resolve({ type: "not-started", code: error.code ?? "" }));
    child.once("exit", (code, signal) => {
      const exit: ChildEnd = code === null ? { type: "killed", signal: signal ?? "" } : { type: "exited", code };
      // "close" comes after the last output; background descendants would hold the pipes open until they end.
      killTree(child, mark);
      child.once("close", () => resolve(exit));
      // It may have one that was not reached.
      untilLate().then(
        () => resolve(exit),
        () => undefined,
      );
    });
  });
}

/** By its whole path where the system names its folder: the working directory is searched before PATH otherwise. */
export function windowsTreeKill(pid: number, root = process.env["SystemRoot"]): readonly [string, ...string[]] {
  const program = root === undefined ? "taskkill" : win32.join(root, "System32", "taskkill.exe");
  return [program, "/pid", String(pid), "/T", "/F"];
}

function killTree({ pid, exitCode, signalCode }: ChildProcess, mark: string): void {
  if (pid === undefined) return;
  // The number of one that has ended may belong to another program's process by now.
  const isRunning = exitCode === null && signalCode === null;
  if (process.platform === "win32") {
    if (!isRunning) return;
    const [program, ...rest] = windowsTreeKill(pid);
    spawn(program, rest, { windowsHide: true }).on("error", () => undefined);
    return;
  }
  // Before the group is killed: after it their parents are gone.
  const descendants = isRunning ? descendantsOf(pid) : [];
  for (const each of [-pid, ...descendants]) kill(each);
  // Again, because one may have started another one while they were listed.
  for (let look = 0; look < 3; look += 1) {
    const left = processesWith(`${markName}=${mark}`);
    if (left.length === 0) return;
    for (const each of left) kill(each);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
