/** A process that starts commands, in the background or not, and goes on, for tests that kill it. */
import { systemClock } from "../../src/base/async/systemClock";
import type { ChildCommand } from "../../src/domain/tools/childProcesses";
import { createChildProcesses } from "../../src/tools/command/childProcesses";
import { createSandbox } from "../../src/tools/sandbox/sandbox";
import { sandboxPolicy } from "../../src/tools/gate/sandboxPolicy";

export interface BackgroundProgramOptions {
  readonly root: string;
  readonly lines: readonly string[];
  readonly isConfined: boolean;
  /** They run as commands that are waited for. */
  readonly isForeground?: true;
  /** The folder for copies of the workspace, on which they work. */
  readonly copies?: string;
}

async function run({ root, lines, isConfined, isForeground, copies }: BackgroundProgramOptions): Promise<void> {
  const sandbox = createSandbox(() => true, process.env, copies);
  const processes = createChildProcesses(systemClock, () => Promise.resolve(sandbox));
  const onCopy = copies === undefined ? {} : { onCopy: () => undefined };
  for (const line of lines) {
    const command: ChildCommand = {
      argv: ["/bin/sh", "-c", line],
      cwd: root,
      environment: { PATH: process.env["PATH"] ?? "" },
      timeoutMs: 3_600_000,
      onOutput: () => undefined,
      ...(isConfined ? { confinement: { roots: [root], policy: sandboxPolicy, ...onCopy } } : {}),
    };
    if (isForeground) void processes.run(command, new AbortController().signal);
    else await processes.start(command);
  }
  // The timer keeps the program running until it is killed.
  setInterval(() => undefined, 1000);
}

if (process.send) void run(JSON.parse(process.argv[2] ?? "{}") as BackgroundProgramOptions);
