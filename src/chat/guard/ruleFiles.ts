/** The rules of workspaces on disk: one file each, in the extension's own storage, which no tool reaches and no setting names. */
import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { FileLock } from "../../base/database/fileLock";
import { makePrivateFolder, writeBeside } from "../../base/privateFile";
import type { Clock } from "../../base/clock";
import { SerialQueue } from "../../base/async/serialQueue";
import type { GrantRule } from "../../domain/tools/grant";
import { ruleSubjectSchema } from "../../domain/chat/ruleSchema";
import type { Workspace } from "../../domain/tools/workspace";
import { GrantRules, type RuleStore } from "./grantRules";

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
});

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

  /** `roots`: the real folders of the workspace; none while it is not trusted. */
  constructor(folder: string, roots: () => Promise<readonly string[]>, clock: Clock) {
    this.#folder = folder;
    this.#roots = roots;
    this.#clock = clock;
  }

  async read(): Promise<readonly GrantRule[]> {
    // A folder of the workspace that is gone has no real path.
    const name = await this.#name().catch(() => undefined);
    return name === undefined ? [] : this.#rulesIn(name);
  }

  /** Rejects also while another window changes them for longer than that may take. */
  change(edit: (rules: readonly GrantRule[]) => readonly GrantRule[]): Promise<void> {
    return this.#changes.run(async () => {
      const name = await this.#name();
      if (name === undefined) return;
      await makePrivateFolder(this.#folder);
      const lock = await this.#lock(name);
      try {
        const before = await this.#rulesIn(name);
        const rules = edit(before);
        if (rules.length === 0 && before.length === 0) return;
        await writeBeside(this.#folder, name, `${JSON.stringify({ version: 1, rules }, undefined, 2)}\n`);
      } finally {
        lock?.release();
      }
    });
  }

  /** Without it a window could write back a rule that another one has just revoked. `undefined` where the disk has no locks. */
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

  async #rulesIn(name: string): Promise<readonly GrantRule[]> {
    try {
      const read = fileSchema.safeParse(JSON.parse(await readFile(join(this.#folder, name))));
      const now = this.#clock.now();
      return read.success ? read.data.rules.filter(({ expires }) => expires > now) : [];
    } catch {
      return [];
    }
  }

  /** By the real folders: a link to the workspace, or another name of it, has the same rules. */
  async #name(): Promise<string | undefined> {
    const roots = await this.#roots();
    if (roots.length === 0) return undefined;
    const key = roots.toSorted().join("\0");
    return `${createHash("sha256").update(key).digest("hex")}.json`;
  }
}

/** The rules of a window: those of its workspace are in that folder. */
export function openGrantRules(
  folder: string,
  workspace: Pick<Workspace, "roots" | "realPath">,
  clock: Clock,
): GrantRules {
  const roots = (): Promise<readonly string[]> =>
    Promise.all(workspace.roots().map(({ path }) => workspace.realPath(path)));
  return new GrantRules(new RuleFiles(folder, roots, clock), clock);
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
