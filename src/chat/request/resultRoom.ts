/** Limits how much of the model's context the results of one answer's calls take: each may have a quarter of what those before left (A6). */
import { firstBytes, lastBytes } from "../../base/text/cutText";
import { definedFields } from "../../base/definedFields";
import { bytesPerToken, tokensOfBytes } from "../../domain/chat/tokenCount";
import type { AppError } from "../../domain/errors/appError";
import { type AnswerEntry, type Chat, toolCalls, type ToolCallBlock, usedSummary } from "../../domain/chat/chat";
import { askedIn, isSentDespiteSummary, newestAt } from "./sentEntries";
import { tokensOfEntry } from "./tokenEstimate";

/** Each result may have this share of what is left. */
const resultShare = 0.25;
/** Bytes that every result may have, because a model can't go on with less of one. */
const leastResult = 2000;
/** All results together have no more bytes than this, however much the context holds. */
const maxResultBytes = 4 * 1024 * 1024;
/** Bytes for the note in the middle of a cut result. */
const noteSize = 200;

/** Keeps a result that is cut, for `read_result`, and returns its id. */
export type KeepResult = (result: {
  readonly tool: string;
  readonly text: string;
  readonly untrusted?: string;
}) => string;

export interface FittedResult {
  readonly result: string;
  /** Characters of the whole one, where it was cut. */
  readonly cutFrom?: number;
}

export class ResultRoom {
  readonly #keep: KeepResult;
  #left: number;

  /** `tokens`: the free tokens of the context. */
  constructor(tokens: number, keep: KeepResult) {
    this.#left = Math.min(maxResultBytes, Math.max(0, tokens) * bytesPerToken);
    this.#keep = keep;
  }

  /** Bytes for the result of a call that starts: calls run at the same time, so each gets its share before it runs. */
  reserve(): number {
    const room = Math.max(leastResult, Math.floor(this.#left * resultShare));
    this.#left = Math.max(0, this.#left - room);
    return room;
  }

  /** Cuts the result to what was reserved, and gives back what it does not take. */
  fit(tool: string, text: string, room: number, untrusted: string | undefined): FittedResult {
    const size = Buffer.byteLength(text);
    this.#left += Math.max(0, room - size);
    return size <= room
      ? { result: text }
      : cutResult({ tool, text, ...definedFields({ untrusted }) }, room, this.#keep);
  }
}

/** Cuts a result to its beginning and its end within `room` bytes, with a note between them that says how the rest is read. */
export function cutResult(result: Parameters<KeepResult>[0], room: number, keep: KeepResult): FittedResult {
  const { text } = result;
  const half = Math.max(0, Math.floor((room - noteSize) / 2));
  const [head, tail] = [untilLineEnd(firstBytes(text, half)), lastBytes(text, half)];
  const omitted = text.length - head.length - tail.length;
  const rest = `read_result with id "${keep(result)}" and skip ${head.length} gives them`;
  const note = `(${omitted} characters left out here, to fit into your context; ${rest})`;
  return { result: `${head}\n${note}\n${tail}`, cutFrom: text.length };
}

/** The text up to its last line end, unless that would drop more than a fifth of it. */
function untilLineEnd(text: string): string {
  const end = text.lastIndexOf("\n");
  return end < text.length * 0.8 ? text : text.slice(0, end);
}

/** Results may have this share of what the other entries that have to be sent leave free; the next answer and what follows need the rest. */
const shorterShare = 0.5;
/** After a refusal that names no sizes, the next request has this share of the tokens of the refused one. */
const untilAccepted = 0.75;

/** The size of a context that refused a request of `next` tokens, in tokens as we estimate them, because services count differently. */
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

/**
 * The results of the newest answer that have to be cut for all of them to fit: the longest, to equal length. `size`: tokens of the context without
 * instructions and tools.
 */
export function longResults(chat: Pick<Chat, "entries">, size: number): readonly LongResult[] {
  const answer = chat.entries[newestAt(chat.entries)];
  if (answer?.type !== "answer") return [];
  const results = toolCalls(answer).flatMap((block) =>
    "result" in block.progress ? [{ block, length: Buffer.byteLength(block.progress.result) }] : [],
  );
  const total = results.reduce((sum, { length }) => sum + length, 0);
  const others = tokensBeside(chat, answer) + tokensOfEntry(answer) - tokensOfBytes(total);
  const lengths = results.map(({ length }) => length);
  const level = Math.max(leastResult, levelOf(lengths, shorterShare * Math.max(0, size - others) * bytesPerToken));
  return results.flatMap(({ block, length }) => (length > level ? [{ answer, block, room: level }] : []));
}

/** Tokens of the prompts and the summary that are sent with the newest answer in any case. */
function tokensBeside(chat: Pick<Chat, "entries">, answer: AnswerEntry): number {
  const asked = askedIn(chat.entries);
  const kept = chat.entries.filter((entry) => entry !== answer && isSentDespiteSummary(entry, asked));
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
