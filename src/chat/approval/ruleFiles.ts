/** The rules of workspaces on disk: one file each, in the extension's own storage, which no tool reaches and no setting names. */
import { createHash } from "node:crypto";
import { lstat, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod/mini";
import { FileLock } from "../../base/database/fileLock";
import { makePrivateFolder, writeBeside } from "../../base/privateFile";
import type { Clock } from "../../base/clock";
import { SerialQueue } from "../../base/async/serialQueue";
import { ruleSubjectSchema } from "../../domain/chat/ruleSchema";
import type { Workspace } from "../../domain/tools/workspace";
import { GrantRules, type KeptRules, type RuleStore } from "./grantRules";

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

  /** Rejects also while another window changes them for longer than that may take. */
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
        await writeBeside(this.#folder, name, `${JSON.stringify({ version: 1, ...after }, undefined, 2)}\n`);
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
