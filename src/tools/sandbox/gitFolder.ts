/** What of a root's `.git` folder stays as it is while git alone may write it, and whether a hook would run with git. */
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { MountKind, Mounts } from "./scanRoots";

/** Settings and programs of the repository. */
const fixed = ["config", "config.worktree", "hooks", "commondir", "gitdir", "modules", "worktrees", "info/attributes"];

/** `undefined` where something else than git would run, where the person's settings would make another commit of it, or where it is no folder. */
export function gitMounts(root: string, home: string): Mounts | undefined {
  const folder = join(root, ".git");
  if (!isFolder(folder) || runsMore(folder) || needsHome(home)) return undefined;
  const kept = fixed.map((name) => join(folder, name)).filter((path) => isThere(path));
  const info = join(folder, "info");
  return new Map<string, MountKind>([
    [folder, "open"],
    ...(isFolder(info) ? ([[info, "open"]] as const) : []),
    ...kept.map((path) => [path, "fixed"] as const),
  ]);
}

/** Sections of settings that name no program, and such settings of `core`. */
const plainSections = new Set("core remote branch user init pull push fetch color gc advice extensions".split(" "));
const plainOfCore = new Set(
  `repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode autocrlf eol safecrlf symlinks quotepath longpaths
   checkstat trustctime preloadindex untrackedcache abbrev`.split(/\s+/),
);

/** Settings of the person, which are not there in the sandbox: hooks, signatures, what is ignored, how lines end. */
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

/** A hook, or a setting that may name a program or another file of settings: an editor, a filter, a merge, a difference, a signature. */
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
  return hooksIn(join(folder, "hooks")).some((name) => !name.endsWith(".sample"));
}

function hooksIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
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

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
