/** Holds the rules of this window: those of its sessions in memory, those of the workspace in a file outside of the workspace (A3). */
import { randomUUID, createHash } from "node:crypto";
import { lstat, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod/mini";
import type { Clock } from "../../base/clock";
import { Emitter, type Event } from "../../base/event";
import type { GrantRule, RuleScope, RuleSubject } from "../../domain/tools/grant";
import { FileLock } from "../../base/database/fileLock";
import { makePrivateFolder, writeAtomically } from "../../base/privateFile";
import { SerialQueue } from "../../base/async/serialQueue";
import { ruleSubjectSchema } from "../../domain/chat/ruleSchema";
import type { Workspace } from "../../domain/tools/workspace";

/** The rules and the list of changed files of a workspace, as they are stored. */
export interface KeptRules {
  /** The rules without those that have expired. */
  readonly rules: readonly GrantRule[];
  /** Files that the model has changed under a rule and that no question has listed since: paths as shown to the person, by their last change. */
  readonly changed: readonly string[];
}

/** Stores the rules of the open workspace, if there is one. They are read each time, because another window may have revoked one. */
interface RuleStore {
  /** Never rejects: what can't be read covers nothing. */
  read(): Promise<KeptRules>;
  /** Rejects with the error of the file system. */
  change(edit: (kept: KeptRules) => KeptRules): Promise<void>;
}

/** Milliseconds. A rule of the workspace that is not used for this long expires. */
export const ruleLifetime = 30 * 24 * 3_600_000;
/** Rules of one chat or workspace. Beyond this number the oldest is dropped. */
const ruleCap = 200;
/** Limits of the list of changed files. A person would not read a longer one, and a file of rules that is too long is not read. */
const changedCap = { names: 200, characters: 20_000 };

export class GrantRules {
  readonly #store: RuleStore;
  readonly #clock: Pick<Clock, "now">;
  readonly #changed = new Emitter<void>();
  /** The rules of sessions, by the id of their chat. */
  readonly #sessions = new Map<string, readonly GrantRule[]>();

  constructor(store: RuleStore, clock: Pick<Clock, "now">) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Fires when this window changes rules, not when another one does. */
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

  /** The rule by which commands of this chat run without a question. It is never stored. */
  profileOf(chat: string): GrantRule | undefined {
    return this.ofSession(chat).find(({ subject }) => subject.type === "workspace-commands");
  }

  /** Switches the profile on without a question. */
  beginProfile(chat: string): Promise<void> {
    return this.add(chat, "profile", { type: "workspace-commands" });
  }

  /** Switches the profile off. False when it was not on. */
  endProfile(chat: string): boolean {
    const profile = this.profileOf(chat);
    if (!profile) return false;
    this.#setSession(
      chat,
      this.ofSession(chat).filter((rule) => rule !== profile),
    );
    return true;
  }

  /** Whether edits of files that git tracks land at once, for the person to review. */
  async reviewsEdits(): Promise<boolean> {
    return (await this.ofWorkspace()).some(({ subject }) => subject.type === "reviewed-edits");
  }

  async setReviewsEdits(isOn: boolean): Promise<void> {
    if (isOn) await this.add("", "workspace", { type: "reviewed-edits" });
    else
      for (const { id, subject } of await this.ofWorkspace())
        if (subject.type === "reviewed-edits") await this.revoke(id);
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

  /** Adds a rule. One with the same subject is replaced. */
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

/** The rule after a use; none where it was for tasks and has no more left. */
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
  const { type } = subject;
  if (type === "workspace-commands" || type === "plain-files" || type === "reviewed-edits") return type;
  return JSON.stringify(subject.type === "submit-task" ? { ...subject, left: 0 } : subject);
}

/** The rules of workspaces on disk: one file each, in the extension's own storage, which no tool reaches and no setting names. */
const at = z.number();
const fileSchema = z.object({
  version: z.literal(1),
  rules: z.array(
    z.object({
      id: z.string(),
      scope: z.literal("workspace"),
      subject: ruleSubjectSchema,
      since: at,
      used: z.int().check(z.nonnegative()),
      lastUsed: z.exactOptional(at),
      expires: at,
    }),
  ),
  changed: z._default(z.array(z.string()), []),
});

const none: KeptRules = { rules: [], changed: [] };

/** Bytes. */
const maxFileLength = 1024 * 1024;
/** Milliseconds. A change takes a few. */
const lockPause = 20;
const lockTries = 100;

export class RuleFiles implements RuleStore {
  readonly #folder: string;
  readonly #roots: () => Promise<readonly string[]>;
  readonly #clock: Clock;
  readonly #changes = new SerialQueue();

  /** `roots`: the real folders of the workspace as `withRepository` returns them; none while it is not trusted. */
  constructor(folder: string, roots: () => Promise<readonly string[]>, clock: Clock) {
    this.#folder = folder;
    this.#roots = roots;
    this.#clock = clock;
  }

  async read(): Promise<KeptRules> {
    // A folder of the workspace that is gone has no real path.
    const name = await this.#name().catch(() => undefined);
    return name === undefined ? none : this.#rulesIn(name);
  }

  /** Rejects also when another window holds the lock for longer than a change may take. */
  change(edit: (kept: KeptRules) => KeptRules): Promise<void> {
    return this.#changes.run(async () => {
      const name = await this.#name();
      if (name === undefined) return;
      await makePrivateFolder(this.#folder);
      const lock = await this.#lock(name);
      try {
        const before = await this.#rulesIn(name);
        const after = edit(before);
        if ([before, after].every(({ rules, changed }) => rules.length + changed.length === 0)) return;
        await writeAtomically(this.#folder, name, `${JSON.stringify({ version: 1, ...after }, undefined, 2)}\n`);
      } finally {
        lock?.release();
      }
    });
  }

  /** Takes the lock: without it a window could write back a rule that another one has just revoked. `undefined` where the disk has no locks. */
  async #lock(name: string): Promise<FileLock | undefined> {
    for (let tries = 0; tries < lockTries; tries += 1) {
      try {
        const lock = FileLock.take(join(this.#folder, `${name}.lock`));
        if (lock) return lock;
      } catch {
        return undefined;
      }
      await this.#clock.delay(lockPause);
    }
    throw new Error("Another window is changing the rules.");
  }

  async #rulesIn(name: string): Promise<KeptRules> {
    try {
      const read = fileSchema.safeParse(JSON.parse(await readFile(join(this.#folder, name))));
      const now = this.#clock.now();
      if (!read.success) return none;
      const { rules, changed } = read.data;
      return { rules: rules.filter(({ expires }) => expires > now), changed };
    } catch {
      return none;
    }
  }

  /** The name of the file, from the real folders, so that a link to the workspace, or another name of it, has the same rules. */
  async #name(): Promise<string | undefined> {
    const roots = await this.#roots();
    if (roots.length === 0) return undefined;
    const key = roots.toSorted().join("\0");
    return `${createHash("sha256").update(key).digest("hex")}.json`;
  }
}

/** Opens the rules of a window. `folder` has the files for the rules of workspaces. */
export function openGrantRules(
  folder: string,
  workspace: Pick<Workspace, "roots" | "realPath">,
  clock: Clock,
): GrantRules {
  const roots = (): Promise<readonly string[]> =>
    Promise.all(workspace.roots().map(async ({ path }) => withRepository(await workspace.realPath(path))));
  return new GrantRules(new RuleFiles(folder, roots, clock), clock);
}

/**
 * Appends when the `.git` of the folder, or of the nearest one above, was created; without any, the folder. It identifies the repository: another
 * one at the same path has another time, because unpacking an archive does not set times of creation.
 */
async function withRepository(root: string): Promise<string> {
  for (let folder = root; ; folder = dirname(folder)) {
    const created = await createdAt(join(folder, ".git"));
    if (created !== undefined) return `${root}\0${created}`;
    if (folder === dirname(folder)) return `${root}\0${(await createdAt(root)) ?? ""}`;
  }
}

/** The inode number on file systems without times of creation. */
async function createdAt(path: string): Promise<bigint | undefined> {
  const stats = await lstat(path, { bigint: true }).catch(() => undefined);
  return stats && (stats.birthtimeNs || stats.ino);
}

async function readFile(path: string): Promise<string> {
  const file = await open(path, "r");
  try {
    const status = await file.stat();
    return status.isFile() && status.size <= maxFileLength ? await file.readFile("utf8") : "";
  } finally {
    await file.close();
  }
}
