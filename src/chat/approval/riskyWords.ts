/** Words of commands that no rule covers, or that may not follow those of a rule (A3). */

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
export function runsFiles(argv: readonly string[]): boolean {
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
export function isNeverCovered(argv: readonly string[]): boolean {
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
