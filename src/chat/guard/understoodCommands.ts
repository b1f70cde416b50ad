/**
 * The commands of which it is known what their words do (A3): a rule for the program and its first words lets others follow,
 * and the profile of a session covers them. What is not in these tables asks each time, or gets a rule for exactly its words.
 */
import type { NamedPaths } from "../../domain/tools/grant";
import { isAside, operandsOf, searchers } from "./filterCommands";
import { isRiskyName, isRiskyOption, programName, runsInlineCode } from "./riskyWords";

/** What runs code. `<file>` is a file of the project, `<module>` one of its modules, `<name>` a script or target whose name is not risky. */
const runners = table(`
  python|node|ruby|php|perl|lua|bun|tsx|ts-node|rscript|julia|dart|elixir|swift <file>
  deno|bun test
  node --test
  python|py -m pytest|unittest|doctest|compileall|py_compile|mypy|ruff|black|flake8|pylint|isort|pyflakes|coverage|tox|nox|django
  python|py -m <module>
  npm|pnpm|yarn run|run-script <name>
  bun run test|build|check|lint|format|types|typecheck
  npm|pnpm|yarn test|t
  npx|bunx vitest|jest|mocha|ava|tap|eslint|prettier|tsc|biome|stylelint|cypress|playwright|c8|nyc|knip|depcruise|markdownlint
  pnpm|yarn exec vitest|jest|mocha|ava|tap|eslint|prettier|tsc|biome|stylelint|playwright|c8|nyc|knip
  yarn|pnpm vitest|jest|mocha|eslint|prettier|tsc|stylelint
  vitest|jest|mocha|ava|eslint|prettier|tsc|biome|stylelint|pytest|ruff|mypy|black|flake8|pylint|isort|pyright|tox|nox|sqlfluff
  rspec|rubocop|phpunit|phpstan|golangci-lint|gofmt|goimports|rustfmt|clang-format|clang-tidy|ktlint|swiftlint|shellcheck|ctest
  bundle exec rspec|rubocop
  cargo build|check|test|clippy|fmt|run|doc|bench|tree
  go build|test|vet|fmt|list
  dotnet build|test|format
  mvn|mvnw test|compile|verify|package
  gradle|gradlew test|build|check|assemble
  swift|mix|zig|composer|sbt test|build|compile|format
  meson compile|test
  cmake --build
  make|ninja|just|task|rake <name>
`);

/** git in the working tree: nothing that sends, fetches, sets, reads other revisions or takes work away. */
const git = table(`
  git add|commit|status|ls-files|rev-parse
  git stash list
  git branch --show-current
`);

/** What reads the files that it is given. */
const readers: ReadonlySet<string> = new Set("cat head tail wc nl cmp diff ls date which sleep false".split(" "));
/** What makes files and folders. */
const makers: ReadonlySet<string> = new Set("cp mkdir touch".split(" "));

/** Options that only read what the next word names: a file or folder of the project may be named there. */
const readingOption = /^(?:-[pcrCf]|--(?:config|require|import|root|rootdir|directory|project|rulesdir|file))$/u;

/** Options whose next word is a text: a message, or a part of the names of tests. */
const textOptions: ReadonlySet<string> = new Set(
  "-m -am --message -k -t -g --grep --filter -run --run --testNamePattern".split(" "),
);

/** Programs that have such options. To others, such as make, the word after it may be a setting: it could name a shell, or run one. */
const textPrograms: ReadonlySet<string> = new Set(
  `git npm pnpm yarn npx bunx bun deno node python py pytest vitest jest mocha ava rspec phpunit bundle go dotnet swift`.split(
    " ",
  ),
);

/** Of gradle, which takes a beginning for a whole name: `pub` may publish. */
const gradleWord = /^-|^(?:clean|test|check|build|assemble|classes|jar|lint|help|tasks|[a-z]\w*Test|compile[A-Z]\w*)$/u;

/** The words that a rule would name; `undefined` for a command that is not understood, or with a word that may reach beyond the project. */
export function readUnderstood(argv: readonly string[], paths: NamedPaths): readonly string[] | undefined {
  const length = lengthOfFirst(argv, paths);
  if (length === undefined || runsInlineCode(argv) || runsWords(argv, paths)) return undefined;
  return areHarmless(argv.slice(length), paths, hasTexts(argv)) ? argv.slice(0, length) : undefined;
}

/** A program of the project has those that it has. */
function hasTexts([program = ""]: readonly string[]): boolean {
  return /[\\/]/u.test(program) || textPrograms.has(programName(program));
}

/** Whether its words name a program or a module that is not the project's, which it would run. */
function runsWords(argv: readonly string[], { modules, foreign }: NamedPaths): boolean {
  const [program, ...rest] = argv[1] === "-m" ? argv.slice(2) : argv;
  if (program === "tox") return rest.some((word) => /^(?:exec|e|devenv|d)$/u.test(word));
  if (program === "gradle" || program === "gradlew")
    return rest.some((word, at) => !gradleWord.test(word) && rest[at - 1] !== "--tests");
  if (program !== "coverage" || rest[0] !== "run") return false;
  const option = rest.findIndex((word) => /^-\w*m$|^--m/u.test(word));
  const module = option < 0 ? undefined : rest[option + 1];
  if (module === undefined || /^(?:pytest|unittest|django)$/u.test(module)) return false;
  return !modules.includes(module) || foreign.includes(module);
}

/** Whether the profile of a session covers it, beside the open shapes: it is understood, and nothing executes what it writes. */
export function isProfiled(argv: readonly string[], isPiped: boolean, paths: NamedPaths): boolean {
  if (readUnderstood(argv, paths) !== undefined || isAside(argv, isPiped)) return true;
  const [program = "", ...rest] = argv;
  // It reads what the part before it writes.
  if (
    isPiped &&
    rest.includes("-") &&
    readUnderstood(
      argv.filter((word) => word !== "-"),
      paths,
    ) !== undefined
  )
    return true;
  if (rest.length === 1 && /^(?:--version|-V)$/u.test(rest[0] ?? "")) return /^[\w.-]+$/u.test(program);
  if (program === "git" && rest[0] === "log") return isLog(rest.slice(1), paths);
  if (searchers.has(program)) return areSearched(program, rest, paths);
  if (readers.has(program)) return areRead(program, rest, paths);
  return makers.has(program) && areMade(program, rest, paths);
}

function lengthOfFirst(argv: readonly string[], paths: NamedPaths): number | undefined {
  const [program = "", ...rest] = argv;
  // A path leads to a file of the project, or to a program that is not in the tables.
  if (/[\\/]/u.test(program)) return paths.files.includes(program) ? 1 : undefined;
  const words = [programName(program), ...rest];
  return [...runners, ...git].find((row) => row.every((allowed, at) => isAllowed(words[at], allowed, paths)))?.length;
}

function isAllowed(word: string | undefined, allowed: ReadonlySet<string>, paths: NamedPaths): boolean {
  if (word === undefined) return false;
  if (allowed.has("<file>")) return paths.files.includes(word);
  if (allowed.has("<module>")) return paths.modules.includes(word) && !paths.foreign.includes(word);
  if (allowed.has("<name>")) return /^\w[\w.:-]*$/u.test(word) && !isRiskyName(word);
  return allowed.has(word);
}

/** Each word is an option, a name, a text, or a file or folder of the project. */
function areHarmless(rest: readonly string[], { files, folders, foreign }: NamedPaths, hasText: boolean): boolean {
  const isOwn = (word: string | undefined): boolean => word !== undefined && [...files, ...folders].includes(word);
  /** It reads what is the project's, or is a letter that has no value. */
  const isSafeHere = (option: string, value: string | undefined): boolean =>
    readingOption.test(option) ? isOwn(value) || value === undefined || value.startsWith("-") : false;
  return rest.every((word, at) => {
    // A word with blanks in it is a sentence, not the name of a file.
    if (hasText && textOptions.has(rest[at - 1] ?? "") && !word.startsWith("-") && /^[^/\\]* |^[\w.-]+$/u.test(word))
      return word.includes(" ") || !foreign.includes(word);
    if (isOwn(word) || word === "--") return true;
    if (foreign.includes(word)) return false;
    if (word.startsWith("-")) return isOption(word) && (!isRiskyOption(word) || isSafeHere(word, rest[at + 1]));
    return /^[\p{L}\p{N}_][\p{L}\p{N}_.,+%-]*$/u.test(word) && !isRiskyName(word);
  });
}

/** Its value is neither a path nor a setting of its own. */
function isOption(word: string): boolean {
  return /^-{1,2}[\p{L}\p{N}][\p{L}\p{N}_-]*(?:=[\p{L}\p{N}_.,+%-]*)?$/u.test(word) && !/^-[DPIX]/u.test(word);
}

/** The messages of what led to the commit that is checked out, without the changes. */
function isLog(rest: readonly string[], { files }: NamedPaths): boolean {
  const listing =
    /^(?:--oneline|--stat|--decorate|--graph|--no-merges|--name-only|--reverse|-\d+|-n|--grep=[\w .,#-]*|--author=[\w .-]*|--since=[\w .-]*|--)$/u;
  return rest.every((word) => listing.test(word) || /^\d+$/u.test(word) || files.includes(word));
}

/** Files of the project; folders only where their names are listed, because they may hold secrets. */
function areRead(program: string, rest: readonly string[], { files, folders, foreign }: NamedPaths): boolean {
  const takesWords = program === "date" || program === "which" || program === "sleep";
  return rest.every((word, at) => {
    if (word.startsWith("-")) return /^-[A-QS-Za-qs-z\d]+$/u.test(word);
    if (files.includes(word) || /^\+?\d+$/u.test(word))
      return !foreign.includes(word) || /^-\w$/u.test(rest[at - 1] ?? "");
    return (takesWords && !foreign.includes(word)) || (program === "ls" && folders.includes(word));
  });
}

/** A pattern, then files of the project. */
function areSearched(program: string, rest: readonly string[], { files }: NamedPaths): boolean {
  const operands = operandsOf(program, rest);
  return operands !== undefined && operands.length > 1 && operands.slice(1).every((word) => files.includes(word));
}

function areMade(program: string, rest: readonly string[], { files, folders, writable }: NamedPaths): boolean {
  if (rest.some((word) => word.startsWith("-") && !/^-[pvf]$/u.test(word))) return false;
  const operands = rest.filter((word) => !word.startsWith("-"));
  if (program !== "cp") return operands.every((word) => writable.includes(word) || folders.includes(word));
  const [from = "", to = ""] = operands;
  return operands.length === 2 && files.includes(from) && writable.includes(to);
}

/** Lines of words; `a|b` are alternatives. */
function table(text: string): readonly (readonly ReadonlySet<string>[])[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "").map((line) => line.split(" ").map((word) => new Set(word.split("|"))));
}
