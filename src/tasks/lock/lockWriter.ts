/**
 * Changes lines of the `sluice.lock` of a folder. One window writes at a time and replaces the file in one step. If git or an editor has written it
 * meanwhile, the change is made again on what is there then. Lines of other files, comments and what can't be read stay.
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

/**
 * `created`: there was no lock before. `refused`: the lock was left as it is, because a later version wrote it, it is no regular file, or it has or
 * would get too much in it.
 */
export type LockOutcome = "written" | "created" | "unchanged" | "refused";

/** The number of tries and the milliseconds between them. A window writes for milliseconds, and the system ends the turn of one that is killed. */
const tries = 100;
const pause = 50;

/**
 * `change` gets the lock as it is, and returns the new entries by path; `undefined` removes one. It is called again where another program has changed
 * the lock meanwhile. Rejects with the file system's error.
 */
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

/** Resolves with `undefined`, and has changed nothing, where another program has changed the lock since it was read here. */
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
  // The bytes that were read are written too: `placeFile` replaces the lock only while it still has them.
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

/** Reads the lock of a folder. It is empty where there is none that can be read. */
export async function lockOf(root: string): Promise<LockFile> {
  const found = await readLockFile(root).catch(() => "unreadable" as const);
  return typeof found === "string" ? emptyLock : readLock(found.toString("utf8"));
}
