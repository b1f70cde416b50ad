/** What a rule has to cover for a call to run without a question, and the narrowest useful rules for it (A3). */
import {
  type GrantedPart,
  type GrantSubject,
  isWriting,
  pathsOf,
  type RuleSubject,
  type NamedPaths,
} from "../../domain/tools/grant";
import { isCoveredBy, patternOf } from "./commandShapes";
import { isAside, readsCode, operandsOf, searchers } from "./filterCommands";
import { isRiskyName } from "./riskyWords";
import { runsOwnFile, readUnderstood } from "./understoodCommands";

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
function isProfiled(argv: readonly string[], isPiped: boolean, paths: NamedPaths): boolean {
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

/** One rule that is wanted, and which others cover the same. */
export interface Wanted {
  readonly subject: RuleSubject;
  readonly isCoveredBy: (rule: RuleSubject) => boolean;
}

/** Tasks that a yes for the session covers: each is paid. */
const taskAllowance = 5;

/** Empty when no rule may cover the call. A command line wants a rule for each part; all together cover it. */
export function wantedOf(grant: GrantSubject, isPlainFile: (path: string) => boolean): readonly Wanted[] {
  switch (grant.type) {
    case "command": {
      const wanted = ownParts(grant.parts).map((part) => wantedForPart(part, grant.folder));
      return wanted.every((one) => one !== undefined) ? wanted : [];
    }
    case "file": {
      if (!isWriting(grant) || !pathsOf(grant).every(isPlainFile)) return [];
      return [{ subject: { type: "plain-files" }, isCoveredBy: ({ type }) => type === "plain-files" }];
    }
    case "submit-task":
      return [
        {
          subject: { ...grant, left: taskAllowance },
          isCoveredBy: (rule) =>
            rule.type === "submit-task" &&
            rule.taskType === grant.taskType &&
            rule.model === grant.model &&
            isNoLarger(grant.options, rule.options),
        },
      ];
    case "fetch": {
      const { type, origin } = grant;
      return [{ subject: { type, origin }, isCoveredBy: (rule) => rule.type === "fetch" && rule.origin === origin }];
    }
    case "foreign-tool": {
      const { type, name, promise } = grant;
      return [
        {
          subject: { type, name, promise },
          isCoveredBy: (rule) => rule.type === "foreign-tool" && rule.name === name && rule.promise === promise,
        },
      ];
    }
  }
}

/** Without those that need no rule beside others. */
function ownParts(parts: readonly GrantedPart[]): readonly GrantedPart[] {
  const own = parts.filter(({ argv, isPiped }) => !isAside(argv, isPiped === true));
  return own.length > 0 ? own : parts;
}

function wantedForPart({ argv, isPiped, paths }: GrantedPart, folder: string): Wanted | undefined {
  if (readsCode(argv, isPiped === true)) return undefined;
  const pattern = patternOf(argv, paths);
  return (
    pattern && {
      subject: { type: "command", folder, ...pattern },
      isCoveredBy: (rule) => rule.type === "command" && rule.folder === folder && isCoveredBy(rule, argv, paths),
    }
  );
}

/** Whether the profile of a session covers the call: each part runs code of the project, or reads and writes its files. */
export function isInProfile(grant: GrantSubject): boolean {
  return grant.type === "command" && grant.isOwnFolder && grant.parts.every((part) => isProjects(part));
}

/** Whether a program with its words runs code of the project, or reads and writes its files, and nothing else. `isUnread`: as in `OutputPorts`. */
export function isProjects({ argv, isPiped, paths }: GrantedPart, isUnread = false): boolean {
  const reads = isPiped === true;
  if (isUnread && runsOwnFile(argv, paths)) return false;
  return isAside(argv, reads) || runsProject(argv, paths) || isProfiled(argv, reads, paths);
}

/** An open shape: tests and builds. */
function runsProject(argv: readonly string[], paths: GrantedPart["paths"]): boolean {
  return patternOf(argv, paths)?.open === true;
}

/** Of a paid task. */
type Options = Readonly<Record<string, unknown>>;

/**
 * Whether the options have the same names as the allowed ones, and none a larger value. A missing or an added one could make
 * the task dearer: the gateway's default for it is not known.
 */
function isNoLarger(options: Options, allowed: Options): boolean {
  const names = Object.keys(allowed);
  return (
    names.length === Object.keys(options).length &&
    names.every((name) => Object.hasOwn(options, name) && isWithin(options[name], allowed[name]))
  );
}

function isWithin(value: unknown, allowed: unknown): boolean {
  if (JSON.stringify(value) === JSON.stringify(allowed)) return true;
  const [wanted, most] = [sidesOf(value), sidesOf(allowed)];
  return (
    wanted.length > 0 && wanted.length === most.length && 0 < productOf(wanted) && productOf(wanted) <= productOf(most)
  );
}

/** A number, or the sides of a size such as `1280x720`; empty for anything else. */
function sidesOf(value: unknown): readonly number[] {
  const text = typeof value === "number" || typeof value === "string" ? String(value) : "";
  return /^\d{1,9}(?:\.\d{1,9})?(?:x\d{1,9})?$/u.test(text) ? text.split("x").map(Number) : [];
}

function productOf(sides: readonly number[]): number {
  return sides.reduce((product, side) => product * side, 1);
}
