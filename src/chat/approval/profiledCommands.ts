/** What the profile of a session covers beside the commands that a rule may cover (A3): what reads or makes files of the project. */
import type { NamedPaths } from "../../domain/tools/grant";
import { isAside, operandsOf, readsCode, searchers } from "./filterCommands";
import { isRiskyName } from "./riskyWords";
import { readUnderstood } from "./understoodCommands";

/** Those that read the files that they are given. */
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

/** Whether the profile covers the command: it is understood, reads files of the project, or makes some that nothing executes. */
export function isProfiled(argv: readonly string[], isPiped: boolean, paths: NamedPaths): boolean {
  const [program = "", ...rest] = argv;
  if (isAside(argv, isPiped)) return true;
  if (readUnderstood(argv, paths) !== undefined) return !readsCode(argv, isPiped);
  if (rest.length === 1 && /^(?:--version|-V)$/u.test(rest[0] ?? ""))
    return /^[\w.-]+$/u.test(program) && !isRiskyName(program);
  if (program === "git" && rest[0] === "log") return isLog(rest.slice(1), paths);
  if (program === "date") return rest.every((word) => /^(?:\+[^`$]*|-[uIR])$/u.test(word));
  if (searchers.has(program)) return areSearched(program, rest, paths);
  if (readers.has(program)) return areRead(program, rest, paths);
  return makers.has(program) && areMade(program, rest, paths);
}

/** The messages of what led to the commit that is checked out, without the changes. */
function isLog(rest: readonly string[], { files }: NamedPaths): boolean {
  const listing =
    /^(?:--oneline|--stat|--decorate|--graph|--no-merges|--name-only|--reverse|-\d+|-n|--grep=[\w .,#-]*|--author=[\w .-]*|--since=[\w .-]*|--)$/u;
  return rest.every((word) => listing.test(word) || /^\d+$/u.test(word) || files.includes(word));
}

/** Files of the project; folders only where their names are listed, because they may hold secrets. */
function areRead(program: string, rest: readonly string[], { files, folders, foreign }: NamedPaths): boolean {
  const takesWords = program === "which" || program === "sleep";
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
