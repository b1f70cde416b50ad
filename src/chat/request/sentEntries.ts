/** Finds which entries of a chat its requests hold, and up to where a summary could cover them. Pure. */
import {
  type Chat,
  type Entry,
  isPaused,
  isConversationMessage,
  nextSpoken,
  opensTurn,
  type SummaryEntry,
  toolCalls,
  turnStart,
  usedSummary,
} from "../../domain/chat/chat";
import { tokensOfEntry } from "./tokenEstimate";

export interface SentEntries {
  readonly summary?: SummaryEntry;
  /** Entries that are sent as they are: covered ones that are pinned or were being answered, then all that the summary does not cover. */
  readonly entries: readonly Entry[];
}

export function sentEntries({ entries }: Pick<Chat, "entries">): SentEntries {
  const summary = usedSummary({ entries });
  const covered = coveredCount(entries, summary);
  if (summary === undefined || covered === 0) return { entries };
  const asked = askedBeside(entries, summary);
  const kept = entries.slice(0, covered).filter((entry) => isSentDespiteSummary(entry, asked));
  return { summary, entries: [...kept, ...entries.slice(covered)] };
}

/** Bytes of the instructions that requests hold, or would hold if the person had not removed them, by path. */
export function sentInstructions(chat: Chat): ReadonlyMap<string, number> {
  const calls = sentEntries(chat).entries.flatMap((entry) => (entry.type === "answer" ? toolCalls(entry) : []));
  const nested = calls.flatMap(({ progress }) => (progress.state === "done" ? (progress.instructions ?? []) : []));
  const all = [...(chat.environment?.instructions ?? []), ...nested];
  return new Map(all.map(({ path, text }) => [path, Buffer.byteLength(text)]));
}

/** Whether requests hold the entry. They omit an answer that failed or has no content yet, unless the person had the model continue it. */
export function isSent(entry: Entry): boolean {
  if (entry.type === "summary") return false;
  if (entry.type !== "answer" || entry.continued === true) return true;
  return entry.state !== "failed" && entry.blocks.length > 0;
}

/** The entries that a summary covers for the first time, in order, and the summary before it. */
export interface Coverage {
  /** The id of the last entry that it covers. */
  readonly until: string;
  readonly before: SummaryEntry | undefined;
  readonly entries: readonly Entry[];
}

/**
 * Covers what is older than the newest entries of `room` tokens: whole turns, and of the turn that is being answered whole
 * answers, whose results go with them. `undefined` when there is nothing to cover.
 */
export function planCoverage({ entries }: Pick<Chat, "entries">, room: number): Coverage | undefined {
  const before = usedSummary({ entries });
  const covered = coveredCount(entries, before);
  const first = room === 0 ? entries.length : firstKept(entries, covered, room);
  const last = entries[first - 1];
  const asked = askedIn(entries);
  // With the new summary the prompts of an earlier turn are no longer sent.
  const former = before === undefined ? new Set<Entry>() : askedBeside(entries, before);
  const isFresh = (entry: Entry, at: number): boolean => at >= covered || (former.has(entry) && !asked.has(entry));
  const fresh = entries.slice(0, first).filter(isFresh);
  const coversAny = fresh.some(
    (entry) => isConversationMessage(entry) && isSent(entry) && !isSentDespiteSummary(entry, asked),
  );
  return last === undefined || !coversAny ? undefined : { until: last.id, before, entries: fresh };
}

function coveredCount(entries: readonly Entry[], summary: SummaryEntry | undefined): number {
  return summary === undefined ? 0 : entries.findIndex(({ id }) => id === summary.until) + 1;
}

/** The index of the newest sent entry that is an answer or a prompt that opens a turn. Prompts that steer a running turn do not count. */
export function newestAt(entries: readonly Entry[]): number {
  return entries.findLastIndex(
    (entry) => isConversationMessage(entry) && isSent(entry) && (entry.type === "answer" || opensTurn(entry)),
  );
}

/** The prompts of the turn that is being answered. */
export function askedIn(entries: readonly Entry[]): ReadonlySet<Entry> {
  return new Set(entries.slice(Math.max(0, turnStart(entries) - 1)).filter(({ type }) => type === "user"));
}

/**
 * The prompts of the turn in which the summary was made; none if that turn had ended. They are sent with the summary in later turns too, so that
 * each request begins like the one before.
 */
function askedBeside(entries: readonly Entry[], summary: SummaryEntry): ReadonlySet<Entry> {
  const at = entries.indexOf(summary);
  return opensTurn(nextSpoken(entries, at)) ? new Set() : askedIn(entries.slice(0, at));
}

/** Whether the entry is sent even if a summary covers it. `asked`: the prompts that are being answered. */
export function isSentDespiteSummary(entry: Entry, asked: ReadonlySet<Entry>): boolean {
  return entry.type === "user" && (entry.pinned === true || asked.has(entry));
}

/** The index of the first entry that no summary covers. The last answer is always kept, because the model has not seen its results yet. */
function firstKept(entries: readonly Entry[], covered: number, room: number): number {
  let first = newestAt(entries);
  let left = room - tokensOf(entries.slice(first));
  for (let at = first - 1; at >= covered; at -= 1) {
    left -= tokensOf(entries.slice(at, at + 1));
    if (left < 0) break;
    first = at;
  }
  const asked = turnStart(entries) - 1;
  while (first < asked && !opensTurn(entries[first])) first += 1;
  // A service continues a paused answer only when it gets it back.
  while (first > covered && isCutPause(entries.slice(covered, first))) first -= 1;
  return first;
}

function isCutPause(older: readonly Entry[]): boolean {
  const last = older.findLast((entry) => isConversationMessage(entry) && isSent(entry));
  return last?.type === "answer" && isPaused(last);
}

function tokensOf(entries: readonly Entry[]): number {
  return entries.filter(isSent).reduce((total, entry) => total + tokensOfEntry(entry), 0);
}
