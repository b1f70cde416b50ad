/**
 * Checks what became of the files of a lock: changed, gone, placeholders, or made from a prompt that is another one now. Offline; reads the folder
 * only.
 */
import { decodeText } from "../../base/text/decodeText";
import type { LockEntry, LockFile } from "../../domain/lock/lockFile";
import { headingText, optionsText, readPromptPlace } from "../../domain/lock/lockFile";
import { parsePrompts } from "../prompts/parsePrompts";
import { hashBelow, readBelow, sha256Of } from "./lockedFiles";
import type { LockState } from "../../domain/lock/lockState";

export interface CheckedFile {
  readonly path: string;
  /** The line of the file: where a path has several, the one with the hash of its bytes, else the newest. */
  readonly entry: LockEntry;
  /** The worst state counts: a placeholder that has been changed is a foreign file. */
  readonly state: LockState;
}

/** Bytes of a prompt file; what is longer was not read as prompts either. */
export const maxPromptBytes = 4 * 1024 ** 2;

export interface CheckOptions {
  /** Whether a path is looked at; all of them by default. */
  readonly isMeant?: (path: string) => boolean;
  /** Used in place of `hashBelow`: a view remembers what it has hashed. */
  readonly hash?: typeof hashBelow;
  readonly signal?: AbortSignal | undefined;
}

/** Checks the files in the order of the lock. Rejects with the signal's reason. */
export async function checkLock(
  root: string,
  { entries }: LockFile,
  { isMeant = () => true, hash = hashBelow, signal }: CheckOptions = {},
): Promise<readonly CheckedFile[]> {
  const prompts = new Map<string, ReturnType<PromptsOf>>();
  const promptsOf: PromptsOf = (file) => {
    const known = prompts.get(file) ?? readPrompts(root, file);
    prompts.set(file, known);
    return known;
  };
  const checked: CheckedFile[] = [];
  for (const [path, lines] of entries) {
    signal?.throwIfAborted();
    if (!isMeant(path)) continue;
    checked.push(await checkFile(path, lines, promptsOf, (expected) => hash(root, path, expected)));
  }
  return checked;
}

/** `undefined` where the bytes can't be decoded. */
type PromptsOf = (file: string) => Promise<ReadonlySet<string> | undefined>;

async function checkFile(
  path: string,
  lines: readonly [LockEntry, ...LockEntry[]],
  promptsOf: PromptsOf,
  hash: (expected: number | undefined) => ReturnType<typeof hashBelow>,
): Promise<CheckedFile> {
  const [newest] = lines;
  const lengths = new Set(lines.map(({ bytes }) => bytes));
  const [only] = lengths.size === 1 ? lengths : [undefined];
  const found = await hash(only).catch(() => "unreadable" as const);
  if (typeof found === "string") return { path, entry: newest, state: found === "other" ? "foreign" : found };
  const entry = lines.find(({ sha256, bytes }) => sha256 === found.sha256 && (bytes ?? found.bytes) === found.bytes);
  if (entry === undefined) return { path, entry: newest, state: "foreign" };
  if (entry.rehearsed === true) return { path, entry, state: "rehearsed" };
  return { path, entry, state: (await isStale(entry, promptsOf)) ? "stale" : "good" };
}

/**
 * Whether its prompt file no longer has the prompt under that heading and with those options. False if the prompt file can't be decoded, because
 * its prompts are not known then.
 */
async function isStale({ prompt, promptSha256, optionsSha256 }: LockEntry, promptsOf: PromptsOf): Promise<boolean> {
  const place = prompt === undefined ? undefined : readPromptPlace(prompt);
  if (place === undefined || promptSha256 === undefined) return false;
  const prompts = await promptsOf(place.file);
  return prompts?.has(promptMark(place.heading, promptSha256, optionsSha256)) === false;
}

function promptMark(heading: string, text: string, options = ""): string {
  return `${text} ${options} ${heading}`;
}

/** The prompts of a file, with and without their options, because some lines have none. A file that is gone or can't be read has no prompt. */
async function readPrompts(root: string, file: string): ReturnType<PromptsOf> {
  const marks = new Set<string>();
  const bytes = await readBelow(root, file, maxPromptBytes).catch(() => "missing" as const);
  if (typeof bytes === "string") return marks;
  const { text, isDamaged } = decodeText(bytes);
  if (isDamaged) return undefined;
  const lines = text.split("\n");
  for (const { heading, variants } of parsePrompts(text).prompts) {
    const name = headingText(lines[heading] ?? "");
    for (const variant of variants) {
      const prompt = sha256Of(variant.text);
      marks.add(promptMark(name, prompt)).add(promptMark(name, prompt, sha256Of(optionsText(variant.settings))));
    }
  }
  return marks;
}
