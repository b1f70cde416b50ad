/**
 * Which commands a rule may cover (A17). A rule is the allowed line itself; where the line names plain files or folders that git
 * tracks, other such names may be in their place. No option, and no other word, may differ.
 */
import { posix } from "node:path";
import { unseenCharacters } from "../../base/text/revealHidden";
import type { NamedPaths, RuleSubject } from "../../domain/tools/grant";
import { changesWorkTree } from "../../tools/command/plainGit";
import { isNeverCovered, isRiskyName, programName, runsFiles } from "./riskyWords";

/** These run what their arguments or a file contain, so their name alone gets no rule. */
const bare = new Set(
  `node nodejs deno bun npm pnpm yarn npx bunx git hg svn bash sh zsh fish dash ksh csh tcsh pwsh powershell cmd python python2 python3 py pip pip3
  pipx uv uvx ruby gem bundle perl php composer lua java javac jshell go cargo rustup dotnet mvn gradle make cmake ninja docker podman kubectl
  terraform ssh scp sftp rsync curl wget nc ncat socat find awk sed tee dd rm mv cp ln chmod chown kill psql mysql sqlite3 osascript open start`.split(
    /\s+/u,
  ),
);

/** Programs that run their arguments as a command of another kind or for another person: never covered. */
const wrappers = new Set(
  `sudo doas su runas env xargs eval exec command nohup setsid timeout nice time watch parallel entr script expect chroot unshare nsenter
  busybox source . gdb lldb strace ltrace at batch crontab systemd-run screen tmux start-stop-daemon`.split(/\s+/u),
);

/** These overwrite, move, send or apply the files that they are given: a yes was to these files only. */
const handingOver = new Set(
  `cp mv ln install truncate unlink rmdir chmod chown chgrp sed awk gawk patch tee dd tar zip curl wget scp sftp rsync rclone ssh nc ncat socat
  mail sendmail gh aws gcloud az docker podman kubectl helm terraform ansible psql mysql sqlite3`.split(/\s+/u),
);

const unseen = new RegExp(`[${unseenCharacters}]`, "u");

type CommandRule = Extract<RuleSubject, { type: "command" }>;

/** What a rule covers: these words. At the indexes in `places` they may be other plain names that git tracks. */
export type CommandPattern = Pick<CommandRule, "argv" | "places">;

/** What the judgement of a line rests on. `isPlainFile`: source or a document that nothing executes, by its path from the folder of the command. */
export interface NamedWords {
  readonly paths: NamedPaths;
  readonly isPlainFile: (path: string) => boolean;
}

/** What a rule for the command would cover; `undefined` when none may. */
export function patternOf(argv: readonly string[], named: NamedWords): CommandPattern | undefined {
  const [program] = argv;
  if (program === undefined || argv.some((word) => unseen.test(word))) return undefined;
  const name = programName(program);
  if (wrappers.has(name) || (argv.length === 1 && bare.has(name)) || isNeverCovered(argv)) return undefined;
  const places = placesIn(argv, named);
  return places.length > 0 ? { argv, places } : { argv };
}

/** Whether a rule of that pattern covers the command. */
export function isCoveredBy(
  { argv: allowed, places = [] }: CommandPattern,
  argv: readonly string[],
  named: NamedWords,
): boolean {
  if (isNeverCovered(argv) || argv.length !== allowed.length) return false;
  return argv.every(
    (word, at) => word === allowed[at] || (places.includes(at) && takes(allowed[at] ?? "", word, named)),
  );
}

function placesIn(argv: readonly string[], { paths, isPlainFile }: NamedWords): readonly number[] {
  const names = argv.flatMap((word, at) => (isPlain(word, paths, isPlainFile) || isFolder(word, paths) ? [at] : []));
  const others = argv.filter((_, at) => !names.includes(at));
  const [program = ""] = argv;
  if (paths.foreign.length > 0 || handingOver.has(programName(program)) || changesWorkTree(argv)) return [];
  if (others.some((word) => isRiskyName(word))) return [];
  // The first file after an interpreter is the program that it runs.
  const first = runsFiles(argv) ? argv.findIndex((word, at) => at > 0 && isNamed(word, paths)) : 0;
  return names.filter((at) => at > Math.max(first, 0));
}

/** A file takes the place of any name, a folder that of a folder around it: a program may print all that is in a folder. */
function takes(allowed: string, word: string, { paths, isPlainFile }: NamedWords): boolean {
  if (isRiskyName(posix.basename(word))) return false;
  return isPlain(word, paths, isPlainFile) || (isFolder(word, paths) && isWithin(word, allowed));
}

function isWithin(folder: string, around: string): boolean {
  const path = posix.relative(around, folder);
  return path !== ".." && !path.startsWith("../");
}

const isNamed = (word: string, { files, folders }: NamedPaths): boolean =>
  files.includes(word) || folders.includes(word);

/** `file::test` is a test of pytest in the file. */
function isPlain(word: string, { files }: NamedPaths, isPlainFile: NamedWords["isPlainFile"]): boolean {
  return files.includes(word) && isPlainFile(word.split("::", 1)[0] ?? "");
}

function isFolder(word: string, { folders }: NamedPaths): boolean {
  return folders.includes(word) && !word.startsWith("-");
}
