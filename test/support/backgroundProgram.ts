/** A process that starts commands in the background and goes on, for tests that kill it. */
import { systemClock } from "../../src/base/async/systemClock";
import { createChildProcesses } from "../../src/tools/command/childProcesses";
import { createSandbox } from "../../src/tools/sandbox/sandbox";
import { sandboxPolicy } from "../../src/tools/gate/sandboxPolicy";

export interface BackgroundProgramOptions {
  readonly root: string;
  readonly lines: readonly string[];
  readonly isConfined: boolean;
}

async function run({ root, lines, isConfined }: BackgroundProgramOptions): Promise<void> {
  const sandbox = createSandbox(() => true, process.env);
  const processes = createChildProcesses(systemClock, () => Promise.resolve(sandbox));
  for (const line of lines)
    await processes.start({
      argv: ["/bin/sh", "-c", line],
      cwd: root,
      environment: { PATH: process.env["PATH"] ?? "" },
      timeoutMs: 0,
      onOutput: () => undefined,
      ...(isConfined ? { confinement: { roots: [root], policy: sandboxPolicy } } : {}),
    });
  // The timer keeps the program running until it is killed.
  setInterval(() => undefined, 1000);
}

if (process.send) void run(JSON.parse(process.argv[2] ?? "{}") as BackgroundProgramOptions);
