/**
 * The words for a failure of the file that keeps the tasks: what happened, what it means for the money, and what to do. Used by `describeError` and
 * the Tasks view.
 */
import { t } from "@vscode/l10n";
import { plural } from "./plural";
import { type AppError, noRoomCode } from "../errors/appError";
import { restoredCode } from "../task/submission";
import { quoteForeign } from "./quoteForeign";

/** The failures that have words of their own. */
type StorageProblem =
  | "full"
  | "no-room"
  | "read-only"
  | "newer"
  | "busy"
  | "corrupt"
  | "missing-runtime"
  | "unsupported-locking"
  | "cannot-open"
  | "thread-ended"
  | "of-backup"
  | "other";

/** Maps the code of an error to its failure. The code is that of the file system, or the kind of the database's failure. */
const problems: Readonly<Record<string, StorageProblem>> = {
  ENOSPC: "full",
  EDQUOT: "full",
  [noRoomCode]: "no-room",
  EROFS: "read-only",
  EACCES: "read-only",
  EPERM: "read-only",
  newer: "newer",
  busy: "busy",
  corrupt: "corrupt",
  "missing-runtime": "missing-runtime",
  "unsupported-locking": "unsupported-locking",
  "cannot-open": "cannot-open",
  ENOENT: "cannot-open",
  ENOTDIR: "cannot-open",
  EISDIR: "cannot-open",
  "thread-ended": "thread-ended",
  [restoredCode]: "of-backup",
};

function problemOf({ code }: AppError): StorageProblem {
  return (code === undefined ? undefined : problems[code]) ?? "other";
}

/** What happened, in one sentence. */
export function describeStorage(error: AppError): string {
  const quoted = quoteForeign(error.message);
  switch (problemOf(error)) {
    case "full":
      return t("The disk of this machine is full.");
    case "no-room":
      return t("The disk of this machine has too little room for this result.");
    case "read-only":
      return t("The folder where Sluice keeps its tasks can't be written: {0}.", quoted);
    case "newer":
      return t("The list of tasks was written by a newer version of Sluice, so this window only reads it.");
    case "busy":
      return t("Another program holds the file where Sluice keeps its tasks.");
    case "corrupt":
      return t("The file where Sluice keeps its tasks is damaged and could not be replaced: {0}.", quoted);
    case "missing-runtime":
      return t("This VS Code can't keep tasks: its Node.js has no SQLite.");
    case "unsupported-locking":
      return t("The drive with the folder where Sluice keeps its tasks does not support file locks.");
    case "cannot-open":
      return t("The file where Sluice keeps its tasks can't be opened: {0}.", quoted);
    case "thread-ended":
      return t("The part of Sluice that writes the tasks to disk has ended: {0}.", quoted);
    case "of-backup":
      return t("This row is from the backup of {0}: what was done since is not known.", error.message);
    case "other":
      return t("This machine could not write to its disk: {0}.", quoted);
  }
}

/** What the person can do, and whether Sluice then continues without a click. */
export function describeStorageRemedy(error: AppError): string {
  switch (problemOf(error)) {
    case "full":
    case "no-room":
      return t("Free some space; Sluice then goes on by itself.");
    case "read-only":
      return t("Make the folder writable; Sluice then goes on by itself.");
    case "newer":
      return t("Reload the window to use the newer version, or update Sluice.");
    case "busy":
      return t("Sluice tries again by itself. If it stays so, close other windows or a program that copies the file.");
    case "corrupt":
      return t("Free some space or make its folder writable; Sluice then replaces it and keeps the damaged one.");
    case "missing-runtime":
      return t("Update VS Code. The chat works without it.");
    case "unsupported-locking":
      return t("Keep VS Code's user data on a local drive. The chat works without it.");
    case "cannot-open":
      return t("Remove what is in its place, or make the folder readable; Sluice then goes on by itself.");
    case "of-backup":
      return t("Ask Again What Became of It asks the gateway.");
    case "thread-ended":
    case "other":
      return t("Sluice tries again by itself. Reload the window if it stays so.");
  }
}

/** Whether only a reload of the window helps. */
export function needsReload(error: AppError): boolean {
  return problemOf(error) === "newer";
}

/** A damaged file of tasks that was replaced. */
export interface ReplacedTaskFile {
  /** Path of the damaged file, which is kept. */
  readonly setAside: string;
  /** Tasks in the new file. */
  readonly tasks: number;
  /** The number of tasks that the damaged file held at least. It is the highest number in the new file: tasks are numbered, and none twice. */
  readonly expected: number;
  /** The number of rows that only the backup had. They are in the state of the day of that backup. */
  readonly fromBackup: number;
}

/** The words for a damaged file, once it was replaced. */
export function describeReplacedFile({ setAside, tasks, expected, fromBackup }: ReplacedTaskFile): string {
  const kept = t("It is kept as {0}.", quoteForeign(setAside));
  const backup =
    fromBackup > 0
      ? plural(fromBackup, {
          one: "{0} of them is from the last backup.",
          other: "{0} of them are from the last backup.",
        })
      : "";
  return [
    plural(
      expected,
      {
        other: "The file where Sluice keeps its tasks was damaged and was replaced: {0} of {1} tasks are in the list.",
      },
      tasks,
      expected,
    ),
    backup,
    t("A paid task that is missing goes on at the gateway and is listed in its console."),
    kept,
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

/** Rows that this version can't read; for the message of the Tasks view. */
export function describeUnreadable(count: number): string {
  return plural(count, {
    one: "One task can't be shown: a newer version of Sluice has written it, or it is damaged. It stays in the file.",
    other:
      "{0} tasks can't be shown: a newer version of Sluice has written them, or they are damaged. They stay in the file.",
  });
}
