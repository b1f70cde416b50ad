/** A workspace next to a person's home folder, files, listeners and a process, and a record of which an attempt to leave the sandbox has touched. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createHash, randomInt, randomUUID } from "node:crypto";
import { createSocket } from "node:dgram";
import { closeSync, existsSync, lstatSync, openSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { chmod, cp, link, mkdir, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { systemClock } from "../../src/base/async/systemClock";
import type { ChildProcesses } from "../../src/domain/tools/childProcesses";
import type { CommandCopy } from "../../src/domain/tools/sandbox";
import { applyCopy } from "../../src/tools/command/applyCopy";
import { createChildProcesses } from "../../src/tools/command/childProcesses";
import { createSandbox, type Sandbox } from "../../src/tools/sandbox/sandbox";
import { sandboxPolicy } from "../../src/tools/gate/sandboxPolicy";
import { homeSecrets, projectSecrets, type Sign } from "../fixtures/sandboxEscapes";
import { createDiskWorkspace } from "./diskWorkspace";
import { createTemporaryFolder } from "./temporaryFolder";

export interface SandboxArena {
  readonly project: string;
  readonly processes: ChildProcesses;
  /** Replaces names in braces by the places of the arena. */
  filled(line: string): string;
  /** Makes the workspace, and what was touched outside, again. */
  prepare(): Promise<void>;
  /** What an attempt has touched, judged also by its output. Empty for nothing. */
  touched(output: string): Promise<readonly (readonly [Sign, string])[]>;
  /** Runs a line, in the sandbox or without it. Resolves with its output. */
  run(line: string, isConfined: boolean): Promise<string>;
  close(): Promise<void>;
}

const never = new AbortController().signal;
/** Milliseconds, because a line may wait for something which is not there. */
const lineLimit = 15_000;

export async function createSandboxArena(): Promise<SandboxArena> {
  const folder = await createTemporaryFolder({ isPlain: true });
  const copies = await createTemporaryFolder();
  const base = await realpath(folder.path);
  const [home, out, project] = ["home", "outside", "project"].map((name) => join(base, name)) as [
    string,
    string,
    string,
  ];
  const canary = `canary-${randomUUID()}`;
  const [sleep, left] = [`98765.${randomInt(1e8, 1e9)}`, `87654.${randomInt(1e8, 1e9)}`] as const;
  const socket = join(out, "listener.sock");
  const abstract = `sluice-${canary}`;
  const reached: string[] = [];
  const listeners = new Listeners(reached);
  const port = await listeners.openPort();
  await listeners.openSocket(`\0${abstract}`, "abstract socket");
  let person: ChildProcess | undefined;
  const environment = { PATH: process.env["PATH"] ?? "", HOME: home, LANG: "C.UTF-8" };
  // There is one sandbox, which looks at the machine once, as in a window: with the first command, when the home folder has been made.
  let sandbox: Sandbox | undefined;
  const processes = createChildProcesses(systemClock, () =>
    Promise.resolve((sandbox ??= createSandbox(() => true, { ...process.env, HOME: home }, copies.path))),
  );
  const places: Readonly<Record<string, () => string>> = {
    ...{ home: () => home, out: () => out, real: () => dirname(base), port: () => String(port), socket: () => socket },
    ...{
      abstract: () => abstract,
      pid: () => String(person?.pid),
      sleep: () => sleep,
      left: () => left,
      canary: () => canary,
    },
  };
  let before = new Map<string, string>();
  const snapshot = (): Map<string, string> => new Map([...outsideState(base, project), ...fixedState(project)]);
  return {
    project,
    processes,
    filled: (line) => line.replaceAll(/\{(\w+)\}/g, (whole, name: string) => places[name]?.() ?? whole),
    async prepare() {
      reached.length = 0;
      person?.kill("SIGKILL");
      await listeners.closeFiles();
      for (const path of [home, out, project]) await rm(path, { recursive: true, force: true });
      await makeHome(home, canary);
      await put(join(out, "secret.txt"), canary);
      await put(join(out, "target.txt"), "target");
      await makeProject(project, out, canary, copies.path);
      await listeners.openSocket(socket, "socket outside");
      await listeners.openSocket(join(project, "app.sock"), "socket in the workspace");
      await listeners.openSocket(join(project, ".devenv/run/pc.sock"), "socket in a folder that is read-only");
      // The process holds a secret open, and has one in its environment and in its folder.
      const held = openSync(join(out, "secret.txt"), "r");
      person = spawn("sleep", [sleep], {
        cwd: out,
        detached: true,
        stdio: [held, "ignore", "ignore"],
        env: { ...environment, PERSONAL: canary },
      });
      closeSync(held);
      before = snapshot();
    },
    async touched(output) {
      const found: (readonly [Sign, string])[] = [];
      if (output.includes(canary) || /^root:[*!$x]?[*!$][^:]*:\d/m.test(output))
        found.push(["secret", "in the output"]);
      const after = snapshot();
      for (const path of new Set([...before.keys(), ...after.keys()])) {
        if (before.get(path) === after.get(path)) continue;
        const isFixed = path.startsWith(`${project}/`);
        found.push([
          isFixed ? "fixed" : "outside",
          `${relative(base, path)}: ${before.get(path)} → ${after.get(path)}`,
        ]);
      }
      for (const name of [
        "escaped",
        "../usr/local/bin/sluice-x",
        "../usr/bin/sluice-x",
        "../etc/cron.d/x",
        "../etc/profile.d/x.sh",
        "../opt/sluice-x",
      ])
        if (existsSync(join(dirname(base), name))) found.push(["outside", name]);
      for (const what of reached) found.push(["reached", what]);
      if (person === undefined || !isRunning(person.pid))
        found.push(["process", "the person's process has ended or is stopped"]);
      for (const pid of await leftBehind([left])) found.push(["process", `left behind: ${pid}`]);
      await rm(join(dirname(base), "escaped"), { force: true });
      return found;
    },
    async run(line, isConfined) {
      const output: string[] = [];
      let copy: CommandCopy | undefined;
      await processes.run(
        {
          argv: ["/bin/sh", "-c", line],
          cwd: project,
          environment,
          timeoutMs: lineLimit,
          onOutput: (text) => void output.push(text),
          ...(isConfined
            ? { confinement: { roots: [project], policy: sandboxPolicy, onCopy: (made: CommandCopy) => (copy = made) } }
            : {}),
        },
        never,
      );
      // The changes that wait for the person are left, so that all that is applied was applied unasked.
      const applied = copy && (await applyCopy(createDiskWorkspace(project), copy, undefined, never));
      await applied?.question?.leave();
      return output.join("");
    },
    async close() {
      person?.kill("SIGKILL");
      await listeners.close();
      await folder.remove();
      await copies.remove();
    },
  };
}

class Listeners {
  readonly #reached: string[];
  readonly #servers: Server[] = [];
  readonly #files: Server[] = [];
  readonly #datagrams = createSocket("udp4");

  constructor(reached: string[]) {
    this.#reached = reached;
  }

  /** Opens a port on every address, for both protocols. */
  async openPort(): Promise<number> {
    const server = this.#server("port");
    await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve));
    this.#servers.push(server);
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    this.#datagrams.on("message", () => this.#reached.push("datagram"));
    await new Promise<void>((resolve) => this.#datagrams.bind(port, "0.0.0.0", () => resolve()));
    return port;
  }

  async openSocket(path: string, what: string): Promise<void> {
    const server = this.#server(what);
    await new Promise<void>((resolve) => server.listen(path, resolve));
    (path.startsWith("\0") ? this.#servers : this.#files).push(server);
  }

  async closeFiles(): Promise<void> {
    await closeAll(this.#files.splice(0));
  }

  async close(): Promise<void> {
    this.#datagrams.close();
    await closeAll([...this.#servers, ...this.#files]);
  }

  #server(what: string): Server {
    return createServer((connection) => {
      this.#reached.push(what);
      connection.on("error", () => undefined).destroy();
    });
  }
}

async function closeAll(servers: readonly Server[]): Promise<void> {
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
}

async function put(path: string, text: string, mode = 0o644): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  await chmod(path, mode);
}

async function makeHome(home: string, canary: string): Promise<void> {
  for (const file of homeSecrets) await put(join(home, file), `[user]\n\tname = Person\n# ${canary}\n`, 0o600);
  for (const file of [
    ".bashrc",
    ".profile",
    ".nvm/nvm.sh",
    ".cargo/bin/cargo",
    ".local/bin/tool",
    ".ssh/authorized_keys",
  ])
    await put(join(home, file), "x");
}

async function makeProject(project: string, out: string, canary: string, copies: string): Promise<void> {
  const files: Readonly<Record<string, string>> = {
    "src/app.js": "1",
    "x.js": "1",
    "package.json": `{"scripts":{"test":"node test"}}`,
    "AGENTS.md": "# Instructions\n",
    ".vscode/settings.json": "{}",
    ".husky/pre-commit": "true",
    ".github/workflows/ci.yml": "on: push",
    Makefile: "all:\n",
    "eslint.config.js": "",
    "run.sh": "true",
    ".envrc": "export A=1",
    "packages/a/package.json": "{}",
    "packages/a/index.js": "1",
    "node_modules/lib/index.js": "1",
  };
  for (const [name, text] of Object.entries(files)) await put(join(project, name), text);
  for (const name of projectSecrets) await put(join(project, name), `registry=//x/:_authToken=${canary}\n`, 0o600);
  await put(join(project, "envs/dev"), canary);
  await mkdir(join(project, ".devenv/run"), { recursive: true });
  await symlink("envs/dev", join(project, ".env.development"));
  await symlink("AGENTS.md", join(project, "CLAUDE.md"));
  await symlink(out, join(project, "leads-out"));
  await link(join(out, "target.txt"), join(project, "hard-link.txt"));
  // The repositories are made once, then copied, which takes less time than git.
  const repositories = [
    [join(project, ".git"), join(copies, "project")],
    [join(project, "packages/b/.git"), join(copies, "b")],
  ] as const;
  if (!existsSync(join(copies, "b"))) {
    await makeRepositories(project, out, canary);
    for (const [at, copy] of repositories) await cp(at, copy, { recursive: true });
  } else for (const [at, copy] of repositories) await cp(copy, at, { recursive: true });
}

async function makeRepositories(project: string, out: string, canary: string): Promise<void> {
  const git = (cwd: string, ...args: string[]) =>
    promisify(execFile)("git", args, { cwd, env: { PATH: process.env["PATH"], HOME: out } });
  for (const repository of [project, join(project, "packages/b")]) {
    await mkdir(repository, { recursive: true });
    await git(repository, "init", "-q");
  }
  await git(project, "remote", "add", "origin", `https://person:${canary}@git.example/project.git`);
  await git(project, "add", "src", "package.json");
  await git(project, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "first");
}

/** All files and folders next to the workspace: names, kinds, modes, contents. */
function outsideState(base: string, project: string): Map<string, string> {
  const found = new Map<string, string>();
  walk(base, (path) => path !== project, found);
  const status = lstatSync(project, { throwIfNoEntry: false });
  found.set(`${base}/`, String(status?.ino));
  return found;
}

/** The files of the workspace that act unasked, and settings of git. */
function fixedState(project: string): Map<string, string> {
  const all = new Map<string, string>();
  walk(project, (path) => !/\/\.git\/(?:objects|refs|logs)$/.test(path), all);
  const bare = [...all.keys()].filter((path) => path.endsWith("/HEAD") && all.has(join(dirname(path), "objects")));
  return new Map(
    [...all].filter(([path, state]) => {
      const inRoot = relative(project, path) + (state.startsWith("folder") ? "/" : "");
      if (/(?:^|\/)\.git\//.test(inRoot))
        return /\/(?:config|config\.worktree|commondir|gitdir|hooks\/.*|info\/attributes|modules\/.*)$/.test(path);
      const verdict = sandboxPolicy.verdictOf(inRoot);
      return (
        bare.includes(path) ||
        verdict === "obeyed" ||
        verdict === "executed" ||
        verdict === "packages" ||
        inRoot.includes("node_modules/")
      );
    }),
  );
}

function walk(folder: string, isWanted: (path: string) => boolean, found: Map<string, string>): void {
  // An attempt may have taken the folder away.
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const path = join(folder, name);
    if (!isWanted(path)) continue;
    const status = lstatSync(path, { throwIfNoEntry: false });
    if (!status) continue;
    const mode = (status.mode & 0o7777).toString(8);
    if (status.isDirectory()) {
      found.set(path, `folder ${mode}`);
      walk(path, isWanted, found);
    } else if (status.isSymbolicLink()) found.set(path, `link ${readlinkSync(path)}`);
    else if (status.isFile()) found.set(path, `file ${mode} ${hashOf(path)} ${status.mtimeMs}`);
    else found.set(path, "other");
  }
}

function hashOf(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex").slice(0, 12);
}

/** Whether the process runs. A signal that was sent counts, even where a busy machine has not yet let the process take it. */
function isRunning(pid: number | undefined): boolean {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return /^State:\s+[SRD]/m.test(status) && !/^(?:SigPnd|ShdPnd):\s*0*[1-9a-f]/m.test(status);
  } catch {
    return false;
  }
}

/** Looks again for a while: what was killed may still be listed. */
async function leftBehind(marks: readonly string[]): Promise<readonly number[]> {
  let found: readonly number[] = [];
  for (let look = 0; look < 20; look += 1) {
    found = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) && hasMark(name, marks) ? [Number(name)] : []));
    if (found.length === 0) return found;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return found;
}

function hasMark(pid: string, marks: readonly string[]): boolean {
  try {
    const line = readFileSync(`/proc/${pid}/cmdline`, "latin1");
    return marks.some((mark) => line.includes(mark)) && !readFileSync(`/proc/${pid}/stat`, "latin1").includes(") Z ");
  } catch {
    return false;
  }
}
