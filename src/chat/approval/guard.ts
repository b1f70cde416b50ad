/** Decides for each call that asks whether a rule covers it, which rule a yes could make, and why it asks (A3, A4). */
import { posix } from "node:path";
import type { CallToApprove, ProposedChange } from "../../domain/tools/tool";
import {
  type GrantRule,
  pathsOf,
  type RuleOffer,
  type RuleScope,
  type GrantedPart,
  type GrantSubject,
  isWriting,
  type RuleSubject,
} from "../../domain/tools/grant";
import type { Log } from "../../domain/ports";
import { type AskReason, type Chat, type Entry, type ToolAction, toolCalls } from "../../domain/chat/chat";
import type { GrantRules } from "./grantRules";
import { isCoveredBy, patternOf } from "./commandRule";
import { isProfiled, needsNoRule, readsCode } from "./projectCommands";

/** Judges files by their paths and changes by their text; implemented by the tools. */
export interface FilePolicy {
  /** Whether the file is source or a document that nothing executes and that holds no secret. `path`: as shown to the person. */
  isPlainFile(path: string): boolean;
  /** The reasons to ask that the text of a change gives. */
  reasonsOf(change: ProposedChange): readonly AskReason[];
  /** Whether the file may hold a secret, judged by its path. */
  isSecret(path: string): boolean;
  /** Whether git tracks each of these files. `files`: their paths on the disk. */
  areTracked(files: readonly string[]): Promise<boolean>;
  /** Whether the change makes an edit again that the person has taken back in this chat. */
  returnsTakenBack(change: ProposedChange): Promise<boolean>;
}

/** The untrusted text in the next request. */
export interface ReadUntrusted {
  /** The source of the newest such text, as shown to the person. */
  readonly source: string;
  /** The folders of packages that all of it lies in; missing when any of it lies elsewhere. */
  readonly packages?: readonly string[];
}

export interface GuardOptions {
  readonly rules: GrantRules;
  readonly files: FilePolicy;
  readonly log: Pick<Log, "warn">;
}

export interface ApprovalVerdict {
  /** The reasons for which a person is asked: those of the call, and those of its changes. */
  readonly reasons: readonly AskReason[];
  /** The rules that a yes could make for later calls; empty when each such call asks. */
  readonly offers: readonly RuleOffer[];
  /** The rules that allow the call, such as one for each part of a command line, or the profile of the session. */
  readonly rules?: RuleSet;
  /** The source of the untrusted text because of which a rule that covers the call does not apply. */
  readonly after?: string;
  /** The source of the untrusted text because of which a yes covers this call only and no rule is offered. Missing where `after` names it. */
  readonly onceAfter?: string;
  /** The profile of the session was switched off, because the model has read `after`. */
  readonly profileEnded?: true;
  /**
   * The files, for a command, that the model has changed under a rule and that no question has listed since. Until one has listed them, no rule
   * covers the command, because it may run them.
   */
  readonly changed?: readonly string[];
}

type RuleSet = readonly [GrantRule, ...GrantRule[]];

const reviewOffer: RuleOffer = { scope: "review", subject: { type: "reviewed-edits" } };

/** A rule may cover calls with these reasons only. For any other reason a person decides each time. */
const coveredReasons: ReadonlySet<AskReason> = new Set([
  "writes-file",
  "runs-command",
  "runs-confined",
  "submits-task",
  "submits-free-task",
  "foreign-tool",
  "fetches-url",
  "not-encrypted",
  "views-page",
]);

const commandReasons: ReadonlySet<AskReason> = new Set(["runs-command", "runs-confined", "runs-in-place"]);

/** The profile of a session does not cover a command that has one of these reasons. */
const unprofiledReasons: ReadonlySet<AskReason> = new Set(["outside-sandbox", "uses-network", "stays-running"]);

export class Guard {
  readonly #options: GuardOptions;

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  /**
   * `read`: text in the next request that others may have written. With such text no rule applies: it may have asked for a call that
   * plants code, runs it or sends data out. Only a rule for edits that was made while the same packages had been read still applies.
   */
  async judge(
    call: CallToApprove,
    chat: Pick<Chat, "id" | "entries">,
    read: ReadUntrusted | undefined,
  ): Promise<ApprovalVerdict> {
    const { rules, files } = this.#options;
    const { grant } = call;
    const isAfterSecret = grant?.type === "fetch" && hasSecret(chat, (path) => files.isSecret(path));
    const found = new Set<AskReason>([...call.reasons, ...changesOf(call).flatMap((one) => files.reasonsOf(one))]);
    if (isAfterSecret) found.add("after-secret");
    for (const change of changesOf(call)) if (await files.returnsTakenBack(change)) found.add("taken-back");
    const reasons = [...found];
    const isCommand = reasons.some((reason) => commandReasons.has(reason));
    const changed = isCommand ? await rules.unseenChanges() : [];
    const hasEnded = isCommand && read !== undefined && rules.endProfile(chat.id);
    const isCoverable = grant !== undefined && reasons.every((reason) => coveredReasons.has(reason));
    const wanted = isCoverable ? wantedOf(grant, (path) => files.isPlainFile(path)) : [];
    const covering = await Promise.all(wanted.map((one) => rules.find(chat.id, one.isCoveredBy)));
    const profile = isCoverable && isInProfile(grant) ? rules.profileOf(chat.id) : undefined;
    const isReviewable = wanted.length > 0 && (await this.#isReviewable(call, reasons));
    const review = isReviewable ? await rules.find(chat.id, ({ type }) => type === "reviewed-edits") : undefined;
    const sets = [ruleSet(covering), ruleSet([profile]), ruleSet([review])].filter((set) => set !== undefined);
    const applied = sets.find((set) => set.every((rule) => isApplied(rule, read, changed)));
    if (applied) return { reasons, offers: [], rules: applied };
    const isCovered = sets.length > 0;
    const missing = wanted.filter((_, at) => covering[at] === undefined);
    const longer = [
      ...(isCovered ? [] : ruleOffers(missing)),
      ...(isReviewable && !isCovered ? [reviewOffer] : []),
      ...(isCommand && !reasons.some((reason) => unprofiledReasons.has(reason))
        ? profileOffers(rules.profileOf(chat.id), isCovered, profile !== undefined)
        : []),
    ];
    const offers = read === undefined ? longer : knowingOffers(wanted, read);
    const isExplained = isCovered || hasEnded || offers.length > 0;
    return {
      reasons: wanted.length > 0 ? reasons : withoutPlain(reasons),
      offers,
      ...(changed.length > 0 ? { changed } : {}),
      ...(read !== undefined && (isCovered || hasEnded) ? { after: read.source } : {}),
      ...(read !== undefined && !isExplained && longer.length > 0 ? { onceAfter: read.source } : {}),
      ...(hasEnded ? { profileEnded: true } : {}),
    };
  }

  /** Whether an undo takes back all that the call can do: it edits plain files that git tracks, and no other reason to ask applies. */
  async #isReviewable(call: CallToApprove, reasons: readonly AskReason[]): Promise<boolean> {
    const { grant } = call;
    if (grant?.type !== "file" || grant.change !== "edit" || reasons.some((reason) => reason !== "writes-file"))
      return false;
    const files = changesOf(call).map(({ file }) => file);
    const isWhole = files.length > 0 && files.length === pathsOf(grant).length;
    return isWhole && this.#options.files.areTracked(files);
  }

  /** Counts a use of the rules; false when one was revoked meanwhile. A file that is changed under a rule is first listed for the next command. */
  async use(applied: RuleSet, { grant }: CallToApprove, chat: Chat): Promise<boolean> {
    const { rules } = this.#options;
    if (grant?.type === "file") for (const path of pathsOf(grant)) await rules.noteChange(path);
    let isThere = true;
    for (const rule of applied) isThere = (await rules.use(chat.id, rule)) && isThere;
    return isThere;
  }

  /** Switches the profile of the chat off, because untrusted text came into it. False when it was not on. */
  endProfile({ id }: Pick<Chat, "id">): boolean {
    return this.#options.rules.endProfile(id);
  }

  /** Notes that a person saw these files listed and allowed the command. Never rejects: where that can't be stored, they are listed again. */
  async noteSeen(changed: readonly string[]): Promise<void> {
    await this.#options.rules.forgetChanges(changed).catch((error: unknown) => {
      this.#options.log.warn("The list of changed files could not be kept.", { message: String(error) });
    });
  }

  /** Adds the rules of an offer. Never rejects: where a rule can't be kept, the next call asks again. */
  async grant({ scope, subject, more = [] }: RuleOffer, chat: Chat): Promise<void> {
    for (const one of [subject, ...more]) {
      await this.#options.rules.add(chat.id, scope === "review" ? "workspace" : scope, one).catch((error: unknown) => {
        this.#options.log.warn("A rule could not be kept.", { message: String(error) });
      });
    }
  }
}

function changesOf({ change, changes = [] }: CallToApprove): readonly ProposedChange[] {
  return [...(change ? [change] : []), ...changes.flatMap((part) => part.change ?? [])];
}

function ruleSet(found: readonly (GrantRule | undefined)[]): RuleSet | undefined {
  const [first, ...others] = found.flatMap((rule) => rule ?? []);
  return first && others.length + 1 === found.length ? [first, ...others] : undefined;
}

/** Whether a rule that covers the call holds now. */
function isApplied({ subject }: GrantRule, read: ReadUntrusted | undefined, changed: readonly string[]): boolean {
  if (changed.length > 0 && !(subject.type === "workspace-commands" && subject.edited === true)) return false;
  if (read === undefined) return true;
  const known = subject.type === "plain-files" ? subject.knowing : undefined;
  return known !== undefined && read.packages?.every((folder) => known.includes(folder)) === true;
}

function ruleOffers([first, ...others]: readonly Wanted[]): readonly RuleOffer[] {
  if (!first) return [];
  const { subject } = first;
  const more = others.length > 0 ? { more: others.map((one) => one.subject) } : {};
  const scopes: readonly RuleScope[] = subject.type === "submit-task" ? ["session"] : ["session", "workspace"];
  return scopes.map((scope) => ({ scope, subject, ...more }));
}

/** If all untrusted text is from installed packages, a rule for edits is offered for the session: their code runs with the project anyway. */
function knowingOffers(wanted: readonly Wanted[], { packages }: ReadUntrusted): readonly RuleOffer[] {
  if (packages === undefined || wanted[0]?.subject.type !== "plain-files") return [];
  return [{ scope: "session", subject: { type: "plain-files", knowing: [...packages] } }];
}

/** Offers the profile, and the one that applies while changed files are listed too; only the second where such a list blocks the first. */
function profileOffers(profile: GrantRule | undefined, isCovered: boolean, isProfiled: boolean): readonly RuleOffer[] {
  const full: RuleOffer = { scope: "full-profile", subject: { type: "workspace-commands", edited: true } };
  if (profile === undefined)
    return isCovered ? [] : [{ scope: "profile", subject: { type: "workspace-commands" } }, full];
  return isProfiled ? [full] : [];
}

/**
 * Whether the chat holds the text of a file that may hold a secret: an address could carry it out, so no rule allows one. What a
 * summary covers by now counts too, since the summary may quote it. What a command printed is not known.
 */
function hasSecret({ entries }: Pick<Chat, "entries">, isSecret: (path: string) => boolean): boolean {
  return entries.some((entry) => pathsIn(entry).some(isSecret));
}

/** Files that were read or changed in the entry, or attached to it. A call that failed counts: the refusal of an edit quotes its file. */
function pathsIn(entry: Entry): readonly string[] {
  if (entry.type === "user")
    return (entry.attachments ?? []).flatMap((one) =>
      one.type === "text" && one.kind === undefined ? [one.path] : [],
    );
  if (entry.type !== "answer") return [];
  return toolCalls(entry).flatMap(({ progress }) =>
    progress.state === "done" || progress.state === "failed" ? pathsOfAction(progress.action) : [],
  );
}

function pathsOfAction(action: ToolAction): readonly string[] {
  if (action.type === "change-files") return action.parts.flatMap(pathsOfAction);
  if (action.type === "rename-file") return [action.path, action.to];
  if (action.type === "read-for-edit") return action.paths ?? [action.path];
  return "path" in action ? [action.path] : [];
}

/** Leaves *writes a file* out where there is any other reason, because the list shows the graver ones only. */
function withoutPlain(reasons: readonly AskReason[]): readonly AskReason[] {
  const others = reasons.filter((reason) => reason !== "writes-file");
  return others.length > 0 ? others : reasons;
}

/** A rule that a call needs, and which existing rules cover the same. */
interface Wanted {
  readonly subject: RuleSubject;
  readonly isCoveredBy: (rule: RuleSubject) => boolean;
}

/** Tasks that a rule for the session covers. They are few, because each costs money. */
const taskAllowance = 5;

/** The rules that cover the call together, for a command line one for each part. Empty when no rule may cover the call. */
function wantedOf(grant: GrantSubject, isPlainFile: (path: string) => boolean): readonly Wanted[] {
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
function isInProfile(grant: GrantSubject): boolean {
  return grant.type === "command" && grant.isOwnFolder && grant.parts.every((part) => isProfiled(part, grant.folder));
}

/** The options of a paid task. */
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
