/** The port by which tools start child processes. */
import type { Confinement, SandboxState } from "./sandbox";

export interface ChildCommand {
  /** The program, then its arguments. No shell reads them. */
  readonly argv: readonly [string, ...string[]];
  /** On Windows, passes the arguments without quoting them, for a program that splits its command line by rules of its own, such as cmd.exe. */
  readonly isVerbatim?: boolean;
  /** Absolute. */
  readonly cwd: string;
  /** The whole environment. No variable of this process is added. */
  readonly environment: Readonly<Record<string, string>>;
  /** Milliseconds after which the process and its descendants are killed. */
  readonly timeoutMs: number;
  /** Standard output and standard error as they come, decoded as UTF-8. */
  readonly onOutput: (text: string) => void;
  /** The limits of the command in the system's sandbox, which must be ready. Missing: the command runs without a sandbox. */
  readonly confinement?: Confinement;
}

export type ChildEnd =
  | { readonly type: "exited"; readonly code: number }
  | { readonly type: "killed"; readonly signal: string }
  | { readonly type: "timed-out" }
  /** It exceeded a limit of the sandbox and was killed. `most` is that limit: a number of processes, or bytes. */
  | { readonly type: "over-limit"; readonly limit: "processes" | "memory" | "disk"; readonly most: number }
  /** It could not be started; `code` is that of the system, such as `ENOENT`. */
  | { readonly type: "not-started"; readonly code: string }
  /** The sandbox could not be made ready: nothing was run. */
  | { readonly type: "not-confined"; readonly reason: string };

export interface ChildProcesses {
  readonly isWindows: boolean;
  /** The environment of this process. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whether commands can run in a sandbox with these folders, links resolved. Never rejects. */
  sandbox(roots: readonly string[]): Promise<SandboxState>;
  /**
   * Runs a command to its end, and then kills what it has left running. When `signal` aborts, the process and its descendants are killed, and this
   * rejects with the reason of the signal. A daemon has left the process group and its parent, so it can be found only by a variable in its
   * environment, and only on Linux. Elsewhere it goes on, and its output is no longer read.
   */
  run(command: ChildCommand, signal: AbortSignal): Promise<ChildEnd>;
  /**
   * Starts a command in the background, in the sandbox where it has a confinement. It runs until it exits, until `end` is called, or until this
   * process ends, however that ends. On Windows it goes on where this process is killed. `timeoutMs` does not count.
   */
  start(command: ChildCommand): Promise<BackgroundChild>;
  /** Whether something takes connections on that port of 127.0.0.1 or ::1. Never rejects. */
  answers(port: number): Promise<boolean>;
}

export interface BackgroundChild {
  /** Resolves once; never rejects. */
  readonly ended: Promise<ChildEnd>;
  /** Writes to its standard input. Returns false where it takes no more input. */
  write(text: string): boolean;
  /** Kills it with all that it has started. */
  end(): void;
}
