/** The sandbox of this system for commands: bubblewrap on Linux, `sandbox-exec` on macOS, none on Windows (A13). */
import { execFile } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { getgid, getuid } from "node:process";
import { join } from "node:path";
import type { Disposable } from "../../base/disposable";
import { definedFields } from "../../base/definedFields";
import type { ChildCommand } from "../../domain/tools/childProcesses";
import type { Confinement, SandboxState } from "../../domain/tools/sandbox";
import { bubblewrapArguments, type HostView, isBelow } from "./bubblewrap";
import {
  type ConfinedEnvironment,
  confinedEnvironment,
  gitIdentity,
  readHostView,
  realOf,
  statusIfSeen,
} from "./hostView";
import { closeHandles, type OverlayPrograms, separateFolderOf, WorkspaceCopy } from "./workspaceCopy";
import { type MountKind, scanRoots } from "./scanRoots";
import { gitIn, settingsForGit, withoutPrograms, withRepositories } from "./gitMounts";
import { seatbeltProfile } from "./seatbelt";
import { WindowFolder } from "./windowFolder";

type HostEnvironment = Readonly<Record<string, string | undefined>>;
type SandboxArgv = readonly [string, ...string[]];

export interface Sandbox {
  /** `roots`: folders of a workspace, links resolved. Never rejects. */
  state(roots: readonly string[]): Promise<SandboxState>;
  /** Prepares what a confined command needs. Rejects with an error whose message says in a clause why that can't be done. */
  enter(command: ChildCommand, confinement: Confinement, signal: AbortSignal): Promise<SandboxProgram>;
  /** Opens a copy of which not all was applied. `undefined` where it is gone. */
  reopen(folder: string): Promise<WorkspaceCopy | undefined>;
}

/** The program that is started in place of the command. */
export interface SandboxProgram {
  readonly argv: SandboxArgv;
  readonly environment: ConfinedEnvironment;
  /** The copy on which the command works, where one was asked for. It is handed on or closed after the command's end. */
  readonly copy?: WorkspaceCopy;
}

interface Program {
  readonly path: string;
  /** The shell that starts bubblewrap, with its options. */
  readonly shell: SandboxArgv;
  readonly view: HostView;
  readonly kind: "bubblewrap" | "seatbelt";
  /** Missing where not all of these programs are installed. */
  readonly overlay?: OverlayPrograms;
}

/** Milliseconds. */
const probeLimit = 10_000;

/**
 * `isWanted`: the setting `sluice.sandbox`, read each time. `environment`: that of this process. `copies`: the folder for copies of the workspace;
 * missing for none. `onLeft`: called with the folder of a copy that could not be applied whole.
 */
export function createSandbox(
  isWanted: () => boolean,
  environment: HostEnvironment,
  copies?: string,
  onLeft?: (folder: string) => void,
  platform: NodeJS.Platform = process.platform,
): Sandbox & Disposable {
  const own = new WindowFolder();
  let found: Promise<Program | Exclude<SandboxState, { state: "ready" }>> | undefined;
  const find = (): NonNullable<typeof found> =>
    (found ??= findProgram(environment, platform, own).catch(() => ({ state: "missing", why: "refused" }) as const));
  /** Whether a copy works, by folder of the workspace. */
  const copied = new Map<string, Promise<boolean>>();
  const canCopy = (root: string, { overlay }: Program): Promise<boolean> => {
    const known =
      copied.get(root) ?? (overlay && copies !== undefined ? probeCopy(overlay, copies, root) : Promise.resolve(false));
    copied.set(root, known);
    return known;
  };
  return {
    dispose: () => own.dispose(),
    async state(roots) {
      if (!isWanted()) return { state: "off" };
      const program = await find();
      if ("state" in program) return program;
      if (roots.some((root) => isTooWide(root, program.view))) return { state: "missing", why: "too-wide" };
      const each = await Promise.all(roots.map((root) => canCopy(root, program)));
      return { state: "ready", copies: each.every(Boolean) };
    },
    async reopen(folder) {
      const program = await find();
      return "state" in program || !program.overlay ? undefined : WorkspaceCopy.reopen(program.overlay, folder, onLeft);
    },
    async enter(command, confinement, signal) {
      const program = await find();
      if ("state" in program) throw new Error("there is no sandbox");
      const { path, shell, view, overlay } = program;
      // The sandbox of Linux has a folder for temporary files of its own.
      const temporary = program.kind === "bubblewrap" ? "/tmp" : own.path;
      const begun = Date.now();
      const { roots, onCopy } = confinement;
      const isCopy = onCopy !== undefined;
      const isGit = confinement.git !== undefined;
      const git = gitIn(command.cwd, confinement);
      // Without a copy git reads the workspace, or records in its repository, and writes nothing else.
      const isFixed = isGit && !isCopy;
      const scanned = await scanRoots(confinement, { isCopy, readsGit: git !== undefined }, signal);
      // Nothing can be moved in what is read-only, so no folder has to be mounted as writable to stay in its place.
      const kept = isFixed ? new Map([...scanned].filter(([, kind]) => kind !== "open")) : scanned;
      const mounts = git === "records" ? withRepositories(kept, roots, view.home) : kept;
      const confined = { ...command, ...confinement, mounts, ...(isFixed ? { isFixed: true as const } : {}) };
      const given = isGit ? withoutPrograms(command.environment, roots) : command.environment;
      const gitVariables = { ...gitIdentity(view.home), ...(isGit ? settingsForGit : {}) };
      const entered = { environment: confinedEnvironment(given, temporary, gitVariables) };
      if (program.kind === "seatbelt")
        return { ...entered, argv: [path, "-p", seatbeltProfile(view, confined, temporary), ...command.argv] };
      const { emptyFile } = own;
      if (!isCopy) {
        const options = bubblewrapArguments(view, { ...confined, emptyFile });
        const argv = [path, ...options, "--", ...command.argv];
        return { ...entered, argv: [...shell, "-c", `${closeHandles}exec "$@"`, "sh", ...argv] };
      }
      if (!overlay || copies === undefined) throw new Error("there is no copy of the workspace here");
      const foreign = mountsBelow(roots);
      const isMasked = (path: string, kind: MountKind): boolean =>
        kind === "hidden-file" && !foreign.some((mounted) => isBelow(mounted, path));
      const hidden = [...scanned].flatMap(([path, kind]) => (isMasked(path, kind) ? [path] : []));
      const apart = new Map(
        [...scanned].flatMap(([path, kind]) => (kind === "apart" ? [[path, separateFolderOf(copies, path)]] : [])),
      );
      const copy = WorkspaceCopy.create(overlay, copies, roots, hidden, { begun, apart, ...definedFields({ onLeft }) });
      const { merged } = copy;
      const others = new Map([...scanned].filter(([path, kind]) => !isMasked(path, kind)));
      const options = bubblewrapArguments(view, { ...confined, mounts: others, merged, foreign, apart, emptyFile });
      // The copy is mounted by the administrator of its own namespace; the command runs as the person again.
      const person = ["--uid", String(getuid?.() ?? 0), "--gid", String(getgid?.() ?? 0)];
      return { ...entered, copy, argv: copy.argv(path, [...person, ...options], command.argv) };
    },
  };
}

/** Other file systems in the roots: a volume for packages, for example. */
function mountsBelow(roots: readonly string[]): readonly string[] {
  const unescaped = (path: string): string =>
    path.replace(/\\([0-7]{3})/gu, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
  return readFileSync("/proc/self/mountinfo", "latin1")
    .split("\n")
    .map((line) => Buffer.from(unescaped(line.split(" ")[4] ?? ""), "latin1").toString())
    .filter((path) => roots.some((root) => path !== root && isBelow(root, path)));
}

/** Whether the system lets a folder be copied so: not all kernels and not all file systems do. */
async function probeCopy(overlay: OverlayPrograms, copies: string, root: string): Promise<boolean> {
  try {
    // Files of another owner could not be changed in the copy.
    if (statSync(root).uid !== getuid?.()) return false;
    const copy = WorkspaceCopy.create(overlay, copies, [root], [], { begun: Date.now(), apart: new Map() });
    const argv = copy.argv("/bin/true", [], []);
    const isMade = await new Promise<boolean>((resolve) => {
      const options = { timeout: probeLimit, env: { PATH: "/usr/bin:/bin" } };
      execFile(argv[0], argv.slice(1), options, (error) => resolve(error === null && copy.wasStarted));
    });
    await copy.close();
    return isMade;
  } catch {
    return false;
  }
}

const systemFolders = [
  "/usr",
  "/etc",
  "/bin",
  "/lib",
  "/proc",
  "/dev",
  "/run",
  "/tmp",
  "/var",
  "/nix",
  "/System",
  "/Library",
  "/private",
];

/** Whether the home folder or a part of the system is inside of the root. */
function isTooWide(root: string, { home }: HostView): boolean {
  return [home, ...systemFolders].some((path) => isBelow(root, path));
}

async function findProgram(
  environment: HostEnvironment,
  platform: NodeJS.Platform,
  own: WindowFolder,
): ReturnType<typeof probe> {
  if (platform === "linux") {
    const path = findOfSystem("bwrap");
    if (path === undefined) return { state: "missing", why: "not-installed" };
    const view = readHostView(environment);
    const test = { cwd: "/", roots: [], mounts: new Map<string, MountKind>(), emptyFile: own.emptyFile };
    const [bash, unshare, mount] = ["bash", "unshare", "mount"].map(findOfSystem);
    // With a socket as its input bash assumes a remote login, and reads the person's startup file.
    const shell: SandboxArgv = bash === undefined ? ["/bin/sh"] : [bash, "--norc"];
    const overlay = unshare === undefined || mount === undefined ? {} : { overlay: { shell, unshare, mount } };
    const program = { path, shell, view, kind: "bubblewrap", ...overlay } as const;
    return probe(program, [...bubblewrapArguments(view, test), "--", "true"]);
  }
  if (platform !== "darwin") return { state: "missing", why: "no-such" };
  const view = readHostView(environment);
  const profile = seatbeltProfile(view, { roots: [], mounts: new Map() }, own.path);
  const program = { path: "/usr/bin/sandbox-exec", shell: ["/bin/sh"], view, kind: "seatbelt" } as const;
  return probe(program, ["-p", profile, "/usr/bin/true"]);
}

/** Tests whether the system lets the program work: containers and some distributions forbid namespaces. */
function probe(
  program: Program,
  args: readonly string[],
): Promise<Program | Exclude<SandboxState, { state: "ready" }>> {
  return new Promise((resolve) => {
    execFile(program.path, args, { timeout: probeLimit, env: { PATH: "/usr/bin:/bin" } }, (error) => {
      resolve(error === null ? program : { state: "missing", why: "refused" });
    });
  });
}

/** It is searched instead of PATH, which may lead into a project, whose files are the administrator's too in a container. */
const systemPath = [
  "/usr/bin",
  "/bin",
  "/usr/sbin",
  "/sbin",
  "/usr/local/bin",
  "/run/wrappers/bin",
  "/run/current-system/sw/bin",
];

/** Finds a program that only the system's administrator can change. `mount` may run with the administrator's rights, which have no effect here. */
function findOfSystem(name: string): string | undefined {
  for (const folder of systemPath) {
    const file = realOf(join(folder, name));
    const status = file === undefined ? undefined : statusIfSeen(file);
    if (status?.isFile() === true && status.uid === 0 && (status.mode & 0o022) === 0) return file;
  }
  return undefined;
}
