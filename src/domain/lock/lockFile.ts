/**
 * `sluice.lock`, the list of the files of a folder that were made with Sluice: one line a file, as JSON, in the order of the paths. The reader takes
 * what a merge leaves: lines twice, in any order, and both sides of a conflict. Pure.
 */
import { type TaskOption, type TaskOptions, taskOptions } from "../task/commonOptions";

/** The name of the file, at the root of a workspace folder. */
export const lockName = "sluice.lock";

/** The line of one file. A field that is left out is not known. */
export interface LockEntry {
  /** The path from the folder of the lock, with `/`: `assets/hero.png`. */
  readonly path: string;
  /** The hash of the bytes, in lower-case hex. */
  readonly sha256: string;
  readonly bytes?: number;
  /** Pixels: `1024x768`. */
  readonly size?: string;
  /** The file and the heading that have the prompt: `hero.prompts.md#Hero`. */
  readonly prompt?: string;
  /** The hash of the prompt's text; the lock never has the text itself. */
  readonly promptSha256?: string;
  /** The hash of what the prompt file sets for it: see `optionsText`. */
  readonly optionsSha256?: string;
  readonly model?: string;
  readonly seed?: number;
  /** The gateway's id of the task. */
  readonly task?: string;
  /** The kinds of provenance metadata that the file holds: `c2pa`, `iptc`, … `edited`: a person has changed its bytes and kept them. */
  readonly marks?: readonly string[];
  /** The file is a placeholder of the local gateway. */
  readonly rehearsed?: true;
  /** The time at which the file was put there, as `Date.toISOString` writes it. */
  readonly at?: string;
}

/** A line that can't be used, counted from 1. */
export interface LockProblem {
  readonly line: number;
  readonly reason: "conflict" | "unreadable" | "bad-path" | "bad-value" | "too-long" | "too-many";
}

export interface LockFile {
  /** The entries by path, the newest line first. */
  readonly entries: ReadonlyMap<string, readonly [LockEntry, ...LockEntry[]]>;
  readonly problems: readonly LockProblem[];
  /** A later version of Sluice wrote it: nothing is written into it. */
  readonly isNewer: boolean;
  /** Comments behind the first line, and lines that could not be read, as they are written back. */
  readonly kept: readonly string[];
  /** Lines end with `\r\n`, as git checks them out on some machines. */
  readonly hasCarriageReturns: boolean;
}

const version = 1;
/** The first line; the number is the version. */
const heading = `# sluice.lock ${version}: files made with Sluice, one a line. Check them with sluice-lock-check.mjs.`;
const headingForm = /^# sluice\.lock (\d{1,4})\b/;
/** The conflict marks of git, also with the name of a branch behind them. */
const conflictMark = /^(?:<{7}|={7}|>{7}|\|{7})(?: |$)/;

/** Bytes of the file; a larger one is not read. */
export const maxLockBytes = 8 * 1024 ** 2;
const maxLines = 40_000;
const maxLineLength = 8192;
const maxProblems = 100;

export const emptyLock: LockFile = {
  entries: new Map(),
  problems: [],
  isNewer: false,
  kept: [],
  hasCarriageReturns: false,
};

export function readLock(text: string): LockFile {
  /** The entries of each path, by the text of their line, so that equal lines count once. */
  const found = new Map<string, Map<string, LockEntry>>();
  const problems: LockProblem[] = [];
  const kept = new Set<string>();
  let isNewer = false;
  const lines = text.replace(/^\uFEFF/, "").split("\n", maxLines + 1);
  const addProblem = (line: number, reason: LockProblem["reason"]): void => {
    if (problems.length < maxProblems) problems.push({ line, reason });
  };
  for (const [index, raw] of lines.entries()) {
    const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
    if (index === maxLines) {
      addProblem(index + 1, "too-many");
      break;
    }
    const [, written] = headingForm.exec(line) ?? [];
    if (written !== undefined) isNewer ||= Number(written) > version;
    else if (conflictMark.test(line)) addProblem(index + 1, "conflict");
    else if (line.startsWith("#")) kept.add(line.slice(0, maxLineLength));
    else if (line.trim() !== "") {
      const entry = line.length > maxLineLength ? "too-long" : readEntry(line);
      if (typeof entry === "string") {
        addProblem(index + 1, entry);
        if (line.length <= maxLineLength) kept.add(line);
      } else
        found.set(entry.path, (found.get(entry.path) ?? new Map<string, LockEntry>()).set(writeEntry(entry), entry));
    }
  }
  return { entries: newestFirst(found), problems, isNewer, kept: [...kept], hasCarriageReturns: text.includes("\r\n") };
}

/** Sorts once, at the end, because a foreign lock may have all its lines for one path. */
function newestFirst(found: ReadonlyMap<string, ReadonlyMap<string, LockEntry>>): LockFile["entries"] {
  const entries = new Map<string, readonly [LockEntry, ...LockEntry[]]>();
  for (const [path, lines] of found) {
    const [newest, ...others] = [...lines.values()].sort(
      (one, other) => compareText(other.at ?? "", one.at ?? "") || compareText(one.sha256, other.sha256),
    );
    if (newest !== undefined) entries.set(path, [newest, ...others]);
  }
  return entries;
}

function readEntry(line: string): LockEntry | "unreadable" | "bad-path" | "bad-value" {
  let read: unknown;
  try {
    read = JSON.parse(line);
  } catch {
    return "unreadable";
  }
  if (typeof read !== "object" || read === null || Array.isArray(read)) return "unreadable";
  const fields = read as Readonly<Record<string, unknown>>;
  const { path, sha256, marks } = fields;
  if (typeof path !== "string" || !isLockPath(path)) return "bad-path";
  if (typeof sha256 !== "string" || !hashForm.test(sha256)) return "bad-value";
  for (const [name, isValid] of Object.entries(optionalFields))
    if (fields[name] !== undefined && !isValid(fields[name])) return "bad-value";
  const known = Object.keys(optionalFields).flatMap((name) =>
    fields[name] === undefined ? [] : [[name, fields[name]] as const],
  );
  // Each value has passed its check.
  return { path, sha256, ...(Object.fromEntries(known) as Partial<LockEntry>), ...(isMarks(marks) ? { marks } : {}) };
}

const hashForm = /^[0-9a-f]{64}$/;
const isHash = (value: unknown): boolean => typeof value === "string" && hashForm.test(value);
const isText = (value: unknown): boolean => typeof value === "string" && value.length <= 1000;
const isMarks = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length <= 20 && value.every((one) => typeof one === "string" && one.length <= 40);

/** The optional fields in the order in which they are written, each with its check. */
const optionalFields: Readonly<Record<Exclude<keyof LockEntry, "path" | "sha256">, (value: unknown) => boolean>> = {
  bytes: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  size: (value) => typeof value === "string" && /^\d{1,6}x\d{1,6}$/.test(value),
  prompt: isText,
  promptSha256: isHash,
  optionsSha256: isHash,
  model: isText,
  seed: (value) => Number.isSafeInteger(value),
  task: isText,
  marks: isMarks,
  rehearsed: (value) => value === true,
  at: (value) => typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value),
};

/** Names that Windows takes for devices, with any ending. */
const deviceName = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)/i;

/** Whether a path of a lock names a file below its folder, on every system: relative, with `/`, no `..`, no device, no drive, nothing of git. */
export function isLockPath(path: string): boolean {
  if (path === "" || path.length > 1024 || !path.isWellFormed() || /[\p{Cc}\\:*?"<>|]/u.test(path)) return false;
  return path
    .split("/")
    .every(
      (name) =>
        name !== "" &&
        !/[. ]$/.test(name) &&
        name.length <= 255 &&
        !deviceName.test(name) &&
        !/^\.git$|^git~1$/i.test(name),
    );
}

/**
 * Returns the whole file. `changes` has the new line of each path, or `undefined` to remove it. All lines of other paths stay, because after a merge
 * an older one may be that of the bytes on disk.
 */
export function writeLock(before: LockFile, changes: ReadonlyMap<string, LockEntry | undefined>): string {
  const entries = new Map<string, readonly LockEntry[]>(before.entries);
  for (const [path, entry] of changes) entries.set(path, entry === undefined ? [] : [entry]);
  const sorted = [...entries]
    .sort(([one], [other]) => compareText(one, other))
    .flatMap(([, lines]) => lines.map(writeEntry));
  const end = before.hasCarriageReturns ? "\r\n" : "\n";
  return [heading, ...before.kept, ...sorted].map((line) => line + end).join("");
}

/** Compares by code units, so that the order is the same in every language. */
function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function writeEntry(entry: LockEntry): string {
  const { path, sha256 } = entry;
  const fields = (Object.keys(optionalFields) as (keyof typeof optionalFields)[]).flatMap((name) =>
    entry[name] === undefined ? [] : [[name, entry[name]] as const],
  );
  return JSON.stringify({ path, sha256, ...Object.fromEntries(fields) });
}

/** The options that have a place in the text of each lock, also where they are not set. */
const placedOptions: readonly TaskOption[] = ["size", "duration", "seed"];

/**
 * What a prompt file sets for a variant, as the text that is hashed. The destination is left out, because it is no part of how the file is made.
 * Any option but the first three is written with its name, and only where it is set, so that the hashes of existing locks stay.
 */
export function optionsText(
  settings: TaskOptions & {
    readonly type?: string;
    readonly model?: string;
    readonly references?: readonly string[];
  },
): string {
  const { type, model, references = [] } = settings;
  const placed = placedOptions.map((name) => settings[name]);
  const others = taskOptions.flatMap((name) =>
    placedOptions.includes(name) || settings[name] === undefined ? [] : [{ [name]: settings[name] }],
  );
  return JSON.stringify([type, model, ...placed, ...references, ...others].map((value) => value ?? null));
}

/** `hero.prompts.md#Hero`; a `#` in the name of the file is written as `%23`. */
export function writePromptPlace(file: string, promptHeading: string): string {
  return `${file.replaceAll("%", "%25").replaceAll("#", "%23")}#${promptHeading.slice(0, 300)}`;
}

/** `undefined` for what names no file below the folder. */
export function readPromptPlace(place: string): { readonly file: string; readonly heading: string } | undefined {
  const at = place.indexOf("#");
  if (at === -1) return undefined;
  const file = place.slice(0, at).replaceAll("%23", "#").replaceAll("%25", "%");
  return isLockPath(file) ? { file, heading: place.slice(at + 1) } : undefined;
}

/** The text of a heading line of Markdown, as a place names it. */
export function headingText(line: string): string {
  return line
    .slice(0, 300)
    .replace(/^ {0,3}#{1,6}/, "")
    .trim();
}
