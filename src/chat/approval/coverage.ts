/** What a rule has to cover for a call to run without a question, and the narrowest useful rules for it (A3). */
import { posix } from "node:path";
import { type GrantedPart, type GrantSubject, isWriting, pathsOf, type RuleSubject } from "../../domain/tools/grant";
import { isCoveredBy, patternOf } from "./commandRule";
import { isProfiled, needsNoRule, readsCode } from "./projectCommands";

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
      const wanted = ownParts(grant.parts).map((part) => wantedForPart(part, grant.folder, isPlainFile));
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

/** Parts that only filter what the others print need no rule, unless the line has no other part. */
function ownParts(parts: readonly GrantedPart[]): readonly GrantedPart[] {
  const own = parts.filter(({ argv, isPiped }) => !needsNoRule(argv, isPiped === true));
  return own.length > 0 ? own : parts;
}

function wantedForPart(
  { argv, isPiped, paths }: GrantedPart,
  folder: string,
  isPlainFile: (path: string) => boolean,
): Wanted | undefined {
  if (readsCode(argv, isPiped === true)) return undefined;
  const named = { paths, isPlainFile: (path: string) => isPlainFile(posix.join(folder, path)) };
  const pattern = patternOf(argv, named);
  return (
    pattern && {
      subject: { type: "command", folder, ...pattern },
      isCoveredBy: (rule) => rule.type === "command" && rule.folder === folder && isCoveredBy(rule, argv, named),
    }
  );
}

/** Whether the profile of a session covers the call: each part runs code of the project, or reads and writes its files. */
export function isInProfile(grant: GrantSubject): boolean {
  return grant.type === "command" && grant.isOwnFolder && grant.parts.every((part) => isProfiled(part));
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
