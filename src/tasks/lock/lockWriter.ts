/**
 * Changes lines of the `sluice.lock` of a folder: one window at a time, whole or not at all, over what git or an editor wrote meanwhile. Lines of
 * other files, comments and what can't be read stay.
 */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../base/clock";
import { FileLock } from "../../base/database/fileLock";
import { makePrivateFolder, writeAtomically } from "../../base/privateFile";
import {
  emptyLock,
  type LockEntry,
  type LockFile,
  lockName,
  maxLockBytes,
  readLock,
  writeLock,
} from "../../domain/lock/lockFile";
import { placeFile } from "../results/placeFile";
import { readLockFile } from "./lockedFiles";

export interface LockWriterOptions {
  readonly clock: Clock;
  /** A folder of this extension, for files that are being written. */
  readonly scratch: string;
}

/** `created`: there was none before. `refused`: a later version wrote it, it is no regular file, or it would be too large: it was left as it is. */
export type LockOutcome = "written" | "created" | "unchanged" | "refused";

/** Another window writes for milliseconds; one that was killed holds nothing. */
const tries = 100;
const pause = 50;

/** `change` gets the lock as it is, and is called again where the lock was changed meanwhile. Rejects with the file system's error. */
export async function changeLock(
  { clock, scratch }: LockWriterOptions,
  root: string,
  change: (lock: LockFile) => ReadonlyMap<string, LockEntry | undefined>,
  signal: AbortSignal,
): Promise<LockOutcome> {
  await makePrivateFolder(scratch);
  const holding = await takeTurn(clock, join(scratch, "turn.db"), signal);
  try {
    for (let attempt = 0; attempt < tries; attempt += 1) {
      const outcome = await changeOnce(scratch, root, change);
      if (outcome !== undefined) return outcome;
      await clock.delay(pause, signal);
    }
    throw new Error(`${lockName} is being written by another program.`);
  } finally {
    holding.release();
  }
}

async function takeTurn(clock: Clock, path: string, signal: AbortSignal): Promise<FileLock> {
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const lock = FileLock.take(path);
    if (lock !== undefined) return lock;
    await clock.delay(pause, signal);
  }
  throw new Error(`Another window writes ${lockName}.`);
}

/** Resolves with `undefined`, and has done nothing, where the lock was changed while it was written. */
async function changeOnce(
  scratch: string,
  root: string,
  change: (lock: LockFile) => ReadonlyMap<string, LockEntry | undefined>,
): Promise<LockOutcome | undefined> {
  const found = await readLockFile(root);
  if (typeof found === "string" && found !== "missing") return "refused";
  const before = found === "missing" ? undefined : found;
  const lock = before === undefined ? emptyLock : readLock(before.toString("utf8"));
  if (lock.isNewer || lock.problems.some(({ reason }) => reason === "too-many")) return "refused";
  const changes = change(lock);
  if (changes.size === 0) return "unchanged";
  const text = writeLock(lock, changes);
  if (text === before?.toString("utf8")) return "unchanged";
  if (Buffer.byteLength(text) > maxLockBytes) return "refused";
  const written = await writeAtomically(scratch, "next.lock", text);
  const seen = before === undefined ? undefined : await writeAtomically(scratch, "seen.lock", before);
  try {
    const placed = await placeFile(written, join(root, lockName), {
      root,
      ...(seen === undefined ? {} : { instead: seen }),
    });
    if (placed === "occupied") return undefined;
    return before === undefined ? "created" : "written";
  } finally {
    await rm(written, { force: true });
    if (seen !== undefined) await rm(seen, { force: true });
  }
}

/** The lock of a folder; empty where there is none that can be read. */
export async function lockOf(root: string): Promise<LockFile> {
  const found = await readLockFile(root).catch(() => "unreadable" as const);
  return typeof found === "string" ? emptyLock : readLock(found.toString("utf8"));
}
