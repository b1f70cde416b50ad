/** Child processes as a tool may use them. */
import type { Confinement, SandboxState } from "./sandbox";

export interface ChildCommand {
  /** The program and its arguments, passed on without a shell. At least the program. */
  readonly argv: readonly [string, ...string[]];
  /** On Windows the arguments are passed as they are, without quotes, in a line that the program itself reads, such as cmd.exe. */
  readonly isVerbatim?: boolean;
  /** Absolute. */
  readonly cwd: string;
  /** The whole environment: nothing of this process's own is added. */
  readonly environment: Readonly<Record<string, string>>;
  /** Milliseconds after which the process and its descendants are killed. */
  readonly timeoutMs: number;
  /** Standard output and standard error as they come, decoded as UTF-8. */
  readonly onOutput: (text: string) => void;
  /** Runs in the system's sandbox, which must be ready. */
  readonly confinement?: Confinement;
}

export type ChildEnd =
  | { readonly type: "exited"; readonly code: number }
  | { readonly type: "killed"; readonly signal: string }
  | { readonly type: "timed-out" }
  /** It took more of the machine than a command in the sandbox may. `most`: a count, or bytes. */
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
   * Runs a command to its end. What it has left running is killed then. When `signal` aborts, the process and its
   * descendants are killed and this rejects with the reason of the signal. A daemon, which began a group of its own and
   * whose parent has ended, is reached on Linux only, by its environment; elsewhere it goes on, and its output is no longer read.
   */
  run(command: ChildCommand, signal: AbortSignal): Promise<ChildEnd>;
  /**
   * Starts a command that goes on in the background, in the sandbox where it has a confinement. It ends with `end`, with its own end, and
   * with this process, however that ends (on Windows only where this process ends orderly). `timeoutMs` does not count.
   */
  start(command: ChildCommand): Promise<BackgroundChild>;
  /** Whether something takes connections on that port of 127.0.0.1 or ::1. Never rejects. */
  answers(port: number): Promise<boolean>;
}

export interface BackgroundChild {
  /** Resolves once; never rejects. */
  readonly ended: Promise<ChildEnd>;
  /** Writes to its standard input. False where it takes no more input. */
  write(text: string): boolean;
  /** Kills it with all that it has started. */
  end(): void;
}
