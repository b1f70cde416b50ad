/** Which commands a rule may cover, and what may follow the words of an open one. */
import { unseenCharacters } from "../../base/text/unseenCharacters";

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
  /** Besides names and paths. An option that is not among them could name a program, a plugin or a file to load. */
  readonly options: readonly string[];
}

const shape = (words: string, options = ""): Shape => ({
  words: words.split(" "),
  options: options.split(" ").filter((option) => option !== ""),
});

/** What they run is in the project already, and only a person changes that without a question. */
const shapes: readonly Shape[] = [
  ...["npm test", "npm run test", "pnpm test", "yarn test"].map((words) => shape(words, "-- -g --grep -t --bail")),
  ...["npm run lint", "npm run build", "npm run types", "npm run check", "npm run typecheck"].map((words) =>
    shape(words),
  ),
  shape("cargo test", "--lib --release -q"),
  ...["cargo check", "cargo build", "cargo clippy"].map((words) => shape(words, "--release -q")),
  shape("go test", "-v -run -short -race"),
  shape("go vet"),
  shape("pytest", "-q -v -x -k"),
  shape("python -m pytest", "-q -v -x -k"),
  shape("dotnet test", "--no-build --no-restore"),
  shape("git status", "-s --short"),
  shape("git diff", "--stat --cached --staged --name-only"),
];

const unseen = new RegExp(`[${unseenCharacters}]`, "u");

type IsSecretPath = (path: string) => boolean;

/** What a rule for the command would cover: its shape, with any names after it, else exactly this command. `undefined` when none may. */
export function patternOf(
  argv: readonly string[],
  isSecretPath: IsSecretPath,
): { readonly argv: readonly string[]; readonly open?: true } | undefined {
  const [program] = argv;
  if (program === undefined || argv.some((word) => unseen.test(word))) return undefined;
  const name = programName(program);
  if (wrappers.has(name) || (argv.length === 1 && bare.has(name))) return undefined;
  const known = shapes.find((one) => startsWith(argv, one.words) && isCoveredRest(argv, one.words, isSecretPath));
  return known ? { argv: known.words, open: true } : { argv };
}

/** Whether only names, paths inside and known options follow the words of an open rule. What a program is given by name it may print: no secret. */
export function isCoveredRest(argv: readonly string[], words: readonly string[], isSecretPath: IsSecretPath): boolean {
  const known = shapes.find((one) => one.words.length === words.length && startsWith(one.words, words));
  if (known === undefined || !startsWith(argv, words)) return false;
  return argv.slice(words.length).every((word) => {
    const isSecret = /[./]/u.test(word) && word.split(":").some(isSecretPath);
    return known.options.includes(word) || (isPlainWord(word) && !isSecret);
  });
}

function startsWith(argv: readonly string[], words: readonly string[]): boolean {
  return words.every((word, index) => argv[index] === word);
}

/** A name or a path inside the folder: no option, no address, no way up or out. */
function isPlainWord(word: string): boolean {
  return /^[\p{L}\p{N}_.@/:*-]+$/u.test(word) && !/^[-/~@]|(?:^|\/)\.\.(?:\/|$)|:\/\/|^[a-z]:[\\/]/iu.test(word);
}

function programName(program: string): string {
  const name = program.split(/[\\/]/u).at(-1) ?? program;
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\.(exe|cmd|bat|ps1)$/u, "")
    .replace(/^(python|pip|ruby|node|php|perl|lua)[\d.]+$/u, "$1");
}
