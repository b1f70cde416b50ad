/**
 * The program `sluice-lock-check.mjs`: checks `sluice.lock` with Node alone, without network, in CI. One short line for each thing to do. Exit code 0:
 * all is as it was made; 1: something is to be done; 2: there is no lock that can be read, or the program was called wrongly.
 */
import { lockName, readLock, type LockProblem } from "../../domain/lock/lockFile";
import { lockStates, type LockState } from "../../domain/lock/lockState";
import { checkLock } from "./lockStates";
import { readLockFile } from "./lockedFiles";

const usage = `Usage: node sluice-lock-check.mjs [folder] [--allow stale,rehearsed]

Checks the files that ${lockName} of the folder lists: whether each is there, has the bytes that Sluice
put there, is no placeholder, and was made from the prompt that its prompt file has now.
--allow: states that are shown and do not fail. Exit code: 0 good, 1 something to do, 2 no lock to read.`;

const todo: Readonly<Record<Exclude<LockState, "good">, string>> = {
  stale: "its prompt or options have changed: make it again, or put the prompt back",
  rehearsed: "it is a placeholder: choose Make It Real in Sluice",
  foreign: "its bytes were changed: replace it with the result, or save it with Sluice again",
  missing: "it is gone: bring it back, or remove its line",
  outside: "a link leads out of the folder: it was not read",
  "not-a-file": "there is no regular file: it was not read",
  "too-large": "it is too large to be checked",
  unreadable: "it can't be read",
};

const problems: Readonly<Record<LockProblem["reason"], string>> = {
  conflict: "a mark of a merge conflict: keep the lines of both sides and remove the marks",
  unreadable: "no line of a lock: remove it",
  "bad-path": "its path does not name a file of this folder: remove it",
  "bad-value": "it has a value that is none of a lock: remove it",
  "too-long": "it is too long: remove it",
  "too-many": "the lock has too many lines; those behind it were not read",
};

export interface CheckOutcome {
  readonly code: 0 | 1 | 2;
  readonly lines: readonly string[];
}

export async function runCheck(args: readonly string[]): Promise<CheckOutcome> {
  const read = readArguments(args);
  if (read === undefined) return { code: args.includes("--help") ? 0 : 2, lines: usage.split("\n") };
  const bytes = await readLockFile(read.folder).catch(() => "unreadable" as const);
  if (typeof bytes === "string") return { code: 2, lines: [`${lockName}: ${noLock[bytes]}`] };
  const lock = readLock(bytes.toString("utf8"));
  if (lock.isNewer) return { code: 2, lines: [`${lockName}: a later version of Sluice wrote it: use its check`] };
  const faults = lock.problems.map(({ line, reason }) => `${lockName}:${line}: ${problems[reason]}`);
  const files = await checkLock(read.folder, lock);
  const found = files.flatMap(({ path, state }) => (state === "good" ? [] : [{ path, state }]));
  const lines = [...faults, ...found.map(({ path, state }) => `${state}: ${shown(path)}: ${todo[state]}`)];
  const isBad = faults.length > 0 || found.some(({ state }) => !read.allowed.has(state));
  const good = files.length - found.length;
  return {
    code: isBad ? 1 : 0,
    lines: [
      ...lines,
      `${files.length} ${files.length === 1 ? "file" : "files"}, ${good} good${found.length === 0 ? "" : `, ${found.length} to look at`}`,
    ],
  };
}

/** CI systems obey `##[…]` and `##vso[…]` anywhere in a line, and invisible characters may make a path look like another. */
function shown(path: string): string {
  return path.replaceAll(/##|[\p{Cf}\p{Zl}\p{Zp}]/gu, (found) =>
    Array.from(found, (one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`).join(""),
  );
}

const noLock = {
  missing: "there is none in this folder",
  outside: "it is a link that leads out of the folder: it was not read",
  "not-a-file": "it is no regular file: it was not read",
  "too-large": "it is too large for a lock: it was not read",
  unreadable: "it can't be read",
} as const;

function readArguments(
  args: readonly string[],
): { readonly folder: string; readonly allowed: ReadonlySet<LockState> } | undefined {
  const allowed = new Set<LockState>();
  const folders: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const one = args[at] ?? "";
    if (one === "--allow" || one.startsWith("--allow=")) {
      const names = one === "--allow" ? (args[(at += 1)] ?? "") : one.slice("--allow=".length);
      for (const name of names.split(",")) {
        const state = lockStates.find((known) => known === name);
        if (state === undefined || state === "good") return undefined;
        allowed.add(state);
      }
    } else if (one.startsWith("-")) return undefined;
    else folders.push(one);
  }
  const [folder = "."] = folders;
  return folders.length > 1 ? undefined : { folder, allowed };
}
