/** The sandbox of this system for commands: bubblewrap on Linux, `sandbox-exec` on macOS, none on Windows (A13). */
import { execFile } from "node:child_process";
import { lstatSync, mkdirSync, mkdtempSync, realpathSync, rmdirSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { once } from "../../base/async/once";
import type { Disposable } from "../../base/disposable";
import type { ChildCommand } from "../../domain/tools/childProcesses";
import type { Confinement, SandboxState } from "../../domain/tools/sandbox";
import { bubblewrapArguments, type HostView, isBelow } from "./bubblewrap";
import { type ConfinedEnvironment, confinedEnvironment } from "./confinedEnvironment";
import { gitMounts, missingInGit } from "./gitFolder";
import { gitIdentity, readHostView, statusIfSeen } from "./hostView";
import { type MountKind, type Scanned, scanRoots, targetOf } from "./scanRoots";
import { seatbeltProfile } from "./seatbelt";
import { SetAsideFiles } from "./setAside";

type HostEnvironment = Readonly<Record<string, string | undefined>>;
type SandboxArgv = readonly [string, ...string[]];

export interface Sandbox {
  /** For folders of a workspace, links resolved. Never rejects. */
  state(roots: readonly string[]): Promise<SandboxState>;
  /** Makes ready what a confined command needs. Rejects with an error whose message says in a clause why that can't be done. */
  enter(command: ChildCommand, confinement: Confinement, signal: AbortSignal): Promise<Entered>;
}

/** What is started in place of the command. `leave`: to be called once after its end. */
export interface Entered {
  readonly argv: SandboxArgv;
  readonly environment: ConfinedEnvironment;
  leave(): Promise<void>;
}

interface Program {
  readonly path: string;
  readonly view: HostView;
  /** A folder for temporary files, where the sandbox gives none of its own. */
  readonly temporary: string;
  readonly kind: "bubblewrap" | "seatbelt";
}

/** Milliseconds. */
const probeLimit = 10_000;

/** Obeyed as soon as they are there, so that they are not made while a command runs: an empty folder is in their place. */
const maskedNames = [".git", ".vscode"];

/** Calls `look` with each path that is made in the workspace, as the window names it, and `keep` with those that the person makes in it. */
export type WatchMade = (look: (path: string) => void, keep: (path: string) => void) => Disposable;

const noWatch: WatchMade = () => ({ dispose: () => undefined });

/** `isWanted`: the setting `sluice.sandbox`, read each time. `environment`: of this process. */
export function createSandbox(
  isWanted: () => boolean,
  environment: HostEnvironment,
  watchMade = noWatch,
  platform: NodeJS.Platform = process.platform,
): Sandbox {
  let found: Promise<Program | Exclude<SandboxState, { state: "ready" }>> | undefined;
  const find = (): NonNullable<typeof found> =>
    (found ??= findProgram(environment, platform).catch(() => ({ state: "missing", why: "refused" }) as const));
  const running = new RunningCommands(watchMade);
  return {
    async state(roots) {
      if (!isWanted()) return { state: "off" };
      const program = await find();
      if ("state" in program) return program;
      return roots.some((root) => isTooWide(root, program.view))
        ? { state: "missing", why: "too-wide" }
        : { state: "ready" };
    },
    async enter(command, confinement, signal) {
      const program = await find();
      if ("state" in program) throw new Error("there is no sandbox");
      const { view, temporary } = program;
      const entered = await running.enter(confinement, view.home, signal);
      const confined = { ...command, ...confinement, mounts: entered.mounts };
      const argv: SandboxArgv =
        program.kind === "bubblewrap"
          ? [program.path, ...bubblewrapArguments(view, confined)]
          : [program.path, "-p", seatbeltProfile(view, confined, temporary), ...command.argv];
      return {
        argv,
        environment: confinedEnvironment(command.environment, temporary, gitIdentity(view.home)),
        leave: () => entered.leave(),
      };
    },
  };
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

/** The home folder, or a part of the system, is inside of it. */
function isTooWide(root: string, { home }: HostView): boolean {
  return [home, ...systemFolders].some((path) => isBelow(root, path));
}

async function findProgram(environment: HostEnvironment, platform: NodeJS.Platform): ReturnType<typeof probe> {
  if (platform === "linux") {
    const path = findBubblewrap(environment["PATH"] ?? "");
    if (path === undefined) return { state: "missing", why: "not-installed" };
    const view = readHostView(environment);
    const test = { argv: ["true"] as const, cwd: "/", roots: [], mounts: new Map<string, MountKind>() };
    return probe({ path, view, temporary: "/tmp", kind: "bubblewrap" }, bubblewrapArguments(view, test));
  }
  if (platform !== "darwin") return { state: "missing", why: "no-such" };
  const temporary = mkdtempSync(join(realpathSync(tmpdir()), "sluice-sandbox-"));
  const view = readHostView(environment);
  const profile = seatbeltProfile(view, { roots: [], mounts: new Map() }, temporary);
  return probe({ path: "/usr/bin/sandbox-exec", view, temporary, kind: "seatbelt" }, ["-p", profile, "/usr/bin/true"]);
}

/** Whether the system lets it work: containers and some distributions forbid namespaces. */
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

/** Only one that the system's administrator alone can change: PATH may lead into a project. */
function findBubblewrap(path: string): string | undefined {
  for (const folder of path.split(":")) {
    if (!isAbsolute(folder) || folder.includes("/node_modules/")) continue;
    const file = join(folder, "bwrap");
    const status = statusIfSeen(file);
    if (status?.isFile() === true && status.uid === 0 && (status.mode & 0o022) === 0) return file;
  }
  return undefined;
}

/** The confined commands of this window that run now. */
class RunningCommands {
  readonly #watchMade: WatchMade;
  #count = 0;
  /** Empty folders that were made as places for mounts. */
  readonly #made = new Set<string>();
  /** What was found while no command ran: one that runs can't move any of it, so no mount is made where it has put something else. */
  #known: { readonly key: string; readonly mounts: ReadonlyMap<string, MountKind> } | undefined;

  constructor(watchMade: WatchMade) {
    this.#watchMade = watchMade;
  }

  async enter(
    confinement: Confinement,
    home: string,
    signal: AbortSignal,
  ): Promise<{ readonly mounts: ReadonlyMap<string, MountKind>; leave(): Promise<void> }> {
    const { roots } = confinement;
    const key = roots.join("\0");
    const before = await scanRoots(confinement, signal);
    if (this.#count === 0 || this.#known?.key !== key) this.#known = { key, mounts: before.mounts };
    this.#count += 1;
    const mounts = new Map(this.#known.mounts);
    for (const root of roots) this.#mask(root, mounts);
    if (confinement.writesGit === true) openRepositories(roots, home, mounts);
    return { mounts, leave: once(this.#leaving(confinement, before)) };
  }

  /** What is to be done when a command has ended. From now on what it makes is looked at. */
  #leaving(confinement: Confinement, before: Scanned): () => Promise<void> {
    const { onSetAside } = confinement;
    const repositories = confinement.writesGit === true ? confinement.roots.map((root) => missingInGit(root)) : [];
    const files = new SetAsideFiles(confinement, before, this.#made);
    const watch =
      onSetAside &&
      this.#watchMade(
        (path) => files.lookAt(path),
        (path) => files.keep(path),
      );
    return async () => {
      watch?.dispose();
      this.#count -= 1;
      if (this.#count === 0) this.#removeMade();
      if (onSetAside !== undefined) await files.lookThrough([...repositories.flat(), ...before.awaited]);
      restoreLinks(before);
      onSetAside?.(files.files);
    };
  }

  #mask(root: string, mounts: Map<string, MountKind>): void {
    for (const name of maskedNames) {
      const path = join(root, name);
      if (mounts.has(path) || lstatSync(path, { throwIfNoEntry: false }) !== undefined) {
        if (this.#made.has(path)) mounts.set(path, "fixed");
        continue;
      }
      try {
        mkdirSync(path);
      } catch {
        // A folder that can't be written by the person neither can be by the command.
        continue;
      }
      this.#made.add(path);
      mounts.set(path, "fixed");
    }
  }

  #removeMade(): void {
    for (const path of this.#made) {
      try {
        rmdirSync(path);
      } catch {
        // Another program has put something into it.
      }
    }
    this.#made.clear();
  }
}

/** For git alone, which must see the files as they are: with something empty in the place of a secret it would record that. */
function openRepositories(roots: readonly string[], home: string, mounts: Map<string, MountKind>): void {
  const opened = roots.map((root) => gitMounts(root, home));
  if (opened.includes(undefined)) return;
  for (const [path, kind] of [...mounts]) if (kind.startsWith("hidden")) mounts.delete(path);
  for (const ofGit of opened) for (const [path, kind] of ofGit ?? []) mounts.set(path, kind);
}

/** A link can't be mounted over, so one may be gone, or something else in its place. */
function restoreLinks({ obeyed }: Scanned): void {
  for (const [path, target] of obeyed)
    if (target !== undefined && targetOf(path) === undefined) restoreLink(path, target);
}

function restoreLink(path: string, target: string): void {
  try {
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return;
    symlinkSync(target, path);
  } catch {
    // Its folder is gone.
  }
}
