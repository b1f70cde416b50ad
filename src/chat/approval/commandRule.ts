/**
 * Decides which commands a rule may cover (A17). A rule is the allowed line itself; where the line names plain files or folders that git
 * tracks, other such names may be in their place. No option, and no other word, may differ.
 */
import { posix } from "node:path";
import { unseenCharacters } from "../../base/text/revealHidden";
import type { NamedPaths, RuleSubject } from "../../domain/tools/grant";
import { changesWorkTree, mayBeOption } from "../../tools/command/plainGit";

/** Programs that run what their arguments or a file contain, so that their name alone gets no rule. */
const bare = new Set(
  `node nodejs deno bun npm pnpm yarn npx bunx git hg svn bash sh zsh fish dash ksh csh tcsh pwsh powershell cmd python python2 python3 py pip pip3
  pipx uv uvx ruby gem bundle perl php composer lua java javac jshell go cargo rustup dotnet mvn gradle make cmake ninja docker podman kubectl
  terraform ssh scp sftp rsync curl wget nc ncat socat find awk sed tee dd rm mv cp ln chmod chown kill psql mysql sqlite3 osascript open start`.split(
    /\s+/u,
  ),
);

/** Programs that run their arguments as a command of another kind or for another person. No rule covers them. */
const wrappers = new Set(
  `sudo doas su runas env xargs eval exec command nohup setsid timeout nice time watch parallel entr script expect chroot unshare nsenter
  busybox source . gdb lldb strace ltrace at batch crontab systemd-run screen tmux start-stop-daemon`.split(/\s+/u),
);

/** Programs that overwrite, move, send or apply the files that they are given, so that a rule covers these files only. */
const handingOver = new Set(
  `cp mv ln install truncate unlink rmdir chmod chown chgrp sed awk gawk patch tee dd tar zip curl wget scp sftp rsync rclone ssh nc ncat socat
  mail sendmail gh aws gcloud az docker podman kubectl helm terraform ansible psql mysql sqlite3`.split(/\s+/u),
);

const unseen = new RegExp(`[${unseenCharacters}]`, "u");

type CommandRule = Extract<RuleSubject, { type: "command" }>;

/** The words that a rule covers. At the indexes in `places` other plain names that git tracks are covered too. */
export type CommandPattern = Pick<CommandRule, "argv" | "places">;

/** Facts about the words of a line. `isPlainFile`: it is source or a document that nothing executes, by its path from the folder of the command. */
export interface NamedWords {
  readonly paths: NamedPaths;
  readonly isPlainFile: (path: string) => boolean;
}

/** The pattern of a rule for the command; `undefined` when no rule may cover it. */
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
  // A rule that an earlier version stored may have more places.
  const own = places.length > 0 ? placesIn(argv, named).filter((at) => places.includes(at)) : [];
  return argv.every(
    (word, at) => word === allowed[at] || (own.includes(at) && takes(allowed[at] ?? "", word, argv, named.paths)),
  );
}

function placesIn(argv: readonly string[], { paths, isPlainFile }: NamedWords): readonly number[] {
  const names = argv.flatMap((word, at) =>
    (isPlain(word, argv, paths, isPlainFile) || isFolder(word, paths)) && !isValue(argv, at, paths) ? [at] : [],
  );
  const others = argv.filter((_, at) => !names.includes(at));
  const [program = ""] = argv;
  if (paths.foreign.length > 0 || handingOver.has(programName(program)) || changesWorkTree(argv)) return [];
  if (others.some((word) => isRiskyName(word))) return [];
  const interpreter = interpreterIn(argv);
  if (interpreter === undefined) return readsNames(argv, paths) ? names.filter((at) => at > 0) : [];
  // The first file after an interpreter is the program that it runs. A word after an option may be the value of the option.
  const first = argv.findIndex(
    (word, at) => at > interpreter && isNamed(word, paths) && argv[at - 1]?.startsWith("-") !== true,
  );
  return first < 0 ? [] : names.filter((at) => at > first);
}

/** Programs that print what they are given: also a file that is the value of an option is only read. */
const printing = "cat|head|tail|wc|nl|[ef]?grep|ls|diff|cmp";

/** Scripts, and targets of a build, whose names say that they test, build or check. */
export const usualScript =
  "(?:tests?|build|compile|check|lint|format|fmt|types|typecheck|coverage|unit|e2e|spec|vitest|jest|mocha|eslint|tsc)(?:[:-][\\w:-]+)?";

/** The first words of commands that read, check or test the files that they are given. What another program does with a name is not known. */
const reading = [
  `${printing}|rg|tree|du|stat`,
  "git (?:add|blame|commit|diff|grep|log|ls-files|shortlog|show|status)",
  `(?:npm|pnpm|yarn) (?:test|run(?:-script)? ${usualScript})`,
  "(?:(?:npx|bunx|(?:npm|pnpm|yarn) exec|pnpm|yarn) )?(?:eslint|prettier|vitest|jest|mocha|ava|tap|tsc|vue-tsc|stylelint|knip|biome|oxlint|cspell|markdownlint(?:-cli2)?|playwright test)",
  "(?:(?:python|py) -m )?(?:pytest|mypy|pyright|basedpyright|ruff|black|isort|flake8|pylint)",
  "(?:bundle exec )?(?:rspec|rubocop)|(?:vendor/bin/)?(?:phpunit|phpstan|psalm|pint)|mix (?:test|format)",
  "go (?:build|fmt|list|test|vet)|gofmt|goimports|golangci-lint run|cargo (?:check|clippy|fmt|test)|rustfmt",
  "shellcheck|ktlint|swiftlint|clang-format|clang-tidy|cppcheck",
].map((words) => new RegExp(`^(?:${words})(?= |$)`, "u"));

/** Whether the names of the line are read, checked or tested: by a known program, or by one of the project. */
function readsNames(argv: readonly string[], { files }: NamedPaths): boolean {
  return files.includes(argv[0] ?? "") || startOf(argv, reading).length > 0;
}

/**
 * The first words of the line that one of the patterns matches, with the plain name of the program; empty where none does. A word with a space in it
 * is none of several: to a program `make 'test :=x'` is another line than `make test :=x`.
 */
export function startOf([program = "", ...rest]: readonly string[], patterns: readonly RegExp[]): readonly string[] {
  const words = [programName(program), ...rest];
  const line = words.join(" ");
  for (const pattern of patterns) {
    const [match] = pattern.exec(line) ?? [];
    if (match === undefined) continue;
    const start = words.slice(0, match.split(" ").length);
    return start.join(" ") === match && !start.some((word) => word.includes(" ")) ? start : [];
  }
  return [];
}

const isPrinting = new RegExp(`^(?:${printing})$`, "u");
/** Matches options that take no value, so that a name after them is not their value. */
const valueless =
  /^(?:-|--|-[qsvx]+|--[\w-]+=.*|--(?:all|bail|cached|check|color|coverage|diff|fix|list-different|name-only|name-status|no-[\w-]+|noEmit|oneline|quiet|run|silent|staged|stat|strict|verbose|write))$/u;

/** Whether the name may be one of the values of an option: settings and code that the program loads, or a file that it writes. */
function isValue(argv: readonly string[], at: number, paths: NamedPaths): boolean {
  if (isPrinting.test(programName(argv[0] ?? ""))) return false;
  const before = argv.slice(1, at).findLast((word) => !isNamed(word, paths)) ?? "";
  return before.startsWith("-") && !valueless.test(before) && !(argv[0] === "git" && /^-[Aup]$/u.test(before));
}

/** Programs that run each file that they are given, whatever it is. */
export const testRunners: ReadonlySet<string> = new Set("mocha ava tap pytest rspec phpunit".split(" "));

/** Matches the path of a test, or of a file in a folder of tests. */
const isTest = /(?:^|[/._-])(?:tests?|specs?|__tests__)(?=[/.:_-]|$)/iu;

/**
 * Whether `word` may be in the place of the allowed name. A file may replace any name, a folder only a folder around it, because a program may print
 * all that is in a folder. A file that may be run as a test has to be a test by its name.
 */
function takes(allowed: string, word: string, argv: readonly string[], paths: NamedPaths): boolean {
  if (isRiskyName(posix.basename(word))) return false;
  if (isFolder(word, paths)) return isWithin(word, allowed);
  const mayRun = isTest.test(allowed) || argv.some((one) => testRunners.has(programName(one)));
  return !mayRun || isTest.test(word);
}

function isWithin(folder: string, around: string): boolean {
  const path = posix.relative(around, folder);
  return path !== ".." && !path.startsWith("../");
}

const isNamed = (word: string, { files, folders }: NamedPaths): boolean =>
  files.includes(word) || folders.includes(word);

/** `file::test` is a test of pytest in the file; to another program `::` may be between two paths. */
function isPlain(
  word: string,
  argv: readonly string[],
  { files }: NamedPaths,
  isPlainFile: NamedWords["isPlainFile"],
): boolean {
  const [file = "", test] = word.split("::", 2);
  if (test !== undefined && !argv.some((one) => programName(one) === "pytest")) return false;
  return files.includes(word) && isPlainFile(file);
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

/** Parts of the names of scripts and folders that send something out, and services that code, pages or pictures are sent to. */
const sendingParts: ReadonlySet<string> = new Set(
  `publish deploy release push upload ship send submit gh ghpages hub s3 netlify vercel heroku firebase surge wrangler
  dockerhub codecov coveralls sonar sonarqube chromatic percy eas testflight sentry`.split(/\s+/u),
);

/** Parts of the names of scripts that install, download, delete, pay, write to people, or read settings or code. */
const riskyParts: ReadonlySet<string> = new Set(
  `login logout adduser register yank sync collectstatic prod production notify mail email tweet payout charge refund transfer
  install setup bootstrap upgrade download fetch pull clone eject apply bump version runserver
  shell dbshell console repl tinker runner eval exec createsuperuser changepassword diffsettings dumpdata inspectdb
  drop dropdb destroy purge reset remove delete rimraf clear clearsessions clean cleanup prune wipe flush sqlflush truncate erase nuke rm del teardown
  terminate kill restore rollback downgrade migrate seed loaddata`.split(/\s+/u),
);

/** Matches a part that is put together of such a word and another: `deployments`, `resetdb`, `sendmail`, `dockerpush`. */
const riskyCompound =
  /^(?:deploy|publish|upload|push|send|wipe|purge|destroy|delete|truncate|erase|reset|drop(?=db|all|data|table))|(?:push|deploy|upload|prod)$/u;

/** Whether the word names a script, a target or a sub-command that sends something out, installs something or takes something away. */
export function isRiskyName(word: string): boolean {
  const parts = partsOf(word);
  return word === "init" || parts.some((part) => riskyParts.has(part) || riskyCompound.test(part)) || sendsOut(word);
}

/** Whether the name of a script or a folder says that something is sent out. */
export function sendsOut(name: string): boolean {
  return partsOf(name).some((part) => sendingParts.has(part));
}

/** The words of a name, each as it is, without a number at its end, and without a beginning that tells when or again: `redeploy`. */
function partsOf(name: string): readonly string[] {
  const parts = name
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1-$2")
    .toLowerCase()
    .split(/[^a-z\d]+/u);
  return parts.flatMap((part) => {
    const plain = part.replace(/(?<=\D)\d+$/u, "");
    return [part, plain, plain.replace(/^(?:pre|post|re|un|auto)/u, "")];
  });
}

/** Programs that read code from their words. */
const interpreters: ReadonlySet<string> = new Set(
  `node nodejs deno bun python py ruby perl php lua julia rscript osascript bash sh zsh fish dash ksh csh tcsh pwsh powershell cmd
  tsx ts-node elixir awk gawk mawk sqlite3 psql mysql`.split(/\s+/u),
);

/** Programs that build and run what they are given after the word `run`. */
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

/** The index of the word after which a file is run, other than as a test. An interpreter may be anywhere in the line, as after `npx`. */
function interpreterIn(argv: readonly string[]): number | undefined {
  const at = argv.findLastIndex((word) => interpreters.has(programName(word)));
  if (at >= 0) return argv[at + 1] === "-m" && argv[at + 2] === "pytest" ? undefined : at;
  return runningPrograms.has(programName(argv[0] ?? "")) && argv[1] === "run" ? 1 : undefined;
}

/** Long options that are followed by code, or by what is loaded. Some programs take each beginning of such a name. */
const codeOptions = ["eval", "print", "command", "require", "import", "execute", "init-command", "source", "run"];

/** Programs that take options also behind the name of a database. */
const databasePrograms: ReadonlySet<string> = new Set(["psql", "mysql"]);

/** Whether code is among the words, or is taken from the input. */
function hasInlineCode(program: string, rest: readonly string[]): boolean {
  const operand = rest.findIndex((word) => !/^[-/]/u.test(word) || word === "-");
  const options = operand < 0 || databasePrograms.has(program) ? rest : rest.slice(0, operand);
  return (
    options.some((word) => /^-[a-zA-Z]*?[ceErpsn]|^\/[ck]$/u.test(word) || mayBeOption(word, codeOptions)) ||
    rest[operand] === "-" ||
    rest[0] === "eval"
  );
}

/** Options and refspecs of `git push` that overwrite or remove what is there, or send all branches. */
const forcing = /^(?:-[a-zA-Z]*?[fd]|\+|:)/u;
const forcingOptions = ["force", "mirror", "delete", "all", "branches", "prune"];

/** Whether the command runs an interpreter with code among its words, or from its input. */
export function runsInlineCode([program = "", ...rest]: readonly string[]): boolean {
  const name = programName(program);
  return interpreters.has(name) && rest[0] !== "-m" && hasInlineCode(name, rest);
}

/** Whether each such command asks, even in the same words: inline code, and commands that send, publish or take work away. */
function isNeverCovered(argv: readonly string[]): boolean {
  const [program = "", ...rest] = argv;
  const name = programName(program);
  const isModule = rest[0] === "-m";
  if (runsInlineCode(argv)) return true;
  if (name === "git") {
    if (rest[0]?.startsWith("-") === true) return true;
    return rest[0] === "push"
      ? rest.some((word) => forcing.test(word) || mayBeOption(word, forcingOptions))
      : takesWorkAway(rest);
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
  return command === "reset" && rest.some((word) => mayBeOption(word, ["hard"]));
}
