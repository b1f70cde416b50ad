/** What git alone sees of the repositories in a workspace, which programs run for it there, and what it writes. */
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { hasSystemCode } from "../../base/systemErrors";
import type { Confinement } from "../../domain/tools/sandbox";
import { isRepository } from "../gate/gitRepository";
import { isBelow } from "./bubblewrap";
import { type ConfinedEnvironment, realOf } from "./hostView";
import { isFolderAt, type MountKind, type Mounts } from "./scanRoots";

/** Makes git ignore repositories whose folder is not named `.git`. Git before 2.38 ignores this setting. */
export const settingsForGit: ConfinedEnvironment = {
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: "safe.bareRepository",
  GIT_CONFIG_VALUE_0: "explicit",
};

/** The entries by which git takes a folder for a repository, see `isRepository`. */
const repositoryParts = ["HEAD", "commondir", "objects", "refs"];

/**
 * What a git command may do in the folder; `undefined` if git is treated there like any other program. git also obeys the settings of a folder above it
 * that has the files of a repository under another name than `.git`. Such a folder may come with the project or a package, so its settings may name any
 * program. A `.git` folder was made on this machine, but only that of the root is searched for programs, so below any other one git only reads.
 */
export function gitIn(cwd: string, { git, roots, policy }: Confinement): Confinement["git"] {
  const at = realOf(cwd) ?? cwd;
  const [root] = roots.filter((one) => isBelow(one, at)).sort((one, other) => other.length - one.length);
  if (git === undefined || root === undefined) return undefined;
  let isOfRoot = true;
  for (let folder = at; folder !== root; folder = dirname(folder)) {
    const inRoot = relative(root, folder).replaceAll("\\", "/");
    const parts = repositoryParts.filter((name) => isThere(join(folder, name)));
    if (isRepository(parts) || policy.verdictOf(`${inRoot}/`) === "packages") return undefined;
    if (isThere(join(folder, ".git"))) isOfRoot = false;
  }
  return isOfRoot ? git : "reads";
}

/** Removes folders of the roots from PATH: git reads what a repository ever held, so no program of the workspace may run in its place. */
export function withoutPrograms(environment: ConfinedEnvironment, roots: readonly string[]): ConfinedEnvironment {
  const isOutside = (folder: string): boolean => roots.every((root) => !isBelow(root, realOf(folder) ?? folder));
  const folders = environment["PATH"]?.split(":").filter(isOutside);
  return folders === undefined ? environment : { ...environment, PATH: folders.join(":") };
}

/** The mounts for git alone, which must see the files as they are: it would record an empty file in place of a secret. It writes its folders only. */
export function withRepositories(scanned: Mounts, roots: readonly string[], home: string): Mounts {
  const opened = roots.map((root) => gitMounts(root, home));
  if (opened.includes(undefined)) return scanned;
  return new Map([
    ...[...scanned].filter(
      ([path, kind]) => !kind.startsWith("hidden") && roots.every((root) => path !== join(root, ".git")),
    ),
    ...opened.flatMap((ofGit) => [...(ofGit ?? [])]),
  ]);
}

/** Settings and programs of the repository. */
const fixed = ["config", "config.worktree", "hooks", "commondir", "gitdir", "modules", "worktrees", "info/attributes"];

/** `undefined` where something else than git would run, where the person's settings would make another commit of it, or where it is no folder. */
function gitMounts(root: string, home: string): Mounts | undefined {
  const folder = join(root, ".git");
  if (!isFolderAt(folder) || runsMore(folder) || needsHome(home)) return undefined;
  const kept = fixed.map((name) => join(folder, name)).filter((path) => isThere(path));
  const info = join(folder, "info");
  return new Map<string, MountKind>([
    [folder, "open"],
    ...(isFolderAt(info) ? ([[info, "open"]] as const) : []),
    ...kept.map((path) => [path, "fixed"] as const),
  ]);
}

/** Sections of settings that name no program, and such settings of `core`. */
const plainSections = new Set("core remote branch user init pull push fetch color gc advice extensions".split(" "));
const plainOfCore = new Set(
  `repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode autocrlf eol safecrlf symlinks quotepath longpaths
   checkstat trustctime preloadindex untrackedcache abbrev`.split(/\s+/),
);

/** Whether git needs settings of the person that are not there in the sandbox: hooks, signatures, what is ignored, how lines end. */
function needsHome(home: string): boolean {
  const settings = [join(home, ".gitconfig"), join(home, ".config/git/config"), "/etc/gitconfig"]
    .map(textOf)
    .join("\n");
  return (
    /hookspath|excludesfile|attributesfile|gpgsign|autocrlf|^[ \t]*\[[ \t]*(?:filter|include|includeif)\b/imu.test(
      settings,
    ) || ["ignore", "attributes"].some((name) => isThere(join(home, ".config/git", name)))
  );
}

/** Whether there is a hook, or a setting that may name a program or a file of settings: an editor, a filter, a merge, a difference, a signature. */
function runsMore(folder: string): boolean {
  for (const name of ["config", "config.worktree"]) {
    let section = "";
    for (const line of textOf(join(folder, name)).split("\n")) {
      const [, header] = /^\s*\[\s*([^\]\s"]*)/u.exec(line) ?? [];
      section = header?.toLowerCase() ?? section;
      if (header !== undefined && !plainSections.has(section)) return true;
      // Behind the header of its section, a setting may be on the same line.
      const [, key = ""] = /^\s*(?:\[[^\]]*\]\s*)?([A-Za-z][\w-]*)/u.exec(line) ?? [];
      if (section === "core" && key !== "" && !plainOfCore.has(key.toLowerCase())) return true;
    }
  }
  return namesIn(join(folder, "hooks"))?.every((name) => name.endsWith(".sample")) !== true;
}

/** None where there is no such folder. `undefined` for one that can't be listed. */
function namesIn(folder: string): readonly string[] | undefined {
  try {
    return readdirSync(folder);
  } catch (error) {
    return hasSystemCode(error, "ENOENT") ? [] : undefined;
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
