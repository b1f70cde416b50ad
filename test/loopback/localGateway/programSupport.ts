/** The gateway as a child process: what the tests of the program share. */
import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
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

const bundles = new Map<string, Promise<Uint8Array>>();

/** In one file, which starts faster than the chunks of the product; built once for all suites of a process. */
function bundleOf(entry: string): Promise<Uint8Array> {
  const made =
    bundles.get(entry) ??
    build({ entryPoints: [entry], bundle: true, platform: "node", write: false }).then(
      ({ outputFiles }) => outputFiles[0]?.contents ?? new Uint8Array(),
    );
  bundles.set(entry, made);
  return made;
}

/** Builds the program before the tests of the suite, and ends what each of them has started. */
export function programUnderTest(entry = "src/localGateway/main.ts"): ProgramUnderTest {
  let folder: string;
  let program: string;
  const children = new Set<ChildProcess>();

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "program-"));
    program = join(folder, "localGateway.js");
    await writeFile(program, await bundleOf(entry));
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
