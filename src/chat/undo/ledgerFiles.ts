/** The undo ledger on the disk: an append-only file for each chat, and the contents of files as blobs under the SHA-256 of their bytes. */
import { createHash, randomUUID } from "node:crypto";
import { execFile } from "node:child_process";
import { closeSync, fsync, openSync, renameSync, writeFileSync } from "node:fs";
import { mkdir, readdir, readFile, rm, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { AppendOnlyFile } from "../../base/appendOnlyFile";
import { isMissingFile } from "../../base/systemErrors";
import { hashesIn, readLedger } from "./changeRecords";

/** The append-only file and the blobs of one chat's ledger. */
export interface LedgerStore {
  /** The lines so far; empty where there are none. */
  read(): Promise<string>;
  /** Resolves when the disk has them. */
  append(lines: string): Promise<void>;
  /** Resolves with the hash, when the disk has the bytes. */
  keep(bytes: Uint8Array): Promise<string>;
  /** Like `keep`, for several contents at once; the hashes are in their order. */
  keepAll(contents: readonly Uint8Array[]): Promise<readonly string[]>;
  /** `undefined` when it is gone or damaged. */
  blob(hash: string): Promise<Uint8Array | undefined>;
}

/** Bytes of all blobs together. Above it the oldest are deleted. */
const sizeCap = 500 * 1024 * 1024;
/**
 * Milliseconds since the last write of a ledger whose chat has no file. A new chat gets its file with its first message, but *Edit Selection* and
 * *Apply…* write its ledger before. Deleting a chat deletes its ledger at once (`forget`).
 */
const maxAgeWithoutChat = 30 * 24 * 3_600_000;
/** Milliseconds. A younger blob may be one whose record another window is about to write. */
const settlingTime = 3_600_000;
/** Milliseconds. The record that names a content is written within this time after it. */
const keepingTime = 60_000;
const suffix = ".jsonl";

export class LedgerFiles {
  readonly #changes: string;
  readonly #blobs: string;

  private constructor(changes: string, blobs: string) {
    this.#changes = changes;
    this.#blobs = blobs;
  }

  /** The ledger folder that is next to a folder of chats. */
  static nextTo(chats: string): LedgerFiles {
    const folder = join(dirname(chats), "changes");
    return new LedgerFiles(folder, join(folder, "blobs"));
  }

  storeOf(chat: string): LedgerStore {
    const path = this.#fileOf(chat);
    return {
      read: () => readFile(path, "utf8").catch(emptyWhenMissing),
      append: (lines) => append(path, lines),
      keep: async (bytes) => (await this.#keep([bytes]))[0] ?? hashOf(bytes),
      keepAll: (contents) => this.#keep(contents),
      blob: (hash) => this.#blob(hash),
    };
  }

  /** Deletes the changes of a deleted chat, and the contents that no other chat names. */
  async forget(chat: string): Promise<void> {
    const begun = Date.now();
    const own = new Set(hashesIn(await readLedger(await this.storeOf(chat).read())));
    await rm(this.#fileOf(chat), { force: true });
    if (own.size === 0) return;
    for (const name of await namesOf(this.#changes)) {
      if (!name.endsWith(suffix)) continue;
      for (const hash of hashesIn(await readLedger(await readFile(join(this.#changes, name), "utf8"))))
        own.delete(hash);
    }
    for (const hash of own) {
      const path = join(this.#blobs, hash);
      const blob = await stat(path).catch(() => undefined);
      // Another chat may have kept it since its ledger was read. If none has, `collect` removes it later.
      if (blob !== undefined && begun - blob.mtimeMs > keepingTime) await rm(path, { force: true });
    }
  }

  /** Removes ledgers of chats without a file whose last write is long ago, and blobs that no ledger names. Rejects with the error of the file system. */
  async collect(isThere: (chat: string) => Promise<boolean>, now: number, cap = sizeCap): Promise<void> {
    const used = new Set<string>();
    for (const name of await namesOf(this.#changes)) {
      if (!name.endsWith(suffix)) continue;
      const chat = name.slice(0, -suffix.length);
      const path = this.#fileOf(chat);
      const { mtimeMs } = await stat(path);
      if (now - mtimeMs > maxAgeWithoutChat && !(await isThere(chat))) await rm(path, { force: true });
      else for (const hash of hashesIn(await readLedger(await readFile(path, "utf8")))) used.add(hash);
    }
    const kept: { readonly path: string; readonly size: number; readonly mtimeMs: number }[] = [];
    for (const name of await namesOf(this.#blobs)) {
      const path = join(this.#blobs, name);
      const { size, mtimeMs } = await stat(path);
      if (used.has(name) || now - mtimeMs < settlingTime) kept.push({ path, size, mtimeMs });
      else await rm(path, { force: true });
    }
    let total = kept.reduce((sum, { size }) => sum + size, 0);
    for (const { path, size } of kept.sort((one, other) => one.mtimeMs - other.mtimeMs)) {
      if (total <= cap) return;
      await rm(path, { force: true });
      total -= size;
    }
  }

  #fileOf(chat: string): string {
    return join(this.#changes, `${chat}${suffix}`);
  }

  async #keep(contents: readonly Uint8Array[]): Promise<readonly string[]> {
    const hashes = contents.map(hashOf);
    const missing = new Map<string, Uint8Array>();
    for (const [at, hash] of hashes.entries()) {
      if (missing.has(hash)) continue;
      if ((await this.#blob(hash)) === undefined) missing.set(hash, contents[at] ?? new Uint8Array());
      // The blob becomes as young as its new record: another window that collects has not read the record, and would delete an older blob.
      else await utimes(join(this.#blobs, hash), new Date(), new Date());
    }
    if (missing.size === 0) return hashes;
    await mkdir(this.#blobs, { recursive: true, mode: 0o700 });
    await writeWhole(this.#blobs, missing);
    return hashes;
  }

  async #blob(hash: string): Promise<Uint8Array | undefined> {
    if (!/^[0-9a-f]{64}$/.test(hash)) return undefined;
    const bytes = await readFile(join(this.#blobs, hash)).catch(() => undefined);
    return bytes !== undefined && hashOf(bytes) === hash ? bytes : undefined;
  }
}

export function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

async function append(path: string, lines: string): Promise<void> {
  const file = await AppendOnlyFile.open(path);
  try {
    await file.append(lines);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Writes each file under a temporary name and renames it, so that a reader finds no file or the whole one, also when the disk is full. For ten files
 * or more the file system is flushed once, which takes less time than an `fsync` of each.
 */
async function writeWhole(folder: string, contents: ReadonlyMap<string, Uint8Array>): Promise<void> {
  const parts = new Map<string, string>();
  const isOne = contents.size < 10 || !(await syncs(folder));
  try {
    for (const [name, bytes] of contents) {
      const part = join(folder, `part-${randomUUID()}`);
      parts.set(part, join(folder, name));
      const file = openSync(part, "wx", 0o600);
      try {
        writeFileSync(file, bytes);
        if (isOne) await promisify(fsync)(file);
      } finally {
        closeSync(file);
      }
    }
    if (!isOne && !(await syncs(folder))) throw new Error("The disk could not be asked to write.");
    for (const [part, path] of parts) renameSync(part, path);
  } catch (error) {
    for (const part of parts.keys()) await rm(part, { force: true });
    throw error;
  }
}

/** Flushes the file system of the folder. Resolves with false where that fails, and on systems other than Linux. */
function syncs(folder: string): Promise<boolean> {
  if (process.platform !== "linux") return Promise.resolve(false);
  return new Promise((resolve) => {
    execFile("sync", ["--file-system", folder], { env: { PATH: "/usr/bin:/bin" } }, (error) => resolve(error === null));
  });
}

async function namesOf(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (isMissingFile(error)) return [];
    throw error;
  });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

function emptyWhenMissing(error: unknown): string {
  if (isMissingFile(error)) return "";
  throw error;
}
