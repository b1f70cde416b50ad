/**
 * Takes a file that was changed outside of Sluice into `sluice.lock` as it is now. Its line still says from which prompt it was made, and gets the
 * mark `edited`.
 */
import type { LockEntry } from "../../domain/lock/lockFile";
import { factsOfBytes, maxMarked } from "./fileMarks";
import { hashBelow } from "./lockedFiles";
import { changeLock, type LockOutcome, type LockWriterOptions } from "./lockWriter";

/** `path`: as the lock names it. Resolves with `unchanged` where the lock has no line of it, or lists these bytes, or the file can't be read. */
export async function keepChanged(
  options: LockWriterOptions,
  root: string,
  path: string,
  signal: AbortSignal,
): Promise<LockOutcome> {
  const found = await hashBelow(root, path, undefined, maxMarked);
  if (typeof found === "string") return "unchanged";
  const facts = factsOfBytes(found);
  return changeLock(
    options,
    root,
    ({ entries }) => {
      const lines = entries.get(path) ?? [];
      const [line] = lines;
      // The bytes may be those of a line again, as after a checkout.
      if (line === undefined || lines.some(({ sha256 }) => sha256 === facts.sha256)) return new Map();
      const { sha256: _sha256, bytes: _bytes, size: _size, marks: _marks, rehearsed: _rehearsed, ...origin } = line;
      const { marks = [] } = facts;
      const entry: LockEntry = {
        ...origin,
        ...facts,
        marks: [...marks, "edited"],
        // A placeholder that a person has replaced with a picture of their own is none any more.
        ...(marks.includes("rehearsed") ? { rehearsed: true } : {}),
        at: new Date(options.clock.now()).toISOString(),
      };
      return new Map([[path, entry]]);
    },
    signal,
  );
}
