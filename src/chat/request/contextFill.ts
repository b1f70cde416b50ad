/** Finds how full the model's context is: the tokens that the service counted last plus an estimate of what was added since, by kind. Pure. */
import { tokensOfBytes } from "../../domain/chat/tokenCount";
import {
  type AnswerEntry,
  type Chat,
  type Entry,
  type SessionEvent,
  type SummaryEntry,
  usedSummary,
} from "../../domain/chat/chat";
import { sentEntries } from "./sentEntries";
import { type ByteCounts, lengthsOf, tokensOfEntry, toolLength } from "./tokenEstimate";

/** Tokens. The parts are shares of `used` by length, and their sum is `used`. */
export interface ContextFill {
  readonly used: number;
  readonly messages: number;
  readonly answers: number;
  readonly tools: number;
  /** The system prompt and the declarations of the tools. */
  readonly rest: number;
}

/** Whether `fillOf` may give another result after such an event. Prompts and chunks of answers count once the answer has ended. */
export function changesFill(type: SessionEvent["type"]): boolean {
  return ["answer-ended", "entries-replaced", "branch-switched", "summary-switched"].includes(type);
}

/** `undefined` while no answer of the chat has reported its usage. */
export function fillOf({ entries }: Pick<Chat, "entries">): ContextFill | undefined {
  const counted = entries.findLastIndex((entry) => entry.type === "answer" && entry.usage?.input !== undefined);
  const last = entries[counted];
  if (last?.type !== "answer") return undefined;
  const before = entries.slice(0, counted + 1);
  // If another summary was used at the count than now, the count is of another history, so the fill is estimated.
  const then = before.findLast((entry) => entry.type === "summary" && entry.state === "complete");
  const fill = countedFill(lengthsIn(before, last), last);
  if (then !== usedSummary({ entries })) return estimatedFill(entries, fill.rest);
  const { messages, answers, tools } = lengthsOf(entries.slice(counted + 1));
  return withAdded(fill, { messages, answers, tools: tools + toolLength(last) });
}

/**
 * Estimates the tokens of an answer or a summary and of its request. `undefined` where the gateway has reported them, and where nothing has arrived,
 * because the request was then perhaps not sent.
 */
export function estimateAnswer(
  { entries }: Pick<Chat, "entries">,
  answer: AnswerEntry | SummaryEntry,
): number | undefined {
  if (answer.usage !== undefined || answer.blocks.length === 0) return undefined;
  // A summary is made of the entries up to the last one that it covers.
  const until = answer.type === "summary" ? entries.findLastIndex(({ id }) => id === answer.until) + 1 : undefined;
  const asked = entries.slice(0, until ?? entries.indexOf(answer));
  return estimateFill({ entries: asked }, 0) + tokensOfEntry({ ...answer, state: "complete" });
}

/** Estimates the tokens of the next request without a count. `rest`: tokens of the system prompt and the declarations of the tools. */
export function estimateFill({ entries }: Pick<Chat, "entries">, rest: number): number {
  return estimatedFill(entries, rest).used;
}

function estimatedFill(entries: readonly Entry[], rest: number): ContextFill {
  return withAdded({ used: 0, messages: 0, answers: 0, tools: 0, rest }, lengthsIn(entries));
}

function lengthsIn(entries: readonly Entry[], last?: Entry): ByteCounts {
  const { summary, entries: sent } = sentEntries({ entries });
  return lengthsOf(
    [...(summary === undefined ? [] : [summary]), ...sent.filter(({ type }) => type !== "summary")],
    last,
  );
}

function countedFill(lengths: ByteCounts, { usage }: AnswerEntry): ContextFill {
  // A chat that was read from a file may have any numbers.
  const used = Math.min(Math.max(0, Math.round((usage?.input ?? 0) + (usage?.output ?? 0))), 1e12);
  const bytes = lengths.messages + lengths.answers + lengths.tools;
  const known = Math.min(used, tokensOfBytes(bytes));
  const shareOf = (length: number): number => (bytes === 0 ? 0 : Math.floor((known * length) / bytes));
  const [messages, answers, tools] = [shareOf(lengths.messages), shareOf(lengths.answers), shareOf(lengths.tools)];
  return { used, messages, answers, tools, rest: used - messages - answers - tools };
}

function withAdded(fill: ContextFill, added: ByteCounts): ContextFill {
  const messages = fill.messages + tokensOfBytes(added.messages);
  const answers = fill.answers + tokensOfBytes(added.answers);
  const tools = fill.tools + tokensOfBytes(added.tools);
  return { used: messages + answers + tools + fill.rest, messages, answers, tools, rest: fill.rest };
}
