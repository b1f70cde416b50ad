/**
 * Which commands a rule may cover (A17). A rule is the allowed line itself; where the line names plain files or folders that git
 * tracks, other such names may be in their place. No option, and no other word, may differ.
 */
import { posix } from "node:path";
import { unseenCharacters } from "../../base/text/revealHidden";
import type { NamedPaths, RuleSubject } from "../../domain/tools/grant";
import { changesWorkTree } from "../../tools/command/plainGit";

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

/** The name of a program, without its folder and version, in lower case. */
export function programName(program: string): string {
  const name = program.split(/[\\/]/u).at(-1) ?? program;
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\.(exe|cmd|bat|ps1)$/u, "")
    .replace(/^(python|pip|ruby|node|php|perl|lua)[\d.]+$/u, "$1");
}

/** Sends, installs, downloads, reads settings or code, or takes away; services that pages are sent to. */
const riskyParts: ReadonlySet<string> = new Set(
  `publish deploy release push upload ship send sendtestemail login logout adduser register yank sync collectstatic gh netlify vercel heroku firebase surge wrangler
  install setup bootstrap upgrade download fetch pull clone eject apply bump version prod production runserver
  shell dbshell console repl tinker runner eval exec createsuperuser changepassword diffsettings dumpdata inspectdb
  drop dropdb destroy purge reset remove delete rimraf clear clearsessions prune wipe flush sqlflush truncate erase nuke rm del teardown rollback downgrade migrate seed loaddata`.split(
    /\s+/u,
  ),
);

/** Of a script, a target or a sub-command that sends something out, installs something or takes something away. */
export function isRiskyName(word: string): boolean {
  const parts = word
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1-$2")
    .toLowerCase()
    .split(/[^a-z]+/u);
  return (
    word === "init" ||
    parts.some((part) => riskyParts.has(part) || riskyParts.has(part.replace(/^(?:pre|post|re|un|auto)/u, "")))
  );
}

/** What reads code from its words. */
const interpreters: ReadonlySet<string> = new Set(
  `node nodejs deno bun python py ruby perl php lua julia rscript osascript bash sh zsh fish dash ksh csh tcsh pwsh powershell cmd
  tsx ts-node elixir awk gawk mawk sqlite3 psql mysql`.split(/\s+/u),
);

/** Programs that build and run what they are given, and the word after which they do. */
const runningPrograms: ReadonlySet<string> = new Set([
  "go",
  "uv",
  "cargo",
  "dotnet",
  "poetry",
  "pipenv",
  "pdm",
  "hatch",
]);

/** Whether it runs a file that its words name, other than as a test: an interpreter may be anywhere in the line, as after `npx`. */
function runsFiles(argv: readonly string[]): boolean {
  const at = argv.findIndex((word) => interpreters.has(programName(word)));
  if (at >= 0) return !(argv[at + 1] === "-m" && argv[at + 2] === "pytest");
  return runningPrograms.has(programName(argv[0] ?? "")) && argv[1] === "run";
}

/** Code among the words, or taken from the input. */
function hasInlineCode(rest: readonly string[]): boolean {
  const operand = rest.findIndex((word) => !/^[-/]/u.test(word) || word === "-");
  const options = operand < 0 ? rest : rest.slice(0, operand);
  return (
    options.some((word) => /^-[a-zA-Z]*?[ceErpsn]|^--(?:eval|print|command|require|import)|^\/[ck]$/u.test(word)) ||
    rest[operand] === "-" ||
    rest[0] === "eval"
  );
}

const forcing = /^(?:-[a-zA-Z]*?[fd]|--force|--mirror|--delete|--all|--prune|\+|:)/u;

/** Whether an interpreter gets code among its words, or from its input. */
export function runsInlineCode([program = "", ...rest]: readonly string[]): boolean {
  return interpreters.has(programName(program)) && rest[0] !== "-m" && hasInlineCode(rest);
}

/** Inline code, what sends or publishes, and what takes work away: asked about each time, also in exactly these words. */
function isNeverCovered(argv: readonly string[]): boolean {
  const [program = "", ...rest] = argv;
  const name = programName(program);
  const isModule = rest[0] === "-m";
  if (runsInlineCode(argv)) return true;
  if (name === "git") {
    if (rest[0]?.startsWith("-") === true) return true;
    return rest[0] === "push" ? rest.some((word) => forcing.test(word)) : takesWorkAway(rest);
  }
  if (name === "rm" || name === "dd" || name === "shred" || name === "tee") return true;
  if (name === "find" && rest.some((word) => /^-(?:exec|ok|delete|fprint|fls)/u.test(word))) return true;
  return rest
    .slice(0, isModule ? 4 : 3)
    .some((word) => /^(?:un)?publish|^deploy|^upload|^login$|^adduser$|^yank$|^release$/u.test(word));
}

function takesWorkAway([command, ...rest]: readonly string[]): boolean {
  if (command === "clean" || command === "filter-branch" || command === "config" || command === "submodule")
    return true;
  return command === "reset" && rest.includes("--hard");
}
