/**
 * Decides which commands run code of the project, or read and write its files, and nothing else (A4, A13). The profile of a session covers them, and
 * their output is the project's own. A line is recognised by its first words; any other line asks, or its output is foreign text.
 */
import type { GrantedPart, NamedPaths } from "../../domain/tools/grant";
import { isRiskyName, programName, runsInlineCode, sendsOut, startOf, testRunners, usualScript } from "./commandRule";

/** Options of programs that pass on what they read, after which no word is a file. */
const filters: Readonly<Record<string, RegExp>> = {
  head: /^-(?:\d+|[nc]\d*|[qv])$/u,
  tail: /^-(?:\d+|[nc][+]?\d*|[qv])$/u,
  wc: /^-[lwcmL]+$/u,
  sort: /^-(?:[bdfghiMnrRuV]+|k\d[\d.,nr]*|k)$/u,
  uniq: /^-[cdui]+$/u,
  nl: /^-[a-z]*$/u,
  cat: /^-[AbeEnstTv]+$/u,
};

const search =
  /^-(?:[ivncowxEFPGhHqsab]*(?:[ABCm]\d*)?|\d+)$|^--(?:color|colour|ignore-case|invert-match|count|line-number|only-matching|word-regexp)(?:=\w+)?$/u;

const searchers: ReadonlySet<string> = new Set(["grep", "egrep", "fgrep"]);

/** The letters of options whose number may be a word of its own. After any other option a number is the name of a file. */
const numbered: Readonly<Record<string, RegExp>> = {
  head: /^-[qv]*[nc]$/u,
  tail: /^-[qv]*[nc]$/u,
  sort: /^-k$/u,
  ...Object.fromEntries([...searchers].map((program) => [program, /^-\w*[ABCm]$/u])),
};

function isNumberOfOption(program: string, before: string | undefined, word: string): boolean {
  return /^\+?\d[\d.,nr]*$/u.test(word) && before !== undefined && numbered[program]?.test(before) === true;
}

/** Whether the part only prints its words, or filters what the part before it writes: in a line of several it needs no rule of its own. */
export function needsNoRule([program = "", ...rest]: readonly string[], isPiped: boolean): boolean {
  if (program === "echo") return true;
  if (program === "pwd" || program === "true") return rest.length === 0;
  return isPiped && operandsOf(program, rest)?.length === (searchers.has(program) ? 1 : 0);
}

/** The words after a filter that are neither options nor their numbers; `undefined` where an option is none of the known ones. */
function operandsOf(program: string, rest: readonly string[]): readonly string[] | undefined {
  const options = searchers.has(program) ? search : filters[program];
  if (options === undefined) return undefined;
  const operands: string[] = [];
  for (const [at, word] of rest.entries()) {
    if (word.startsWith("-")) {
      if (!options.test(word)) return undefined;
    } else if (!isNumberOfOption(program, rest[at - 1], word)) operands.push(word);
  }
  return operands;
}

/** Matches checks that read the text of a file from their input after `-`. To other programs `-` may be a file of commands. */
const textReaders = [/^(?:(?:python|py) -m )?(?:black|isort|flake8|pylint|ruff (?:check|format)|shellcheck)(?= |$)/u];

/** Whether the part may take its input for code, as a console of the project would. */
export function readsCode(argv: readonly string[], isPiped: boolean): boolean {
  return isPiped && !readsText(argv);
}

function readsText(argv: readonly string[]): boolean {
  return argv.includes("-") && startOf(argv, textReaders).length > 0;
}

/** The first words of commands that run tests, builds and checks of the project. */
const projectRuns = [
  `(?:npm|pnpm|yarn) test|(?:npm|pnpm) run(?:-script)? ${usualScript}|(?:yarn|bun) run ${usualScript}|bun test|deno test|node --test`,
  "(?:(?:npx|bunx|pnpm exec|yarn exec|yarn|pnpm) )?(?:vitest(?: run)?|jest|mocha|ava|eslint|tsc(?: --noEmit| -b)?|stylelint|knip|prettier (?:--check|-c|--write|-w|--list-different|-l))",
  "(?:(?:python|py) -m )?(?:(?:coverage run -m )?(?:pytest|unittest(?: discover)?)|mypy|pyright|ruff (?:check|format)|black|isort|flake8|pylint|coverage report|compileall)",
  "(?:bundle exec )?(?:rspec|rubocop)|phpunit|phpstan analy[sz]e|composer (?:test|build|lint)|mix (?:test|compile)",
  "go (?:build|test|vet|fmt|list)|gofmt|golangci-lint run|cargo (?:test|build|check|clippy|doc|fmt)|dotnet (?:build|test|format)|zig test|swift (?:build|test)",
  `(?:mvnw?|gradlew?|make|just|task|rake|ninja) ${usualScript}|ctest|shellcheck|ktlint|swiftlint lint`,
].map((words) => new RegExp(`^(?:${words})(?= |$)`, "u"));

/** Programs to which a further word is another target or task, also where a file has that name. */
const buildTools = /^(?:mvnw?|gradlew?|make|just|task|rake|ninja)$/u;

/** Git commands in the working tree, followed by names of files: none of them sends, fetches, sets, reads other revisions or takes work away. */
const gitRuns = [
  /^git (?:add|commit(?: -a)? -m|commit -am|status(?: -s| --short)?|ls-files|stash list|branch --show-current)(?= |$)/u,
];

/** Matches options that print more or less, or what the program is. */
const plainOption = /^(?:-v{1,3}|-q|-h|--verbose|--quiet|--version|--help|--)$/u;
/** Matches any option, also with a word or a number as its value. */
const anyOption = /^--?[\p{L}\d][\w-]*(?:=[\w.,-]*)?$/u;
/** Matches options whose value is a part of the names of tests. */
const namingOption = /^(?:-[kgt]|--(?:grep|filter))$/u;

/** Whether tests, a build or a check of the project run, with no more words than names that git tracks and options. */
function runsProject(argv: readonly string[], paths: NamedPaths, option: RegExp): boolean {
  const [program = ""] = argv;
  if (/[\\/]/u.test(program) && !paths.files.includes(program)) return false;
  const isGit = program === "git";
  const start = startOf(argv, isGit ? gitRuns : projectRuns);
  if (start.length === 0) return false;
  const rest = argv.slice(start.length);
  if (isGit) return isPlainGit(start.join(" "), rest, paths);
  // A script such as `build:deploy` does more than its first part says.
  if (isRiskyName(start.at(-1) ?? "")) return false;
  // What is not installed is downloaded and run.
  if (/^(?:npx|bunx)$/u.test(start[0] ?? "") && paths.foreign.includes(start[1] ?? "")) return false;
  return rest.every((word, at) => {
    if (isPlainFor(start, word, paths)) return true;
    if (word === "-" && readsText(argv)) return true;
    if (paths.foreign.includes(word)) return false;
    return option.test(word) || (option === anyOption && namingOption.test(rest[at - 1] ?? ""));
  });
}

const usualTarget = new RegExp(`^${usualScript}$`, "u");

/** Whether the command that begins so reads, checks or tests what the word names, and does nothing else with the word. */
function isPlainFor(start: readonly string[], word: string, paths: NamedPaths): boolean {
  const [program = "", command = ""] = start;
  if (buildTools.test(program)) return usualTarget.test(word) && !isRiskyName(word);
  if (!isNamed(word, paths)) return false;
  // A script may take the word for what it is to do, although a folder has that name: `deploy`.
  if (/^(?:(?:npm|pnpm|yarn|composer) (?:test|build|lint)|\S+ run(?:-script)?)$/u.test(`${program} ${command}`))
    return /[./]/u.test(word) || !isRiskyName(word);
  // These run a file that is no test, and mocha all files of a folder.
  const runsFiles =
    /^(?:node --test|bun test|deno test)$/u.test(`${program} ${command}`) ||
    start.some((one) => one === "unittest" || testRunners.has(one));
  const isRun = runsFiles && (paths.files.includes(word) || start.includes("mocha"));
  return !(isRun && isRiskyFile(word));
}

/** The word after `-m` is the message of a commit. */
function isPlainGit(start: string, rest: readonly string[], paths: NamedPaths): boolean {
  const [message, ...others] = rest;
  if (start.startsWith("git commit")) return message !== undefined && !message.startsWith("-") && others.length === 0;
  if (start === "git stash list" || start === "git branch --show-current") return rest.length === 0;
  return rest.every((word) => word === "--" || isNamed(word, paths));
}

/** Programs that run the file that they are given. */
const interpreters: ReadonlySet<string> = new Set(["python", "node", "ruby", "php", "perl", "lua", "bun", "tsx"]);

/** Whether a file of the project runs, or one of its modules of Python, with words that name nothing beyond the project. */
function runsOwnFile(argv: readonly string[], paths: NamedPaths, option: RegExp): boolean {
  const start = lengthOfStart(argv, paths);
  if (start === 0 || runsInlineCode(argv)) return false;
  if (isRiskyFile(argv[start - 1] ?? "")) return false;
  return argv.slice(start).every((word) => {
    if (isNamed(word, paths)) return true;
    if (paths.foreign.includes(word) || isRiskyName(word)) return false;
    return option.test(word) || /^[\p{L}\p{N}_][\p{L}\p{N}_.,+%-]*$/u.test(word);
  });
}

/** Matches a file that is a test by its name or folder. */
const isTestFile =
  /(?:^|[\\/])(?:tests?|specs?|__tests__)[\\/]|\.(?:tests?|spec)\.\w+$|(?:^|[\\/])test_\w+\.py$|_test\.(?:py|rb|go|exs?)$/u;

/** Whether the file sends something out or takes something away, judged by its name and folders. A test of such a file does not. */
function isRiskyFile(file: string): boolean {
  const [name = "", ...folders] = file.split(/[\\/]/u).toReversed();
  return !isTestFile.test(file) && (isRiskyName(name) || folders.some((folder) => sendsOut(folder)));
}

/** How many words start the program; 0 when the program is not of the project. */
function lengthOfStart([program = "", first = "", second = ""]: readonly string[], paths: NamedPaths): number {
  if (/[\\/]/u.test(program)) return paths.files.includes(program) ? 1 : 0;
  const name = programName(program);
  if (interpreters.has(name) && paths.files.includes(first)) return 2;
  const isModule = (name === "python" || name === "py") && first === "-m";
  return isModule && paths.modules.includes(second) && !paths.foreign.includes(second) ? 3 : 0;
}

/** Programs that print no more than the files that they are given, or facts about the system. */
const readers: ReadonlySet<string> = new Set([
  "cat",
  "head",
  "tail",
  "wc",
  "nl",
  "cmp",
  "diff",
  "ls",
  "which",
  "sleep",
  "false",
]);

const makers: ReadonlySet<string> = new Set(["cp", "mkdir", "touch"]);

/** Whether the part reads files of the project, or makes some that nothing executes. */
function usesOwnFiles(argv: readonly string[], paths: NamedPaths, isPiped: boolean): boolean {
  const [program = "", ...rest] = argv;
  // A console reads its input whatever its options are, and an unknown option may start it.
  if (rest.length === 1 && isVersionOption(program, rest[0] ?? ""))
    return !isPiped && /^[\w.-]+$/u.test(program) && !isRiskyName(program) && !paths.foreign.includes(program);
  if (program === "git" && rest[0] === "log") return isLog(rest.slice(1), paths);
  if (program === "date") return rest.every((word) => /^(?:\+[^`$]*|-[uIR])$/u.test(word));
  if (searchers.has(program)) {
    const operands = operandsOf(program, rest);
    return (
      operands !== undefined && operands.length > 1 && operands.slice(1).every((word) => paths.files.includes(word))
    );
  }
  if (readers.has(program)) return areRead(program, rest, paths);
  return makers.has(program) && areMade(program, rest, paths);
}

function isVersionOption(program: string, word: string): boolean {
  return word === "--version" || (word === "-V" && programName(program) === "python");
}

/** Whether `git log` prints only the messages of the commits up to the one that is checked out, without their changes. */
function isLog(rest: readonly string[], { files }: NamedPaths): boolean {
  const listing =
    /^(?:--oneline|--stat|--decorate|--graph|--no-merges|--name-only|--reverse|-\d+|-n|--grep=[\w .,#-]*|--author=[\w .-]*|--since=[\w .-]*|--)$/u;
  return rest.every((word) => listing.test(word) || /^\d+$/u.test(word) || files.includes(word));
}

/** Whether only files of the project are read. A folder may only be listed, because its files may hold secrets. */
function areRead(program: string, rest: readonly string[], { files, folders, foreign }: NamedPaths): boolean {
  const takesWords = program === "which" || program === "sleep";
  return rest.every((word, at) => {
    if (word.startsWith("-")) return /^-[A-QS-Za-qs-z\d]+$/u.test(word);
    if (isNumberOfOption(program, rest[at - 1], word)) return true;
    if (foreign.includes(word)) return false;
    return takesWords || files.includes(word) || (program === "ls" && folders.includes(word));
  });
}

function areMade(program: string, rest: readonly string[], { files, folders, writable }: NamedPaths): boolean {
  if (rest.some((word) => word.startsWith("-") && !/^-[pvf]$/u.test(word))) return false;
  const operands = rest.filter((word) => !word.startsWith("-"));
  if (program !== "cp") return operands.every((word) => writable.includes(word) || folders.includes(word));
  const [from = "", to = ""] = operands;
  return operands.length === 2 && files.includes(from) && writable.includes(to);
}

const isNamed = (word: string, { files, folders }: NamedPaths): boolean =>
  files.includes(word) || folders.includes(word);

/**
 * Whether the profile of a session covers the part. The only options that it allows are those that print more or less. `folder`: where it runs, since
 * in a folder such as `deploy` even a build may send something out.
 */
export function isProfiled(part: GrantedPart, folder: string): boolean {
  return readsOnly(part) || (!folder.split("/").some((name) => sendsOut(name)) && runs(part, plainOption, true));
}

/** Whether what the part prints is the project's own. `isUnread`: as in `OutputOptions`. */
export function isProjects(part: GrantedPart, isUnread = false): boolean {
  return readsOnly(part) || runs(part, anyOption, !isUnread);
}

function readsOnly({ argv, isPiped, paths }: GrantedPart): boolean {
  const takesInput = isPiped === true;
  return needsNoRule(argv, takesInput) || usesOwnFiles(argv, paths, takesInput);
}

function runs({ argv, isPiped, paths }: GrantedPart, option: RegExp, mayRunFiles: boolean): boolean {
  const runsOwn = runsProject(argv, paths, option) || (mayRunFiles && runsOwnFile(argv, paths, option));
  return runsOwn && !readsCode(argv, isPiped === true);
}
