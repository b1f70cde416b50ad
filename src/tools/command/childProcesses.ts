/** Child processes over Node: no shell, and the whole tree is killed at once. */
import { type ChildProcess, spawn, execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { win32 } from "node:path";
import { readFileSync, readdirSync } from "node:fs";
import { totalmem } from "node:os";
import { abortReason } from "../../base/async/abort";
import type { Clock } from "../../base/clock";
import type { BackgroundChild, ChildCommand, ChildEnd, ChildProcesses } from "../../domain/tools/childProcesses";
import type { SandboxProgram, Sandbox } from "../sandbox/sandbox";
import { freeSpace } from "../../node/diskFiles";

const noSandbox: Sandbox = {
  state: () => Promise.resolve({ state: "off" }),
  enter: () => Promise.reject(new Error("there is no sandbox")),
  reopen: () => Promise.resolve(undefined),
};

/** `loadSandbox`: called with the first command. */
export function createChildProcesses(
  clock: Clock,
  loadSandbox: () => Promise<Sandbox> = () => Promise.resolve(noSandbox),
  limits = commandLimits,
): ChildProcesses {
  return {
    isWindows: process.platform === "win32",
    get environment() {
      return Object.fromEntries(
        Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
      );
    },
    sandbox: async (roots) => (await loadSandbox()).state(roots),
    run: (command, signal) => runIn(loadSandbox, command, signal, clock, limits),
    start: (command) => startIn(loadSandbox, command, clock),
    answers: async (port) =>
      (await Promise.all(["127.0.0.1", "::1"].map((host) => connects(host, port)))).includes(true),
  };
}

/** Milliseconds from the end of a process to that of its output. The pipes are read between the two timers, also after a pause of this process. */
const lastOutput = [450, 50];

/** The variable by which a daemon is found: it has left the group and its parent, but keeps its environment. */
const markName = "CHAT_COMMAND_ID";

async function runIn(
  loadSandbox: () => Promise<Sandbox>,
  command: ChildCommand,
  signal: AbortSignal,
  clock: Clock,
  limits: CommandLimits,
): Promise<ChildEnd> {
  const entered = await enter(loadSandbox, command, signal);
  if ("type" in entered) return entered;
  const { argv, environment, copy } = entered;
  try {
    const watch =
      copy &&
      ((pid: number, ended: AbortSignal): Promise<ChildEnd> => untilOverLimit(pid, copy.folder, limits, clock, ended));
    const end = await runChild({ ...command, argv, environment }, signal, clock, watch);
    if (copy === undefined) return end;
    // A command that was ended before its folders were copied has still run out of its time, or over a limit.
    const isOwnEnd = end.type === "exited" || end.type === "killed";
    if (end.type === "not-started" || (isOwnEnd && !copy.wasStarted)) {
      await copy.close();
      return end.type === "not-started" ? end : { type: "not-confined", reason: "its folders could not be copied" };
    }
    command.confinement?.onCopy?.(copy);
    return end;
  } catch (error) {
    void copy?.close();
    throw error;
  }
}

/** Milliseconds. A connection within this machine is accepted or refused at once. */
const connectLimit = 1000;

function connects(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: connectLimit });
    const finish = (isConnected: boolean): void => {
      socket.destroy();
      resolve(isConnected);
    };
    socket.once("connect", () => finish(true));
    for (const event of ["error", "timeout"]) socket.once(event, () => finish(false));
  });
}

/** Puts the command into the sandbox where it has a confinement. */
async function enter(
  loadSandbox: () => Promise<Sandbox>,
  command: ChildCommand,
  signal: AbortSignal,
): Promise<SandboxProgram | ChildEnd> {
  const { confinement, argv, environment } = command;
  if (confinement === undefined) return { argv, environment };
  try {
    return await (await loadSandbox()).enter(command, confinement, signal);
  } catch (error) {
    signal.throwIfAborted();
    return { type: "not-confined", reason: error instanceof Error ? error.message : String(error) };
  }
}

async function startIn(
  loadSandbox: () => Promise<Sandbox>,
  command: ChildCommand,
  clock: Clock,
): Promise<BackgroundChild> {
  const entered = await enter(loadSandbox, command, new AbortController().signal);
  if ("type" in entered) return notStarted(entered);
  return startChild({ ...command, argv: entered.argv, environment: entered.environment }, clock);
}

/**
 * Reads the process group of the command from its input. When the input ends, because the process that holds its other end has ended, it kills that
 * group, and each process with the mark `$1` in its environment, with its group. The mark finds processes in groups of their own, and a command whose
 * group was not written yet. It looks three times, because a process may start another one meanwhile, and has an empty environment during an exec.
 * Without /proc, as on macOS, only the group is killed.
 */
const endAfterHost = `while read -r line; do group=$line; done
[ -z "$group" ] || kill -s KILL -- "-$group"
for pause in 0 1 1; do
  sleep $pause
  for each in $(grep -als -- "$1" /proc/[0-9]*/environ); do
    each=\${each#/proc/}; each=\${each%/environ}
    kill -s KILL -- "-$each"; kill -s KILL "$each"
  done
done`;

/** The program that kills a command when this process has ended. */
interface Watcher {
  /** Gives it the group of the command. Ends it if the command could not be started: `child` is the error code then. */
  watch(child: ChildProcess | string): void;
  /** Ends it, because the command has ended. */
  stop(): void;
}

/**
 * Ends the command also when this process is killed, because the pipe that only this process holds reaches its end then. The program for this is
 * started before the command, because this process may be killed right after it has started the command. It is not a child of the command, which may
 * wait for all of its children, and is in a session of its own, so that no signal to either reaches it. On Windows the system itself ends a child with
 * this process, but not what the child has started.
 */
function startWatcher(mark: string): Watcher {
  const none: Watcher = { watch: () => undefined, stop: () => undefined };
  if (process.platform === "win32") return none;
  const watcher = orCode(() =>
    spawn("/bin/sh", ["-c", endAfterHost, "sh", `${markName}=${mark}`], {
      cwd: "/",
      env: { PATH: "/usr/bin:/bin" },
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
    }),
  );
  if (typeof watcher === "string") return none;
  watcher.on("error", () => undefined);
  watcher.stdin.on("error", () => undefined);
  const stop = (): void => void watcher.kill("SIGKILL");
  return {
    watch: (child) => {
      if (typeof child === "string" || child.pid === undefined) stop();
      else watcher.stdin.write(`${child.pid}\n`);
    },
    stop,
  };
}

function notStarted(end: ChildEnd): BackgroundChild {
  return { ended: Promise.resolve(end), write: () => false, end: () => undefined };
}

/** Returns the code of an error that `spawn` throws, as for too long arguments or too many processes; it reports a missing program by an event. */
function orCode<T>(start: () => T): T | string {
  try {
    return start();
  } catch (error) {
    if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
    throw error;
  }
}

function startChild(command: ChildCommand, clock: Clock): BackgroundChild {
  const { argv, cwd, environment, onOutput } = command;
  const mark = randomUUID();
  const [program, ...rest] = argv;
  const watcher = startWatcher(mark);
  const child = orCode(() =>
    spawn(program, rest, {
      cwd,
      env: { ...environment, [markName]: mark },
      stdio: ["pipe", "pipe", "pipe"],
      windowsHide: true,
      windowsVerbatimArguments: command.isVerbatim === true,
      detached: process.platform !== "win32",
    }),
  );
  watcher.watch(child);
  if (typeof child === "string") return notStarted({ type: "not-started", code: child });
  const { stdin, stdout, stderr } = child;
  for (const stream of [stdout, stderr]) stream.setEncoding("utf8").on("data", onOutput);
  for (const stream of child.stdio) stream?.on("error", () => undefined);
  const over = new AbortController();
  const ended = endOf(child, mark, async () => {
    for (const ms of lastOutput) await clock.delay(ms, over.signal);
  }).then((end) => {
    over.abort();
    watcher.stop();
    for (const stream of child.stdio) stream?.destroy();
    return end;
  });
  return {
    ended,
    write: (text) => {
      const takes = !stdin.destroyed && stdin.writable;
      if (takes) stdin.write(text);
      return takes;
    },
    end: () => {
      if (child.exitCode === null && child.signalCode === null) killTree(child, mark);
    },
  };
}

/** `watch`: resolves with the end of a command that exceeds its limits. */
async function runChild(
  command: ChildCommand,
  signal: AbortSignal,
  clock: Clock,
  watch?: (pid: number, ended: AbortSignal) => Promise<ChildEnd>,
): Promise<ChildEnd> {
  signal.throwIfAborted();
  const [program, ...rest] = command.argv;
  const { cwd, environment, timeoutMs, onOutput } = command;
  const mark = randomUUID();
  const watcher = startWatcher(mark);
  const child = orCode(() =>
    spawn(program, rest, {
      cwd,
      env: { ...environment, [markName]: mark },
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
      windowsVerbatimArguments: command.isVerbatim === true,
      // POSIX: the child leads a process group of its own, so one signal reaches its descendants too.
      detached: process.platform !== "win32",
    }),
  );
  watcher.watch(child);
  if (typeof child === "string") return { type: "not-started", code: child };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", onOutput);
  const ended = new AbortController();
  try {
    return await Promise.race([
      endOf(child, mark, async () => {
        for (const ms of lastOutput) await clock.delay(ms, ended.signal);
      }),
      clock.delay(timeoutMs, AbortSignal.any([signal, ended.signal])).then((): ChildEnd => ({ type: "timed-out" })),
      ...(watch && child.pid !== undefined ? [watch(child.pid, AbortSignal.any([signal, ended.signal]))] : []),
    ]);
  } catch {
    throw abortReason(signal);
  } finally {
    ended.abort();
    watcher.stop();
    const killed = child.exitCode === null && child.signalCode === null ? killTree(child, mark) : [];
    // A descendant that is not reached keeps the pipes open; they are no longer read.
    child.stdout.destroy();
    child.stderr.destroy();
    // The caller reads next what the command has written, so this waits for its descendants. Nothing of a stopped command is read.
    if (!signal.aborted) await untilEnded(killed, clock);
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
      // A descendant that was not reached may hold the pipes open.
      untilLate().then(
        () => resolve(exit),
        () => undefined,
      );
    });
  });
}

/** Names taskkill by its whole path where `SystemRoot` is set: Windows would search the working directory before PATH. */
export function windowsTreeKill(pid: number, root = process.env["SystemRoot"]): readonly [string, ...string[]] {
  const program = root === undefined ? "taskkill" : win32.join(root, "System32", "taskkill.exe");
  return [program, "/pid", String(pid), "/T", "/F"];
}

/** Returns the descendants that were found. */
function killTree({ pid, exitCode, signalCode }: ChildProcess, mark: string): readonly number[] {
  if (pid === undefined) return [];
  // The pid of a process that has ended may belong to another program by now.
  const isRunning = exitCode === null && signalCode === null;
  if (process.platform === "win32") {
    if (!isRunning) return [];
    const [program, ...rest] = windowsTreeKill(pid);
    spawn(program, rest, { windowsHide: true }).on("error", () => undefined);
    return [];
  }
  // They are listed before the group is killed, because their parents are gone afterwards.
  const descendants = isRunning ? descendantsOf(pid) : [];
  for (const each of [-pid, ...descendants]) kill(each);
  // It looks more than once, because a process may have started another one while they were listed.
  for (let look = 0; look < 3; look += 1) {
    const left = processesWith(`${markName}=${mark}`);
    if (left.length === 0) break;
    for (const each of left) kill(each);
  }
  return descendants;
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

/** The resources that a command in the sandbox may take. One that takes more is ended, so that the machine stays usable. Linux. */
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

/** Resolves once the process and its descendants exceed a limit; rejects with an abort. `folder`: one on the disk that the command writes. */
async function untilOverLimit(
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

/** A process of the system with its parent. POSIX. */
interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
}

/** The descendants of a process, also in groups or sessions of their own, except those whose parent has ended. Takes a few milliseconds. */
function descendantsOf(pid: number): readonly number[] {
  const children = Map.groupBy(runningProcesses(), ({ parent }) => parent);
  const found: number[] = [];
  for (let parents = [pid]; parents.length > 0;) {
    parents = parents.flatMap((parent) => children.get(parent) ?? []).map((child) => child.pid);
    found.push(...parents);
  }
  return found;
}

/** The processes that have this entry in the environment with which they were started. Linux; elsewhere none is found. */
function processesWith(entry: string): readonly number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").flatMap((name) => {
    try {
      const environment = /^\d+$/.test(name) ? readFileSync(`/proc/${name}/environ`, "latin1") : "";
      return `\0${environment}`.includes(`\0${entry}\0`) ? [Number(name)] : [];
    } catch {
      // It belongs to another user, or has ended.
      return [];
    }
  });
}

/** Milliseconds between two looks, and for all of them. */
const looks = { pace: 5, limit: 5000 };

/** Resolves when all of these have ended; after some seconds at the latest, for one that the system does not let go. */
async function untilEnded(pids: readonly number[], clock: Clock): Promise<void> {
  const never = new AbortController().signal;
  const isRunning = (pid: number): boolean => {
    try {
      const status = process.platform === "linux" ? readFileSync(`/proc/${pid}/stat`, "latin1") : "";
      // A zombie only waits to be reaped by its parent: it has ended, with all of its process namespace.
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

/** Returns nothing for a name that is no process, or for a process that has ended meanwhile. */
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
