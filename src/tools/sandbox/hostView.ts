/**
 * Decides what of this machine a sandboxed command sees on Linux: programs and libraries, but no home folder and nothing that is not for everyone;
 * and the environment variables that it gets.
 */
import { lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync, type Stats } from "node:fs";
import { homedir, totalmem } from "node:os";
import { basename, dirname, isAbsolute, join } from "node:path";
import { gitSetting } from "../../base/gitSetting";
import { type HostView, isBelow } from "./bubblewrap";

/** Entries at the top of the file system; each is a folder, or a link to one in `/usr`. */
const topFolders = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/nix/store", "/gnu/store"];
const systemLinks = ["/run/current-system"];

/** Toolchains and caches of packages in the home folder: the parts of them that hold no login. */
const toolchains =
  `.nvm .fnm .local/share/fnm .volta .n .asdf .local/share/mise .local/share/rtx .cargo/bin .cargo/registry .cargo/git .rustup
  .pyenv .local/bin .local/lib .local/pipx .local/share/pipx .local/share/uv/python .local/share/uv/tools .local/share/virtualenvs .rbenv
  .rvm .gem/ruby .sdkman .jenv .deno/bin .bun/bin go/bin go/pkg .m2/repository .nuget/packages .local/share/pnpm .npm-global
  .cache/ms-playwright .cache/puppeteer miniconda3 anaconda3 miniforge3 .ghcup .opam .juliaup .julia/packages .julia/artifacts
  .julia/compiled .julia/registries .julia/juliaup .elan .swiftly .dotnet`.split(/\s+/);

/** Entries of a toolchain that may hold a login or a key. `*`: each folder. */
const loginsOfToolchains = [
  ...[
    "etc/npmrc",
    "versions/node/*/etc/npmrc",
    "n/versions/node/*/etc/npmrc",
    "node-versions/*/installation/etc/npmrc",
  ],
  ...["tools/image/node/*/etc/npmrc", "installs/node/*/etc/npmrc", "installs/nodejs/*/etc/npmrc"],
  ...["corefx", ".condarc", "condarc", "etc/.condarc", "etc/pip.conf", "pip.conf", "credentials", "servers", "logs"],
];

/** Variables that name a toolchain somewhere else. */
const toolchainNames =
  `JAVA_HOME GOROOT NVM_DIR PYENV_ROOT RUSTUP_HOME VOLTA_HOME DOTNET_ROOT ANDROID_HOME FLUTTER_ROOT CONDA_PREFIX
  VIRTUAL_ENV SDKMAN_DIR`.split(/\s+/);

/** Reads the disk; once a window is enough. */
export function readHostView(environment: Readonly<Record<string, string | undefined>>): HostView {
  const home = realOf(environment["HOME"] ?? homedir()) ?? homedir();
  const top = topFolders.flatMap((path) => (kindOf(path) === "folder" ? [path] : []));
  const links = topFolders.flatMap((path) => (kindOf(path) === "link" ? [[path, readlinkSync(path)] as const] : []));
  const named = [
    ...toolchains.map((name) => join(home, name)),
    ...toolchainNames.flatMap((name) => environment[name] ?? []),
    ...(environment["PATH"] ?? "").split(":").flatMap((folder) => programFolders(folder, home)),
    ...systemLinks,
  ];
  const programs = [...new Set([...top, ...named.filter((path) => mayBeSeen(path, home, top))])];
  const resolver = realOf("/etc/resolv.conf");
  const elsewhere = resolver !== undefined && !isBelow("/etc", resolver) ? { resolver } : {};
  const logins = programs.filter((path) => isBelow(home, path)).flatMap(loginsOf);
  const hidden = [...privateBelow("/etc", 4), ...logins];
  return { home, programs, links, hidden, memory: totalmem(), ...elsewhere };
}

function loginsOf(toolchain: string): HostView["hidden"] {
  return loginsOfToolchains
    .flatMap((pattern) => matching(toolchain, pattern.split("/")))
    .flatMap((path) => {
      const kind = kindOf(path);
      return kind === undefined ? [] : [[path, kind === "folder" ? "hidden-folder" : "hidden-file"] as const];
    });
}

function matching(folder: string, [name, ...rest]: readonly string[]): readonly string[] {
  if (name === undefined) return [folder];
  const names = name === "*" ? entriesOf(folder) : [name];
  return names.flatMap((one) => matching(join(folder, one), rest));
}

/** `undefined` where nothing is there. */
export function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** The folder, or the one above a `bin` that has libraries next to it, because its programs are a part of that. */
function programFolders(folder: string, home: string): readonly string[] {
  const above = dirname(folder);
  const has = (name: string): boolean => kindOf(join(above, name)) === "folder";
  const isPrefix = basename(folder) === "bin" && has("lib") && (has("share") || has("include")) && !has(".git");
  return [isPrefix && above !== join(home, ".local") && !isBelow(above, home) ? above : folder];
}

/** Whether a folder may be seen, as one of programs only: not a home, the top, a temporary folder, or one of settings and logins. */
function mayBeSeen(path: string, home: string, top: readonly string[]): boolean {
  if (!isAbsolute(path) || !["folder", "link"].includes(kindOf(path) ?? "")) return false;
  if (isBelow(path, home)) return false;
  // The home of a build machine may itself be below /tmp, or in a folder with such a name: what is in it is judged from there on.
  const judged = isBelow(home, path) ? path.slice(home.length) : path;
  if (isBelow("/tmp", judged) || isBelow("/run/user", judged)) return false;
  if (/\/(?:\.ssh|\.aws|\.gnupg|\.kube|\.docker|\.config|\.vscode[^/]*|\.git)(?:\/|$)/u.test(judged)) return false;
  return !top.some((folder) => isBelow(folder, path)) && dirname(path) !== "/";
}

/** Finds what not everyone may read, such as keys and passwords of the system, which a command of the administrator could read otherwise. */
function privateBelow(folder: string, depth: number): HostView["hidden"] {
  return entriesOf(folder).flatMap((name) => {
    const path = join(folder, name);
    const status = statusIfSeen(path);
    if (!status || status.isSymbolicLink()) return [];
    if (status.isDirectory())
      return (status.mode & 0o005) === 0o005
        ? depth > 1
          ? privateBelow(path, depth - 1)
          : []
        : [[path, "hidden-folder"] as const];
    return (status.mode & 0o004) === 0 ? [[path, "hidden-file"] as const] : [];
  });
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** `undefined` also for one in a folder that this person may not enter: PATH may name folders of other people. */
export function statusIfSeen(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

function kindOf(path: string): "folder" | "link" | "other" | undefined {
  const status = statusIfSeen(path);
  if (status === undefined) return undefined;
  return status.isDirectory() ? "folder" : status.isSymbolicLink() ? "link" : "other";
}

/** Variables that say who commits, from the person's own settings of git, which are not there in the sandbox. */
export function gitIdentity(home: string): ConfinedEnvironment {
  const read = (name: string): string | undefined =>
    [join(home, ".gitconfig"), join(home, ".config/git/config")]
      .map((file) => gitSetting(textOf(file), "user", name))
      .find((value) => value !== undefined && value !== "");
  const [name, email] = [read("name"), read("email")];
  return {
    ...(name === undefined ? {} : { GIT_AUTHOR_NAME: name, GIT_COMMITTER_NAME: name }),
    ...(email === undefined ? {} : { GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_EMAIL: email }),
  };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

// The environment of a sandboxed command lacks what names a socket, a session or a service of the machine. Pure.

export type ConfinedEnvironment = Readonly<Record<string, string>>;

const outside =
  /^(?:DBUS_.*|XDG_(?:RUNTIME_DIR|SESSION.*|SEAT.*|VTNR)|DISPLAY|WAYLAND_.*|XAUTHORITY|ICEAUTHORITY|SESSION_MANAGER|DESKTOP_.*|GNOME_.*|KDE_.*|SSH_.*|GPG_.*|DOCKER_.*|CONTAINER_HOST|PODMAN_.*|KUBECONFIG|KUBERNETES_.*|PULSE_.*|PIPEWIRE_.*|NOTIFY_SOCKET|LISTEN_.*|JOURNAL_STREAM|INVOCATION_ID|WSL.*|TMUX.*|STY|SUDO_.*|MAIL|REMOTE_CONTAINERS.*|GIT_(?:DIR|WORK_TREE|CONFIG.*|SSH.*|EXEC_PATH|PROXY_.*)|(?:https?|ftp|all|no)_proxy|LD_(?:PRELOAD|AUDIT))$/i;

export function confinedEnvironment(
  environment: ConfinedEnvironment,
  temporary: string,
  more: ConfinedEnvironment,
): ConfinedEnvironment {
  const kept = Object.entries(environment).filter(([name]) => !outside.test(name));
  return {
    ...Object.fromEntries(kept),
    TMPDIR: temporary,
    // Compiled files next to sources would be run later, outside of the sandbox, so they are written where they end with the command.
    PYTHONPYCACHEPREFIX: `${temporary}/pycache`,
    ...more,
  };
}
