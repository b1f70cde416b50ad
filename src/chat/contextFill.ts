/** What fills the model's context: the tokens that the service counted last, split by what the history holds. Pure. */
import { type AnswerEntry, type Chat, toolCalls, type UserEntry } from "../domain/transcript";

/** Tokens. `used` was counted by the service; the parts are shares of it by length, and their sum is `used`. */
export interface ContextFill {
  readonly used: number;
  readonly messages: number;
  readonly answers: number;
  readonly tools: number;
  /** The system prompt and the declarations of the tools. */
  readonly rest: number;
}

/** Of text and code in most tokenizers; only for the split. */
const charactersPerToken = 4;

/** `undefined` while no answer of the chat has reported its usage. */
export function fillOf({ entries }: Chat): ContextFill | undefined {
  const counted = entries.findLastIndex((entry) => entry.type === "answer" && entry.usage?.input !== undefined);
  const last = entries[counted];
  if (last?.type !== "answer") return undefined;
  // A chat of a file may have any numbers.
  const used = Math.min(Math.max(0, Math.round((last.usage?.input ?? 0) + (last.usage?.output ?? 0))), 1e12);
  const lengths = { messages: 0, answers: 0, tools: 0 };
  for (const entry of entries.slice(0, counted + 1)) {
    if (entry.type === "user") lengths.messages += entry.text.length + attachedLength(entry);
    else if (entry.type === "job") lengths.messages += entry.text.length;
    else if (entry.state !== "failed") {
      lengths.answers += textLength(entry);
      // The results of the last answer are part of the next request only.
      if (entry !== last) lengths.tools += toolLength(entry);
    }
  }
  const characters = lengths.messages + lengths.answers + lengths.tools;
  const known = Math.min(used, Math.round(characters / charactersPerToken));
  const shareOf = (length: number): number => (characters === 0 ? 0 : Math.floor((known * length) / characters));
  const [messages, answers, tools] = [lengths.messages, lengths.answers, lengths.tools].map(shareOf);
  const shares = { messages: messages ?? 0, answers: answers ?? 0, tools: tools ?? 0 };
  return { used, ...shares, rest: used - shares.messages - shares.answers - shares.tools };
}

/** What services count for a picture of common size. */
const tokensPerImage = 1200;

function attachedLength({ attachments = [] }: UserEntry): number {
  return sum(
    attachments.map((attachment) => {
      if (attachment.type === "image") return tokensPerImage * charactersPerToken;
      return attachment.type === "text" ? attachment.text.length : 0;
    }),
  );
}

function textLength({ blocks }: AnswerEntry): number {
  return sum(blocks.map((block) => (block.type === "text" || block.type === "reasoning" ? block.text.length : 0)));
}

function toolLength(answer: AnswerEntry): number {
  return sum(
    toolCalls(answer).map(
      ({ argumentText, progress }) => argumentText.length + ("result" in progress ? progress.result.length : 0),
    ),
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
