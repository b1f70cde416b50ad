/** A workspace on which commands run in the real sandbox, on a copy of it. Linux. */
import { chmod, mkdir, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { systemClock } from "../../src/base/async/systemClock";
import { definedFields } from "../../src/base/definedFields";
import type { ChildEnd, ChildProcesses } from "../../src/domain/tools/childProcesses";
import type { CommandCopy, CopyChange } from "../../src/domain/tools/sandbox";
import { createChildProcesses, commandLimits, type CommandLimits } from "../../src/tools/command/childProcesses";
import { createSandbox } from "../../src/tools/sandbox/sandbox";
import { removeCopy } from "../../src/tools/sandbox/workspaceCopy";
import { sandboxPolicy } from "../../src/tools/gate/sandboxPolicy";
import { nextMillisecond } from "./nextMillisecond";
import { createTemporaryFolder } from "./temporaryFolder";

export interface CopiedRun {
  readonly end: ChildEnd;
  readonly output: string;
  /** Missing where nothing was run. */
  readonly copy?: CommandCopy;
  readonly changes: readonly CopyChange[];
}

export interface CopiedProject {
  /** Links resolved. */
  readonly root: string;
  /** The folder that holds the workspace and the copies. */
  readonly base: string;
  readonly copies: string;
  readonly processes: ChildProcesses;
  /** False where this machine has no sandbox with a copy. */
  readonly isReady: boolean;
  at(name: string): string;
  put(name: string, text: string, mode?: number): Promise<void>;
  link(target: string, name: string): Promise<void>;
  read(name: string): Promise<string | undefined>;
  run(
    line: string,
    options?: {
      readonly timeoutMs?: number;
      readonly signal?: AbortSignal;
      readonly git?: "reads";
      /** Limits in place of the product's. */
      readonly limits?: Partial<CommandLimits>;
    },
  ): Promise<CopiedRun>;
  /** Empties the workspace and all next to it, for the next test: a new project would start several processes to see whether a sandbox works. */
  clear(): Promise<void>;
  remove(): Promise<void>;
}

const environment = { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", LANG: "C.UTF-8" };
const never = new AbortController().signal;

export async function createCopiedProject(name = "project"): Promise<CopiedProject> {
  const folder = await createTemporaryFolder({ isPlain: true });
  const base = await realpath(folder.path);
  const [root, copies] = [join(base, name), join(base, "copies")];
  await mkdir(root);
  const at = (path: string): string => join(root, path);
  // There is one sandbox, which looks at the machine once, as in a window.
  const sandbox = createSandbox(() => true, process.env, copies);
  const processesWithin = (limits: Partial<CommandLimits>): ChildProcesses =>
    createChildProcesses(systemClock, () => Promise.resolve(sandbox), { ...commandLimits, ...limits });
  const processes = processesWithin({});
  const state = await processes.sandbox([root]);
  return {
    ...{ root, base, copies, processes, at },
    isReady: state.state === "ready" && state.copies,
    async put(path, text, mode = 0o644) {
      await mkdir(dirname(at(path)), { recursive: true });
      await writeFile(at(path), text);
      await chmod(at(path), mode);
    },
    link: (target, path) => symlink(target, at(path)),
    read: (path) => readFile(at(path), "utf8").catch(() => undefined),
    async run(line, { timeoutMs = 60_000, signal = never, git, limits = {} } = {}) {
      const output: string[] = [];
      let copy: CommandCopy | undefined;
      const confinement = {
        roots: [root],
        policy: sandboxPolicy,
        ...definedFields({ git }),
        onCopy: (made: CommandCopy) => (copy = made),
      };
      await nextMillisecond();
      const end = await processesWithin(limits).run(
        {
          argv: ["/bin/sh", "-c", line],
          cwd: root,
          environment,
          timeoutMs,
          onOutput: (text) => void output.push(text),
          confinement,
        },
        signal,
      );
      const changes = (await copy?.changes(never)) ?? [];
      return { end, output: output.join(""), changes, ...definedFields({ copy }) };
    },
    async clear() {
      // A copy that is left may hold what only a program of its own removes.
      if ((await readdir(copies).catch(() => [])).length > 0) await removeCopy(copies);
      for (const entry of await readdir(base)) await rm(join(base, entry), { recursive: true, force: true });
      for (const folder of [root, copies]) await mkdir(folder);
    },
    async remove() {
      await removeCopy(copies);
      await folder.remove();
    },
  };
}
