/** The chat as it is shown and stored: entries in order. `reduceChat` makes them of session events, in the host and in the chat page. */
import type * as z from "zod/mini";
import { type Price, type PriceList, sumsOfPrices, type TokenCounts } from "../prices/priceList";
import { addSpent, pricesOfSpent } from "../prices/tokenDays";
import type { Immutable } from "../../base/immutable";
import type {
  allowedSchema,
  argumentNoteSchema,
  argumentReadingSchema,
  askReasonSchema,
  diffPreviewSchema,
  personQuestionSchema,
  repairSchema,
  toolActionSchema,
  toolActivitySchema,
  toolCallBlockSchema,
  toolProgressSchema,
  toolStepSchema,
} from "./toolSchema";
import type {
  answerEntrySchema,
  answerFailureSchema,
  answerRetrySchema,
  leftOutSchema,
  blockSchema,
  chatSchema,
  taskEntrySchema,
  queuedPromptSchema,
  sessionEventSchema,
  summaryEntrySchema,
  userEntrySchema,
} from "./chatSchema";

export type AskReason = z.infer<typeof askReasonSchema>;
export type Allowed = z.infer<typeof allowedSchema>;
export type Repair = z.infer<typeof repairSchema>;
export type DiffPreview = Immutable<z.infer<typeof diffPreviewSchema>>;
export type DiffHunk = DiffPreview["hunks"][number];
export type ToolAction = Immutable<z.infer<typeof toolActionSchema>>;
export type ToolActivity = Immutable<z.infer<typeof toolActivitySchema>>;
/** A call that a reader, a model with a context of its own, has made. */
export type ToolStep = Immutable<z.infer<typeof toolStepSchema>>;
export type ToolProgress = Immutable<z.infer<typeof toolProgressSchema>>;
/** A call that waits for a person. */
export type WaitingCall = Extract<ToolProgress, { state: "waiting" }>;

export type PersonQuestion = Immutable<z.infer<typeof personQuestionSchema>>;
/** A call that waits for the person's answer. */
export type AskingProgress = Extract<ToolProgress, { state: "asking" }>;

/** One of the changes of a waiting call that changes several files. */
export type WaitingPart = NonNullable<WaitingCall["changes"]>[number];

/** The id by which the diff of one change is opened. */
export function partId(call: string, index: number): string {
  return `${call}/${index}`;
}

/** The previews of what a waiting call would write, one for each file. */
export function previewsOf({ change, changes = [] }: WaitingCall): readonly DiffPreview[] {
  return [...(change ? [change] : []), ...changes.flatMap((part) => part.change ?? [])];
}

export type ToolCallBlock = Immutable<z.infer<typeof toolCallBlockSchema>>;
export type ArgumentNote = Immutable<z.infer<typeof argumentNoteSchema>>;
export type ArgumentReading = Immutable<z.infer<typeof argumentReadingSchema>>;
export type Input = Readonly<Record<string, unknown>>;

export type AnswerFailure = Immutable<z.infer<typeof answerFailureSchema>>;
export type AnswerRetry = Immutable<z.infer<typeof answerRetrySchema>>;
export type LeftOut = Immutable<z.infer<typeof leftOutSchema>>;
export type Block = Immutable<z.infer<typeof blockSchema>>;
export type QueuedPrompt = Immutable<z.infer<typeof queuedPromptSchema>>;
export type UserEntry = Immutable<z.infer<typeof userEntrySchema>>;
export type AnswerEntry = Immutable<z.infer<typeof answerEntrySchema>>;
export type TaskEntry = Immutable<z.infer<typeof taskEntrySchema>>;
export type SummaryEntry = Immutable<z.infer<typeof summaryEntrySchema>>;
export type Entry = UserEntry | AnswerEntry | TaskEntry | SummaryEntry;
export type Chat = Immutable<z.infer<typeof chatSchema>>;
/** The undo operation of a rewind and the number of files that it restored. */
export type Rewound = NonNullable<NonNullable<Chat["otherBranch"]>["rewound"]>;
export type SessionEvent = Immutable<z.infer<typeof sessionEventSchema>>;

/** Characters of one prompt. */
export const promptCap = 1_000_000;

export const emptyChat = (id: string): Chat => ({ id, entries: [], running: false });

/** Whether the service stopped in the middle of its answer and continues when the answer is sent back. The chat-completions API has no such state. */
export function isPaused({ family, state, finish, cut }: AnswerEntry): boolean {
  return family !== "chat-completions" && state === "complete" && finish === "pause" && cut !== true;
}

/** Whether the entry is a prompt that begins a turn, not one that was sent in the middle of it. */
export function opensTurn(entry: Entry | undefined): entry is UserEntry {
  return entry?.type === "user" && entry.steers !== true;
}

/** The index of the first entry after the prompt that begins the turn of the entry at `last`, or of the last turn. */
export function turnStart(entries: readonly Entry[], last = entries.length - 1): number {
  return entries.findLastIndex((entry, index) => index <= last && opensTurn(entry)) + 1;
}

/** Whether the entry is a message of the conversation; tasks and summaries are not. */
export function isConversationMessage(entry: Entry): entry is UserEntry | AnswerEntry {
  return entry.type === "user" || entry.type === "answer";
}

/** The last entry of the conversation. */
export function lastSpoken({ entries }: Pick<Chat, "entries">): UserEntry | AnswerEntry | undefined {
  return entries.findLast(isConversationMessage);
}

/** The entry of the conversation after that index. */
export function nextSpoken(entries: readonly Entry[], index: number): UserEntry | AnswerEntry | undefined {
  for (let at = index + 1; at < entries.length; at += 1) {
    const entry = entries[at];
    if (entry !== undefined && isConversationMessage(entry)) return entry;
  }
  return undefined;
}

/** The summary that requests hold in place of the entries that it covers: the newest complete one that is not undone. */
export function usedSummary({ entries }: Pick<Chat, "entries">): SummaryEntry | undefined {
  return entries.findLast((entry) => entry.type === "summary" && entry.state === "complete" && !entry.undone) as
    SummaryEntry | undefined;
}

/** The last entry of the conversation, when it is an answer. */
export function lastAnswer(chat: Pick<Chat, "entries">): AnswerEntry | undefined {
  const last = lastSpoken(chat);
  return last?.type === "answer" ? last : undefined;
}

/** The last answer if the model can go on from it; `undefined` while a turn runs. */
export function unfinishedAnswer(chat: Pick<Chat, "entries" | "running">): AnswerEntry | undefined {
  const last = chat.running ? undefined : lastAnswer(chat);
  return last !== undefined && isUnfinished(last) ? last : undefined;
}

/** Whether the stream broke off, the output limit ended the answer, or nothing arrived that a person could read. */
export function isUnfinished({ state, cut, finish, failure, blocks }: AnswerEntry): boolean {
  if (state === "failed") return failure?.type === "gateway" && blocks.length > 0;
  if (state !== "complete") return false;
  const isEmpty = blocks.every(({ type }) => type === "reasoning" || type === "opaque" || type === "citation");
  return cut === true || finish === "length" || (isEmpty && (finish === "stop" || finish === "unknown"));
}

/** Prompts that are sent in the turn that runs. */
export function steeringPrompts({ queue = [] }: Pick<Chat, "queue">): readonly QueuedPrompt[] {
  return queue.filter(({ now, held }) => now === true && held !== true);
}

/** The event with which a queued prompt becomes an entry of the chat. */
export function promptAdded({
  held: _held,
  now: _now,
  ...prompt
}: QueuedPrompt): Extract<SessionEvent, { type: "prompt-added" }> {
  return { type: "prompt-added", ...prompt };
}

/** Whether a person is asked because the call submits a task, paid or free. */
export function isSubmission(reason: AskReason): boolean {
  return reason === "submits-task" || reason === "submits-free-task";
}

/** The calls of an answer, in order. */
export function toolCalls(answer: Pick<AnswerEntry, "blocks">): readonly ToolCallBlock[] {
  return answer.blocks.filter((block) => block.type === "tool-call");
}

/** Whether the entry is an answer or a summary that has not ended. */
export function isStreaming(entry: Entry): entry is AnswerEntry | SummaryEntry {
  return "blocks" in entry && entry.state === "streaming";
}

/** An answer or a summary that is over, with the estimate of its tokens where the gateway did not report them. */
type CountedAnswer = Pick<Extract<SessionEvent, { readonly type: "answer-ended" }>, "id" | "estimate">;

/** Adds an answer or a summary that is over to the tokens and the cost of the chat. */
export function addAnswer(chat: Chat, answer: CountedAnswer): Chat {
  return addSpentOf(addTokens(chat, tokensOfEnded(chat, answer)), answer);
}

/** The tokens of an answer that is over: those that the gateway reported, and the estimate where there is one. */
export function tokensOfEnded({ entries }: Chat, { id, estimate = 0 }: CountedAnswer): number {
  const entry = entries.findLast((one) => one.id === id);
  const usage = entry !== undefined && "usage" in entry ? entry.usage : undefined;
  return countOf(usage?.input) + countOf(usage?.output) + countOf(estimate);
}

/**
 * Adds the tokens of an answer or a summary to those of its model. `estimate` covers prompt and answer where the gateway reported nothing; it is
 * added as input, because the prompt is most of it.
 */
function addSpentOf(chat: Chat, { id, estimate }: CountedAnswer): Chat {
  const entry = chat.entries.findLast((one) => one.id === id);
  // What the local gateway answers costs nothing: neither an amount nor a price that is not known belongs to the cost of the chat.
  if (entry === undefined || !("model" in entry) || entry.isFree) return chat;
  const usage = "usage" in entry ? entry.usage : undefined;
  if (usage !== undefined) return addSpentBy(chat, entry.model, usage, usage.cost);
  return estimate === undefined ? chat : addSpentBy(chat, entry.model, { input: estimate });
}

/** Adds the cost of a request where it is known, else its tokens under the model. */
export function addSpentBy(chat: Chat, model: string, tokens: TokenCounts, cost?: Price): Chat {
  return cost === undefined
    ? { ...chat, spent: addSpent(chat.spent ?? [], model, tokens) }
    : { ...chat, costs: sumsOfPrices([...(chat.costs ?? []), cost]) };
}

/** The cost of the chat: the amounts that gateways stated, and the rest by the person's price list. Empty where nothing is known. */
export function pricesOfChat(prices: PriceList, { spent = [], costs = [] }: Chat): readonly Price[] {
  return pricesOfSpent(prices, spent, costs);
}

/** Adds the tokens of a request to the total of the chat. */
export function addTokens(chat: Chat, count: number): Chat {
  const tokens = countOf(count);
  return tokens === 0 ? chat : { ...chat, tokens: Math.min((chat.tokens ?? 0) + tokens, Number.MAX_SAFE_INTEGER) };
}

/** Gateways may report any number, so a count is rounded and kept within bounds. */
function countOf(tokens = 0): number {
  return Math.round(Math.min(Math.max(0, tokens), 1e12));
}
