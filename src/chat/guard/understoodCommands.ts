/**
 * The commands of which it is known what their words do (A3): a rule for the program and its first words lets others follow,
 * and the profile of a session covers them. What is not in these tables asks each time, or gets a rule for exactly its words.
 */
import type { NamedPaths } from "../../domain/tools/grant";
import { isAside, operandsOf, searchers } from "./filterCommands";
import { type KnownOptions, knownOptionsOf } from "./knownOptions";
import { isRiskyName, isRiskyOption, programName, runsInlineCode } from "./riskyWords";

/** What runs code. `<file>` is a file of the project, `<module>` one of its modules, `<name>` a script or target whose name is not risky, `<usual>` a script that projects have. */
const runners = table(`
  gradle|gradlew test|build|check|assemble
  mvn|mvnw test|compile|verify|package
  python|node|ruby|php|perl|lua|bun|tsx|ts-node|rscript|julia|dart|elixir|swift <file>
  deno|bun test
  node --test
  python|py -m ruff check|format
  python|py -m pytest|unittest|doctest|compileall|py_compile|mypy|black|flake8|pylint|isort|pyflakes|tox|nox
  python|py -m coverage run|report|html|xml|json|lcov|erase|combine
  python|py -m django test|check
  python|py -m sqlfluff lint|fix|parse|format|render
  python|py -m <module>
  npm|pnpm run|run-script <name>
  yarn|bun run <usual>
  npm|pnpm|yarn test|t
  npx|bunx playwright test
  npx|bunx cypress run
  npx|bunx biome check|lint|format|ci
  npx|bunx c8|nyc vitest|jest|mocha|ava|report
  npx|bunx vitest|jest|mocha|ava|eslint|prettier|tsc|stylelint|knip|depcruise|markdownlint
  pnpm|yarn exec playwright test
  pnpm|yarn exec biome check|lint|format|ci
  pnpm|yarn exec c8|nyc vitest|jest|mocha|ava|report
  pnpm|yarn exec vitest|jest|mocha|ava|eslint|prettier|tsc|stylelint|knip
  yarn|pnpm vitest|jest|mocha|eslint|prettier|tsc|stylelint
  ruff check|format
  sqlfluff lint|fix|parse|format|render
  biome check|lint|format|ci
  golangci-lint run|fmt|linters
  phpstan analyse|analyze
  vitest|jest|mocha|ava|eslint|prettier|tsc|stylelint|pytest|mypy|black|flake8|pylint|isort|pyright|tox|nox
  rspec|rubocop|phpunit|gofmt|goimports|rustfmt|clang-format|clang-tidy|ktlint|swiftlint|shellcheck|ctest
  bundle exec rspec|rubocop
  cargo build|check|test|clippy|fmt|run|doc|bench|tree
  go build|test|vet|fmt|list
  dotnet build|test|format
  swift|mix|zig|composer|sbt test|build|compile|format
  meson compile|test
  cmake --build
  make|ninja|just|task|rake <name>
`);

/** What starts the program of that name, in the project. */
const wrappers: ReadonlySet<string> = new Set(["gradlew", "mvnw"]);

/** yarn and bun run a program of the name where the project has no such script. */
const usual = /^(?:test|build|check|lint|format|types|typecheck)(?::[\w:-]+)?$/u;

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

/** Options that only read what the next word names: a file or folder of the project may be named there, and nothing else. */
const readingOption = /^(?:-[pcrCf]|--(?:config|require|import|root|rootdir|directory|project|rulesdir|file))$/u;

/** A message of a commit may hold more. */
const text = /^[^/\\$`=]*(?: [^\\$`=]*)?$/u;

/** The words that may follow, of a program that runs or fetches what others name, or takes a beginning for a whole name. */
const goals: Readonly<Record<string, RegExp>> = {
  gradle: /^(?:clean|test|check|build|assemble|classes|jar|lint|help|tasks|[a-z]\w*Test|compile[A-Z]\w*)$/u,
  mvn: /^(?:clean|validate|compile|test-compile|test|package|verify)$/u,
  tox: /^(?:run|r|run-parallel|p|list|l|py\d*|lint|mypy|auto)$/u,
};

/** The words that a rule would name; `undefined` for a command that is not understood, or with a word that may reach beyond the project. */
export function readUnderstood(argv: readonly string[], paths: NamedPaths): readonly string[] | undefined {
  const found = findRow(argv, paths);
  if (found === undefined || runsInlineCode(argv)) return undefined;
  const first = argv.slice(0, found.length);
  const rest = argv.slice(found.length);
  if (runsOtherModule(first, rest, paths) || namesOtherGoal(first, rest)) return undefined;
  return areHarmless(rest, paths, found.isOwn ? undefined : knownOptionsOf(namesOf(first)), first) ? first : undefined;
}

function namesOf([program = "", ...rest]: readonly string[]): readonly string[] {
  return [programName(program), ...rest];
}

function namesOtherGoal(first: readonly string[], rest: readonly string[]): boolean {
  const names = namesOf(first);
  const [name = ""] = (names[1] === "-m" ? names.slice(2) : names).map((word) => word.replace(/w$/u, ""));
  const allowed = goals[name];
  const isGoal = (word: string, at: number): boolean => word.startsWith("-") || /^--tests$/u.test(rest[at - 1] ?? "");
  return allowed !== undefined && rest.some((word, at) => !isGoal(word, at) && !allowed.test(word));
}

/** Whether `coverage run` would run a module that is not the project's. */
function runsOtherModule(first: readonly string[], rest: readonly string[], { modules, foreign }: NamedPaths): boolean {
  if (first.at(-2) !== "coverage") return false;
  const option = rest.indexOf("-m");
  const module = first.at(-1) === "run" && option >= 0 ? rest[option + 1] : undefined;
  if (module === undefined || /^(?:pytest|unittest)$/u.test(module)) return false;
  if (module === "django") return !/^(?:test|check)$/u.test(rest[option + 2] ?? "");
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

/** The words of the command that are in the tables. `isOwn`: the others go to a file or a module of the project. */
function findRow(
  argv: readonly string[],
  paths: NamedPaths,
): { readonly length: number; readonly isOwn: boolean } | undefined {
  const [program = "", ...rest] = argv;
  const words = [programName(program), ...rest];
  // A path leads to a file of the project, or to a program that is not in the tables.
  const isPath = /[\\/]/u.test(program);
  if (isPath && !paths.files.includes(program)) return undefined;
  const row = [...runners, ...git].find((one) => one.every((allowed, at) => isAllowed(words[at], allowed, paths)));
  if (isPath && !wrappers.has(words[0] ?? "")) return { length: 1, isOwn: true };
  return row && { length: row.length, isOwn: row.some((word) => word.has("<file>") || word.has("<module>")) };
}

function isAllowed(word: string | undefined, allowed: ReadonlySet<string>, paths: NamedPaths): boolean {
  if (word === undefined) return false;
  if (allowed.has("<file>")) return paths.files.includes(word);
  if (allowed.has("<module>")) return paths.modules.includes(word) && !paths.foreign.includes(word);
  if (allowed.has("<usual>")) return usual.test(word) && !isRiskyName(word);
  // npm prints its environment.
  if (allowed.has("<name>")) return /^\w[\w.:-]*$/u.test(word) && word !== "env" && !isRiskyName(word);
  return allowed.has(word);
}

/** Each word is a known option, a name, a text, or a file or folder of the project. Without `known`, its options are the project's own. */
function areHarmless(
  rest: readonly string[],
  { files, folders, foreign }: NamedPaths,
  known: KnownOptions | undefined,
  [program]: readonly string[],
): boolean {
  const isOwn = (word: string | undefined): boolean => word !== undefined && [...files, ...folders].includes(word);
  const isKnown = (option: string): boolean => (known ? known.has(option) : !isRiskyOption(option));
  return rest.every((word, at) => {
    // A word with blanks in it is a sentence, not the name of a file.
    if (
      known?.takesText(rest[at - 1] ?? "") === true &&
      !word.startsWith("-") &&
      (program === "git" || text.test(word))
    )
      return word.includes(" ") || !foreign.includes(word);
    if (isOwn(word) || word === "--") return true;
    if (foreign.includes(word)) return false;
    if (word.startsWith("-"))
      return isOption(word) && (isKnown(word) || (readingOption.test(word) && isOwn(rest[at + 1])));
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
