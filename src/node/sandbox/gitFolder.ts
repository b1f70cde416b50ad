/** What of a root's `.git` folder stays as it is while git alone may write it, and whether a hook would run with git. */
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gitSetting } from "../../base/gitSetting";
import type { MountKind } from "./scanRoots";

/** Settings and programs of the repository. */
const fixed = ["config", "config.worktree", "hooks", "commondir", "gitdir", "modules", "worktrees", "info/attributes"];

/** `undefined` where something else than git would run, or where it is no folder. */
export function gitMounts(root: string): ReadonlyMap<string, MountKind> | undefined {
  const folder = join(root, ".git");
  if (!isFolder(folder) || runsMore(folder)) return undefined;
  const kept = fixed.map((name) => join(folder, name)).filter((path) => isThere(path));
  const info = join(folder, "info");
  return new Map<string, MountKind>([
    [folder, "open"],
    ...(isFolder(info) ? ([[info, "open"]] as const) : []),
    ...kept.map((path) => [path, "fixed"] as const),
  ]);
}

/** A hook, or a program that the settings name: for a file's content, for its state, for a merge. */
function runsMore(folder: string): boolean {
  const configuration = textOf(join(folder, "config")) + textOf(join(folder, "config.worktree"));
  if (/^[ \t]*\[[ \t]*(?:filter|merge|include|includeif|alias|trailer)\b/imu.test(configuration)) return true;
  const ofCore = ["hookspath", "fsmonitor", "sshcommand"].map((name) => gitSetting(configuration, "core", name));
  if (ofCore.some((value) => value !== undefined && value !== "" && value !== "false")) return true;
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
