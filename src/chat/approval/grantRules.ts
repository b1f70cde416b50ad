/** The rules of this window: those of its sessions in memory, those of the workspace in a file of the person's (A3). */
import { randomUUID } from "node:crypto";
import type { Clock } from "../../base/clock";
import { Emitter, type Event } from "../../base/event";
import type { GrantRule, RuleScope, RuleSubject } from "../../domain/tools/grant";

/** What is kept for a workspace. */
export interface KeptRules {
  /** Without those that have expired. */
  readonly rules: readonly GrantRule[];
  /** Files that the model has changed under a rule, and that no question has listed since: paths as shown to the person, in the order of their last change. */
  readonly changed: readonly string[];
}

/** The rules of the workspace that is open; none, and nothing is kept, without one. They are read each time: another window may have revoked one. */
export interface RuleStore {
  /** Never rejects: what can't be read covers nothing. */
  read(): Promise<KeptRules>;
  /** Rejects with the error of the file system. */
  change(edit: (kept: KeptRules) => KeptRules): Promise<void>;
}

/** A rule of the workspace that is not used for so long is gone. Milliseconds. */
export const ruleLifetime = 30 * 24 * 3_600_000;
/** The oldest one gives way. */
const ruleCap = 200;
/** Of the list of changed files: names, and their characters. A person would not read a longer one, and the file of the rules is read up to a length. */
const changedCap = { names: 200, characters: 20_000 };

export class GrantRules {
  readonly #store: RuleStore;
  readonly #clock: Pick<Clock, "now">;
  readonly #changed = new Emitter<void>();
  /** By the id of their chat. */
  readonly #sessions = new Map<string, readonly GrantRule[]>();

  constructor(store: RuleStore, clock: Pick<Clock, "now">) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Rules of this window, not those that another one changed. */
  readonly onDidChange: Event<void> = this.#changed.event;

  ofSession(chat: string): readonly GrantRule[] {
    return this.#sessions.get(chat) ?? [];
  }

  /** The chats that have rules. */
  get chats(): readonly string[] {
    return [...this.#sessions.keys()];
  }

  async ofWorkspace(): Promise<readonly GrantRule[]> {
    return (await this.#store.read()).rules;
  }

  /** That commands of this chat run without a question. It is never stored. */
  profileOf(chat: string): GrantRule | undefined {
    return this.ofSession(chat).find(({ subject }) => subject.type === "workspace-commands");
  }

  /** Switches it on, from outside of a question. */
  beginProfile(chat: string): Promise<void> {
    return this.add(chat, "profile", { type: "workspace-commands" });
  }

  /** False when it was not on. */
  endProfile(chat: string): boolean {
    const profile = this.profileOf(chat);
    if (!profile) return false;
    this.#setSession(
      chat,
      this.ofSession(chat).filter((rule) => rule !== profile),
    );
    return true;
  }

  async unseenChanges(): Promise<readonly string[]> {
    return (await this.#store.read()).changed;
  }

  /**
   * Lists a file that the model changes under a rule. Stored for the workspace also where the rule is for the session, because the
   * changed file remains after it. Rejects once the list is full: a name that is dropped for others would never be seen.
   */
  noteChange(path: string): Promise<void> {
    return this.#store.change(({ rules, changed }) => {
      const listed = [...changed.filter((other) => other !== path), path];
      if (listed.length > changedCap.names || listed.join("").length > changedCap.characters)
        throw new Error("Too many files were changed by rules since a person has seen them listed.");
      return { rules, changed: listed };
    });
  }

  forgetChanges(seen: readonly string[]): Promise<void> {
    return this.#store.change(({ rules, changed }) => ({
      rules,
      changed: changed.filter((path) => !seen.includes(path)),
    }));
  }

  /** The rule that covers a call, that of the session first. */
  async find(chat: string, covers: (subject: RuleSubject) => boolean): Promise<GrantRule | undefined> {
    const isCovering = ({ subject }: GrantRule): boolean => covers(subject);
    return this.ofSession(chat).find(isCovering) ?? (await this.ofWorkspace()).find(isCovering);
  }

  /** Another one with the same subject is replaced. */
  async add(chat: string, scope: RuleScope, subject: RuleSubject): Promise<void> {
    const since = this.#clock.now();
    const rule = { id: randomUUID(), scope, subject, since, used: 0 };
    const isOther = (known: GrantRule): boolean => sameKind(known.subject) !== sameKind(subject);
    await this.#change(chat, scope, (rules) => [...rules.filter(isOther), withExpiry(rule)].slice(-ruleCap));
  }

  /** Counts a use, which renews a rule of the workspace. False when it was revoked meanwhile: then it covers nothing. */
  async use(chat: string, { id, scope }: GrantRule): Promise<boolean> {
    let isThere = false;
    await this.#change(chat, scope, (rules) =>
      rules.flatMap((rule) => {
        if (rule.id !== id) return [rule];
        isThere = true;
        return usedOnce(rule, this.#clock.now());
      }),
    );
    return isThere;
  }

  async revoke(id: string): Promise<void> {
    const isOther = (rule: GrantRule): boolean => rule.id !== id;
    for (const [chat, rules] of this.#sessions) {
      if (!rules.every(isOther)) return this.#change(chat, "session", (known) => known.filter(isOther));
    }
    return this.#change("", "workspace", (known) => known.filter(isOther));
  }

  async #change(
    chat: string,
    scope: RuleScope,
    edit: (rules: readonly GrantRule[]) => readonly GrantRule[],
  ): Promise<void> {
    if (scope !== "workspace") {
      this.#setSession(chat, edit(this.ofSession(chat)));
      return;
    }
    await this.#store.change((kept) => ({ ...kept, rules: edit(kept.rules) }));
    this.#changed.fire();
  }

  #setSession(chat: string, rules: readonly GrantRule[]): void {
    if (rules.length > 0) this.#sessions.set(chat, rules);
    else this.#sessions.delete(chat);
    this.#changed.fire();
  }
}

/** A number of tasks is used up. */
function usedOnce(rule: GrantRule, at: number): readonly GrantRule[] {
  const used = withExpiry({ ...rule, used: rule.used + 1, lastUsed: at });
  const { subject } = rule;
  if (subject.type !== "submit-task") return [used];
  return subject.left > 1 ? [{ ...used, subject: { ...subject, left: subject.left - 1 } }] : [];
}

function withExpiry(rule: GrantRule): GrantRule {
  return rule.scope !== "workspace" ? rule : { ...rule, expires: (rule.lastUsed ?? rule.since) + ruleLifetime };
}

function sameKind(subject: RuleSubject): string {
  if (subject.type === "workspace-commands" || subject.type === "plain-files") return subject.type;
  return JSON.stringify(subject.type === "submit-task" ? { ...subject, left: 0 } : subject);
}
