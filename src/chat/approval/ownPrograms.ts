/** Programs of the project (A3): its files and its modules of Python, which may get words that are harmless by their look. */
import type { NamedPaths } from "../../domain/tools/grant";
import { isRiskyName, programName } from "./riskyWords";
import { isKnownModule } from "./usageLines";

/** They run the file that they are given. */
const interpreters: ReadonlySet<string> = new Set([
  "python",
  "node",
  "ruby",
  "php",
  "perl",
  "lua",
  "bun",
  "tsx",
  "ts-node",
  "rscript",
  "julia",
  "dart",
  "elixir",
  "swift",
]);

/** In the names of files that send the project out. */
const sending: ReadonlySet<string> = new Set(["publish", "deploy", "release", "upload", "ship"]);

/** The words that start the program; `undefined` when it is none of the project's, or gets a word that may reach beyond the project. */
export function findOwnProgram(argv: readonly string[], paths: NamedPaths): readonly string[] | undefined {
  const length = lengthOfStart(argv, paths);
  if (length === 0 || sendsProject(argv[length - 1] ?? "")) return undefined;
  const rest = argv.slice(length);
  return rest.every((word, at) => isHarmless(word, rest[at + 1], paths)) ? argv.slice(0, length) : undefined;
}

function lengthOfStart([program = "", first = "", second = ""]: readonly string[], paths: NamedPaths): number {
  if (/[\\/]/u.test(program)) return paths.files.includes(program) ? 1 : 0;
  const name = programName(program);
  if (interpreters.has(name) && paths.files.includes(first)) return 2;
  const isModule = (name === "python" || name === "py") && first === "-m";
  const isOwn = paths.modules.includes(second) && !paths.foreign.includes(second);
  return isModule && isOwn && !isKnownModule(second) ? 3 : 0;
}

/** By its name; a test of what does so only runs. */
function sendsProject(file: string): boolean {
  const [name = ""] = file.split(/[\\/]/u).slice(-1);
  const parts = name.toLowerCase().split(/[^a-z]+/u);
  return parts.some((part) => sending.has(part)) && !parts.some((part) => /^(?:tests?|spec)$/u.test(part));
}

function isHarmless(word: string, next: string | undefined, paths: NamedPaths): boolean {
  const { files, folders, modules, foreign } = paths;
  const isOwn = (one: string | undefined): boolean => one !== undefined && [...files, ...folders].includes(one);
  if (isOwn(word) || word === "--") return true;
  if (foreign.includes(word)) return false;
  if (!word.startsWith("-")) return /^[\p{L}\p{N}_][\p{L}\p{N}_.,+%-]*$/u.test(word) && !isRiskyName(word);
  if (!/^-{1,2}[\p{L}\p{N}][\p{L}\p{N}_-]*(?:=[\p{L}\p{N}_.,+%-]*)?$/u.test(word)) return false;
  const [, settings] = /^--settings=(.*)$/u.exec(word) ?? [];
  if (settings !== undefined) return modules.includes(settings);
  return !isRiskyOption(word) || (readingOption.test(word) && isOwn(next));
}

/** Of a program that reads the file or folder: the project's may be named. */
const readingOption = /^(?:-c|--(?:config|root|rootdir|directory|project|file))$/u;

const riskyLetters = /^-[cepfroOCuDPIX]/u;
const riskyNames: ReadonlySet<string> = new Set(
  `eval print require import loader node-options shell prefix cwd chdir directory root rootdir outfile outdir out-file out-dir
  ui file template registry transform resolver git host testrunner addr address bind listen url`.split(/\s+/u),
);
const riskyBeginnings = [
  "exec",
  "experimental-",
  "plugin",
  "load",
  "output",
  "pager",
  "open-",
  "env-file",
  "junit",
  "log-",
  "report-",
  "setupfiles",
  "setup-files",
  "config",
];
/** They name a program. */
const riskyEnding = /(?:command|cmd|program|executable|hook|wrapper|browser|editor|viewer|launcher)$/u;

/** One that may take something away, or would commonly name a program, a module or code to run, another place, or a file to write. */
function isRiskyOption(word: string): boolean {
  const [option = ""] = word.split("=", 1);
  const name = option.replace(/^--?/u, "").toLowerCase();
  return (
    isRiskyName(word) ||
    riskyLetters.test(option) ||
    riskyBeginnings.some((beginning) => name.startsWith(beginning)) ||
    riskyEnding.test(name) ||
    riskyNames.has(name)
  );
}
