/** Decides for each call that asks whether a rule covers it, what a longer yes would cover, and why it asks (A3, A4). */
import type { AskingCall, ProposedChange } from "../../domain/tools/tool";
import type { GrantRule, GrantSubject, RuleOffer, RuleScope, RuleSubject } from "../../domain/tools/grant";
import type { Log } from "../../domain/ports";
import type { AskReason, Chat } from "../../domain/chat/chat";
import { isCoveredRest, patternOf } from "./commandShapes";
import type { GrantRules } from "./grantRules";
import { isNoLarger } from "./taskOptions";

/** Judges files by their paths and changes by their text; implemented by the tools. */
export interface FilePolicy {
  /** Source or a document that nothing executes and that holds no secret. `path`: as shown to the person. */
  isPlainFile(path: string): boolean;
  /** Reasons to ask that lie in the text of a change. */
  reasonsOf(change: ProposedChange): readonly AskReason[];
}

export interface GuardPorts {
  readonly rules: GrantRules;
  readonly files: FilePolicy;
  readonly log: Pick<Log, "warn">;
}

export interface Judgement {
  /** Why a person is asked; more than the call's own, when its change has others. */
  readonly reasons: readonly AskReason[];
  /** What a yes beyond this call could cover; empty when each such call asks. */
  readonly offers: readonly RuleOffer[];
  /** The rule that allows the call. */
  readonly rule?: GrantRule;
  /** A rule would cover it, had the model not read this. */
  readonly after?: string;
  /** For a command: files that the model has changed under a rule, and that no question has listed since. Until one has, no rule covers the command, which may run them. */
  readonly changed?: readonly string[];
}

/** Any other reason is for a person to weigh, each time. */
const coveredReasons: ReadonlySet<string> = new Set(["writes-file", "runs-command", "submits-task", "foreign-tool"]);

/** Tasks that a yes for the session covers: each is paid. */
const taskAllowance = 5;

export class Guard {
  readonly #ports: GuardPorts;

  constructor(ports: GuardPorts) {
    this.#ports = ports;
  }

  /** `after`: a source of text in the next request that others may have written. With one no rule applies: the text may have asked for a call that plants code, runs it or sends data out. */
  async judge(call: AskingCall, chat: Pick<Chat, "id">, after: string | undefined): Promise<Judgement> {
    const ports = this.#ports;
    const { grant } = call;
    const ofText = changesOf(call).flatMap((change) => ports.files.reasonsOf(change));
    const reasons = [...new Set([...call.reasons, ...ofText])];
    const wanted =
      grant && reasons.every((reason) => coveredReasons.has(reason)) ? wantedRule(grant, ports.files) : undefined;
    const unseen = reasons.includes("runs-command") ? await ports.rules.unseenChanges() : [];
    const changed = unseen.length > 0 ? { changed: unseen } : {};
    if (!grant || !wanted) return { reasons: withoutPlain(reasons), offers: [], ...changed };
    const rule = await ports.rules.find(chat.id, (subject) => isCovering(subject, wanted, grant));
    if (rule && after === undefined && unseen.length === 0) return { reasons, offers: [], rule };
    const scopes: readonly RuleScope[] = wanted.type === "submit-task" ? ["session"] : ["session", "workspace"];
    // While rules are not applied, another one would not help.
    const offers = after === undefined && !rule ? scopes.map((scope) => ({ scope, subject: wanted })) : [];
    return { reasons, offers, ...changed, ...(after === undefined || !rule ? {} : { after }) };
  }

  /** Counts a use of the rule; false when it was revoked meanwhile. A file that is changed under it is listed first, for the next command. */
  async use(rule: GrantRule, { grant }: AskingCall, chat: Chat): Promise<boolean> {
    const { rules } = this.#ports;
    if (grant?.type === "file") for (const path of pathsOf(grant)) await rules.noteChange(path);
    return rules.use(chat.id, rule);
  }

  /** A person has allowed a command, in a question that listed these files. Never rejects: where that can't be stored, they are listed again. */
  async noteSeen(changed: readonly string[]): Promise<void> {
    await this.#ports.rules.forgetChanges(changed).catch((error: unknown) => {
      this.#ports.log.warn("The list of changed files could not be kept.", { message: String(error) });
    });
  }

  /** Never rejects: where the rule can't be kept, the next call asks again. */
  async grant({ scope, subject }: RuleOffer, chat: Chat): Promise<void> {
    await this.#ports.rules.add(chat.id, scope, subject).catch((error: unknown) => {
      this.#ports.log.warn("A rule could not be kept.", { message: String(error) });
    });
  }
}

function changesOf({ change, changes = [] }: AskingCall): readonly ProposedChange[] {
  return [...(change ? [change] : []), ...changes.flatMap((part) => part.change ?? [])];
}

function pathsOf({ path, others = [] }: Extract<GrantSubject, { type: "file" }>): readonly string[] {
  return [path, ...others];
}

/** The narrowest useful rule for a call; `undefined` when none may cover it. */
function wantedRule(grant: GrantSubject, files: FilePolicy): RuleSubject | undefined {
  switch (grant.type) {
    case "command": {
      const pattern = patternOf(grant.argv, grant.paths);
      return pattern && { type: "command", folder: grant.folder, ...pattern };
    }
    case "file": {
      const isWritten = grant.change === "edit" || grant.change === "create";
      return isWritten && pathsOf(grant).every((path) => files.isPlainFile(path)) ? { type: "plain-files" } : undefined;
    }
    case "submit-task":
      return { ...grant, left: taskAllowance };
    case "foreign-tool":
      return { type: "foreign-tool", name: grant.name, promise: grant.promise };
  }
}

function isCovering(rule: RuleSubject, wanted: RuleSubject, grant: GrantSubject): boolean {
  switch (rule.type) {
    case "command":
      return grant.type === "command" && rule.folder === grant.folder && isSameCommand(rule, grant);
    case "plain-files":
      return wanted.type === "plain-files";
    case "submit-task":
      return (
        grant.type === "submit-task" &&
        rule.taskType === grant.taskType &&
        rule.model === grant.model &&
        isNoLarger(grant.options, rule.options)
      );
    case "foreign-tool":
      return grant.type === "foreign-tool" && rule.name === grant.name && rule.promise === grant.promise;
  }
}

function isSameCommand(
  rule: Extract<RuleSubject, { type: "command" }>,
  { argv, paths }: Extract<GrantSubject, { type: "command" }>,
): boolean {
  if (rule.open === true) return isCoveredRest(argv, rule.argv, paths);
  return argv.length === rule.argv.length && argv.every((word, index) => word === rule.argv[index]);
}

/** *Writes a file* is left out beside any other reason: the list shows the graver ones only. */
function withoutPlain(reasons: readonly AskReason[]): readonly AskReason[] {
  const others = reasons.filter((reason) => reason !== "writes-file");
  return others.length > 0 ? others : reasons;
}
