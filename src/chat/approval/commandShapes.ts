/** Which commands a rule may cover, and what may follow the words of an open one. */
import { unseenCharacters } from "../../base/text/revealHidden";
import type { NamedPaths } from "../../domain/tools/grant";
import { isNeverCovered, programName } from "./riskyWords";
import { readUnderstood } from "./understoodCommands";

/**
 * Programs that run what their arguments or a file contain. A rule for one covers its whole command; the program name alone
 * gets no rule.
 */
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

interface Shape {
  readonly words: readonly string[];
  /** The options that may follow. Any other one could name a program, a plugin or a file to load. */
  readonly options: readonly string[];
  /** Options whose value, the next word, is the name of a test. */
  readonly naming: readonly string[];
  /** What the other words may be. `files after --`: before `--`, git reads a word as a revision and prints all its files. */
  readonly takes: "names" | "paths" | "files after --";
}

const split = (text: string): readonly string[] => text.split(" ").filter((word) => word !== "");

function shape(words: string, takes: Shape["takes"], options = "", naming = ""): Shape {
  return { words: split(words), options: split(options), naming: split(naming), takes };
}

/** What they run is in the project already, and only a person changes that without a question. */
const shapes: readonly Shape[] = [
  ...["npm test", "npm run test", "pnpm test", "yarn test"].map((words) =>
    shape(words, "paths", "-- --bail", "-g --grep -t"),
  ),
  ...["npm run lint", "npm run build", "npm run types", "npm run check", "npm run typecheck"].map((words) =>
    shape(words, "paths"),
  ),
  shape("cargo test", "names", "--lib --release -q"),
  ...["cargo check", "cargo build", "cargo clippy"].map((words) => shape(words, "names", "--release -q")),
  shape("go test", "paths", "-v -short -race", "-run"),
  shape("go vet", "paths"),
  ...["pytest", "python -m pytest"].map((words) => shape(words, "paths", "-q -v -x", "-k")),
  shape("dotnet test", "paths", "--no-build --no-restore"),
  shape("git status", "paths", "-s --short"),
  shape("git diff", "files after --", "--stat --cached --staged --name-only"),
];

const unseen = new RegExp(`[${unseenCharacters}]`, "u");

/** What a rule covers: exactly these words, or more that follow them. */
export interface CommandPattern {
  readonly argv: readonly string[];
  readonly open?: true;
  readonly any?: true;
}

/**
 * What a rule for the command would cover: its shape, with what may follow; its first words, with others that reach nothing
 * outside of the project; else exactly this command. `undefined` when none may. `paths`: as in `isCoveredRest`.
 */
export function patternOf(argv: readonly string[], paths: NamedPaths): CommandPattern | undefined {
  const [program] = argv;
  if (program === undefined || argv.some((word) => unseen.test(word))) return undefined;
  const name = programName(program);
  if (wrappers.has(name) || (argv.length === 1 && bare.has(name)) || isNeverCovered(argv)) return undefined;
  const known = shapes.find(({ words }) => startsWith(argv, words) && isCoveredRest(argv, words, paths));
  if (known) return { argv: known.words, open: true };
  const first = readUnderstood(argv, paths);
  return first ? { argv: first, any: true } : { argv };
}

/** Whether a rule of that pattern covers the command. */
export function isCoveredBy(rule: CommandPattern, argv: readonly string[], paths: NamedPaths): boolean {
  if (isNeverCovered(argv)) return false;
  if (rule.open === true) return isCoveredRest(argv, rule.argv, paths);
  const covered = rule.any === true ? patternOf(argv, paths) : { argv, any: undefined };
  return (
    covered?.any === rule.any &&
    covered?.argv.length === rule.argv.length &&
    covered.argv.every((word, at) => word === rule.argv[at])
  );
}

/**
 * Whether only names, known options and `paths` follow the words of an open rule: a program may run or print what it is given
 * by name.
 */
export function isCoveredRest(argv: readonly string[], words: readonly string[], paths: NamedPaths): boolean {
  const known = shapes.find((one) => one.words.length === words.length && startsWith(one.words, words));
  if (known === undefined || !startsWith(argv, words)) return false;
  const rest = argv.slice(words.length);
  const { takes, options, naming } = known;
  if (takes === "files after --") return isListedDiff(rest, options, paths);
  return rest.every((word, at) => {
    if (options.includes(word) || naming.includes(word)) return true;
    if (takes === "names" || naming.includes(rest[at - 1] ?? "")) return isName(word);
    return paths.files.includes(word) || paths.folders.includes(word);
  });
}

/** `git diff` without file names prints the changes of all files, also of those with secrets: it is covered only where it lists names. */
function isListedDiff(rest: readonly string[], options: readonly string[], { files }: NamedPaths): boolean {
  const dashes = rest.includes("--") ? rest.indexOf("--") : rest.length;
  const ahead = rest.slice(0, dashes);
  const named = rest.slice(dashes + 1);
  const isListing = ahead.some((word) => word === "--stat" || word === "--name-only");
  return (
    (named.length > 0 || isListing) &&
    ahead.every((word) => options.includes(word)) &&
    named.every((word) => files.includes(word))
  );
}

function startsWith(argv: readonly string[], words: readonly string[]): boolean {
  return words.every((word, index) => argv[index] === word);
}

/** No option, address or path. */
function isName(word: string): boolean {
  return /^[\p{L}\p{N}_][\p{L}\p{N}_.:-]*$/u.test(word);
}
