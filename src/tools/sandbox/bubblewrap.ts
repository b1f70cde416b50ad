/** The arguments of bubblewrap, the sandbox of Linux: a file system made of what the command needs, and namespaces of its own. Pure. */
import type { MountKind } from "./scanRoots";

/** The parts of this machine that every command may see. */
export interface HostView {
  readonly home: string;
  /** Folders and files of programs and libraries, as they are named: system first. */
  readonly programs: readonly string[];
  /** Links at the top of the file system, such as `/bin`, with their targets. */
  readonly links: readonly (readonly [at: string, target: string])[];
  /** The parts of these that not everyone may read, or that may hold a login. */
  readonly hidden: readonly (readonly [path: string, kind: "hidden-file" | "hidden-folder"])[];
  /** The file that `/etc/resolv.conf` leads to, where that is elsewhere. */
  readonly resolver?: string;
  /** Bytes that the machine has: what a command writes into temporary folders is kept there. */
  readonly memory: number;
}

export interface ConfinedCommand {
  readonly cwd: string;
  readonly roots: readonly string[];
  readonly mounts: ReadonlyMap<string, MountKind>;
  readonly usesNetwork?: true;
  /** The copy that is mounted in the place of each root, by root. */
  readonly merged?: ReadonlyMap<string, string>;
  /** Other file systems that are mounted in the roots. A copy shows only the folders below these mounts. */
  readonly foreign?: readonly string[];
  /** The folder outside of the workspace that is mounted in the place of a folder of a copy, by the latter. */
  readonly apart?: ReadonlyMap<string, string>;
  /** An empty file, mounted in the place of one that is hidden. */
  readonly emptyFile: string;
  /** The roots can't be written. bubblewrap still mounts what is `open` in them as writable. */
  readonly isFixed?: true;
}

/**
 * `--new-session`: no character can be pushed into the terminal that VS Code runs in. `--unshare-pid` with a `/proc` of its own: other
 * processes can be neither seen nor signalled, and all that the command leaves running ends with it. `--unshare-net`: also abstract
 * sockets, by which a desktop's services are reached. `--disable-userns`: no namespaces inside, in which mounts could be made.
 */
const isolation = [
  ...["--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"],
  ...["--disable-userns", "--die-with-parent", "--new-session", "--cap-drop", "ALL"],
];

/** Shares of the memory, half of it in all, for `/tmp` and for each of the other places. Files there count for no process, so this bounds them. */
const temporaryShare = 1 / 4;
const otherShare = 1 / 16;

export function bubblewrapArguments(
  { home, programs, links, hidden, resolver, memory }: HostView,
  { cwd, roots, mounts, usesNetwork, merged, foreign = [], apart = new Map(), emptyFile, isFixed }: ConfinedCommand,
): readonly string[] {
  const inHome = programs.filter((path) => isBelow(home, path));
  const hide = (isInHome: boolean): readonly string[] =>
    hidden
      .filter(([path]) => isBelow(home, path) === isInHome)
      .flatMap(([path, kind]) => mountOf(path, kind, emptyFile));
  const tmpfs = (path: string, share = otherShare): readonly string[] => [
    ...["--size", String(Math.ceil(memory * share)), "--tmpfs", path],
  ];
  const scratch = otherShare / Math.max(1, [...mounts.values()].filter((kind) => kind === "scratch").length);
  return [
    ...isolation.filter((option) => usesNetwork !== true || option !== "--unshare-net"),
    ...["--proc", "/proc", "--dev", "/dev", ...tmpfs("/dev/shm")],
    ...[...tmpfs("/tmp", temporaryShare), ...tmpfs("/var/tmp"), ...tmpfs("/run", otherShare / 16)],
    ...inOrder(programs.filter((path) => !isBelow(home, path))).flatMap((path) => ["--ro-bind", path, path]),
    ...(usesNetwork === true && resolver !== undefined ? ["--ro-bind", resolver, resolver] : []),
    ...links.flatMap(([at, target]) => ["--symlink", target, at]),
    ...hide(false),
    ...tmpfs(home),
    ...inOrder(inHome).flatMap((path) => ["--ro-bind", path, path]),
    ...hide(true),
    ...inOrder(roots).flatMap((root) => [isFixed === true ? "--ro-bind" : "--bind", merged?.get(root) ?? root, root]),
    ...inOrder(foreign).flatMap((path) => ["--ro-bind", path, path]),
    ...inOrder([...apart.keys()]).flatMap((path) => ["--bind", apart.get(path) ?? path, path]),
    // A mount covers what was mounted below it before, so folders come first.
    ...inOrder([...mounts.keys()]).flatMap((path) =>
      mounts.get(path) === "scratch" ? tmpfs(path, scratch) : mountOf(path, mounts.get(path), emptyFile),
    ),
    // `/proc` also holds settings of the whole machine, which a process of the administrator may write, whatever its capabilities.
    ...["--remount-ro", "/proc", "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", cwd],
  ];
}

function mountOf(path: string, kind: MountKind | undefined, emptyFile: string): readonly string[] {
  switch (kind) {
    case "fixed":
      return ["--ro-bind", path, path];
    case "open":
      return ["--bind", path, path];
    case "hidden-file":
      return ["--ro-bind", emptyFile, path];
    case "hidden-folder":
      return ["--tmpfs", path, "--remount-ro", path];
    case "scratch":
    case "apart":
    case undefined:
      return [];
  }
}

/** Sorts paths so that each comes after the folders that it lies in. */
function inOrder(paths: readonly string[]): readonly string[] {
  const depth = (path: string): number => path.split("/").length;
  return paths.toSorted((one, other) => depth(one) - depth(other) || (one < other ? -1 : 1));
}

export function isBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
