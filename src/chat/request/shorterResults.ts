/** What the model has not read yet may alone be longer than its context: which results are cut, and how far. Pure (A6). */
import type { AppError } from "../../domain/errors/appError";
import { type AnswerEntry, type Chat, toolCalls, type ToolCallBlock, usedSummary } from "../../domain/chat/chat";
import { bytesPerToken, tokensOfBytes } from "../../domain/chat/tokenCount";
import { leastResult } from "./resultRoom";
import { askedIn, isKept, newestAt } from "./sentEntries";
import { tokensOfEntry } from "./tokenEstimate";

/** Of what is free beside the entries that have to be sent; the answer and what follows it need the rest. */
const share = 0.5;
/** A refusal that names no sizes: the next request has this part of the refused one. */
const untilAccepted = 0.75;

/** The size of a context that refused a request of `next` tokens, counted as those are: services count otherwise than we estimate. */
export function refusedSize({ contextSize, promptSize }: AppError, next: number): number {
  if (contextSize === undefined) return untilAccepted * next;
  const named = promptSize === undefined ? contextSize : (contextSize * next) / promptSize;
  return Math.min(named, untilAccepted * next);
}

export interface LongResult {
  readonly answer: AnswerEntry;
  readonly block: ToolCallBlock;
  /** Bytes to which it is cut. */
  readonly room: number;
}

/** Of the newest answer, the results that have to be cut for all of them to fit: the longest, to equal length. `size`: tokens beside instructions and tools. */
export function longResults(chat: Pick<Chat, "entries">, size: number): readonly LongResult[] {
  const answer = chat.entries[newestAt(chat.entries)];
  if (answer?.type !== "answer") return [];
  const results = toolCalls(answer).flatMap((block) =>
    "result" in block.progress ? [{ block, length: Buffer.byteLength(block.progress.result) }] : [],
  );
  const total = results.reduce((sum, { length }) => sum + length, 0);
  const others = tokensBeside(chat, answer) + tokensOfEntry(answer) - tokensOfBytes(total);
  const lengths = results.map(({ length }) => length);
  const level = Math.max(leastResult, levelOf(lengths, share * Math.max(0, size - others) * bytesPerToken));
  return results.flatMap(({ block, length }) => (length > level ? [{ answer, block, room: level }] : []));
}

/** Of the prompts and the summary that are sent with the newest answer, whatever is left out. */
function tokensBeside(chat: Pick<Chat, "entries">, answer: AnswerEntry): number {
  const asked = askedIn(chat.entries);
  const kept = chat.entries.filter((entry) => entry !== answer && isKept(entry, asked));
  const summary = usedSummary(chat);
  return [...kept, ...(summary === undefined ? [] : [summary])].reduce((sum, entry) => sum + tokensOfEntry(entry), 0);
}

/** The length to which the longest are cut so that all take `total` together. */
function levelOf(lengths: readonly number[], total: number): number {
  let left = total;
  const sorted = lengths.toSorted((one, other) => one - other);
  for (const [at, length] of sorted.entries()) {
    const equal = left / (sorted.length - at);
    if (length > equal) return Math.floor(equal);
    left -= length;
  }
  return Infinity;
}
