/** The gateway as a child process: what the tests of the program share. */
import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";

export interface Whereabouts {
  readonly url: string;
  readonly key: string;
}

export interface ProgramUnderTest {
  /** A new state folder. */
  readonly state: () => Promise<string>;
  readonly run: (...flags: string[]) => ChildProcess;
  readonly firstLine: (child: ChildProcess) => Promise<Whereabouts>;
  /** With a channel for messages. */
  readonly forkOne: (...flags: string[]) => ChildProcess;
  readonly hello: (child: ChildProcess) => Promise<Whereabouts>;
}

/** Builds the program before the tests of the suite, and ends what each of them has started. */
export function programUnderTest(entry = "src/localGateway/main.ts"): ProgramUnderTest {
  let folder: string;
  let program: string;
  const children = new Set<ChildProcess>();

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "program-"));
    program = join(folder, "localGateway.js");
    await build({
      entryPoints: [entry],
      bundle: true,
      platform: "node",
      outfile: program,
    });
  });
  after(() => rm(folder, { recursive: true, force: true }));
  afterEach(async () => {
    for (const child of children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    }
    children.clear();
  });

  const state = (): Promise<string> => mkdtemp(join(folder, "state-"));
  const run = (...flags: string[]): ChildProcess => {
    const child = spawn(process.execPath, [program, ...flags], { stdio: ["ignore", "pipe", "pipe"] });
    children.add(child);
    return child;
  };
  const firstLine = async (child: ChildProcess): Promise<Whereabouts> => {
    let text = "";
    child.stdout!.setEncoding("utf8");
    while (!text.includes("\n")) text += String((await once(child.stdout!, "data"))[0]);
    return JSON.parse(text) as Whereabouts;
  };
  const forkOne = (...flags: string[]): ChildProcess => {
    const child = fork(program, flags, { stdio: ["ignore", "ignore", "pipe", "ipc"] });
    children.add(child);
    return child;
  };
  const hello = async (child: ChildProcess): Promise<Whereabouts> => (await once(child, "message"))[0] as Whereabouts;
  return { state, run, firstLine, forkOne, hello };
}
