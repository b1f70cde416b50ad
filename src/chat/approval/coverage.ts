/** What a rule has to cover for a call to run without a question, and the narrowest useful rules for it (A3). */
import { type GrantedPart, type GrantSubject, isWriting, pathsOf, type RuleSubject } from "../../domain/tools/grant";
import { isCoveredBy, patternOf } from "./commandShapes";
import { isAside, readsCode } from "./filterCommands";
import { isNoLarger } from "./taskOptions";
import { isProfiled } from "./profiledCommands";
import { runsOwnFile } from "./understoodCommands";

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
