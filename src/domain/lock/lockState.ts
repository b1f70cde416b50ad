/** The states of a file that `sluice.lock` lists. */

/**
 * `foreign`: the bytes differ from those that Sluice put there. `stale`: its prompt file has another prompt, or other options, since. `rehearsed`: a
 * placeholder. `missing`: it is gone. `outside`: a link on its path leads out of the folder. The rest can't be read.
 */
export const lockStates = [
  "good",
  "stale",
  "rehearsed",
  "foreign",
  "missing",
  "outside",
  "not-a-file",
  "too-large",
  "unreadable",
] as const;
export type LockState = (typeof lockStates)[number];

/** Whether the check has opened it as a regular file below the folder. A lock is foreign text: no other file that it names may be opened or shown. */
export function isReadLockState(state: LockState): boolean {
  return state === "good" || state === "stale" || state === "rehearsed" || state === "foreign";
}
