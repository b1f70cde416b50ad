/** A chat session over a scripted model with a small context, which writes a summary when it is asked for one. */
import { ChatSession } from "../../src/chat/session/session";
import { systemPromptFor } from "../../src/chat/request/systemPrompt";
import type { SessionOptions } from "../../src/chat/session/sessionOptions";
import type { ChatEvent } from "../../src/domain/chat/chatEvent";
import type { ChatRequest, Message } from "../../src/domain/chat/message";
import { tokensOfText } from "../../src/domain/chat/tokenCount";
import type { Gateway, Model } from "../../src/domain/ports";
import type { Chat, SummaryEntry } from "../../src/domain/chat/chat";
import { connectTo, keptLog, makeGateway } from "./builders";
import { createMovedClock } from "./movedClock";
import { plainSessionOptions } from "./plainOptions";

/** The model gets the short system prompt because of its id. */
export const smallModel: Model = { id: "m:1b", family: "chat-completions", contextSize: 1000 };
/** The estimated tokens of the system prompt. */
export const systemTokens = tokensOfText(systemPromptFor(smallModel));

/** An answer, with what the gateway counted of it. */
export const countedAnswer = (text: string, input?: number, output = 10): readonly ChatEvent[] => [
  { type: "message-start" },
  { type: "text-delta", block: 0, text },
  ...(input === undefined ? [] : [{ type: "usage" as const, input, output, raw: null }]),
  { type: "message-end", finish: "stop", cut: false },
];

const isSummaryRequest = ({ messages, tools }: ChatRequest): boolean =>
  tools.length === 0 && messages.length === 1 && textOfMessage(messages[0]).startsWith("Below is the earlier part");

export function textOfMessage(message: Message | undefined): string {
  if (message === undefined) return "";
  if (!("parts" in message)) return message.text;
  return message.parts.map((part) => ("text" in part ? part.text : "")).join("\n");
}

export interface SummarizedChat {
  readonly session: ChatSession;
  /** The requests in their order; `summary` for those that ask for one. */
  readonly requests: (ChatRequest & { readonly asks: "summary" | "answer" })[];
}

/** `answer` and `summarize` throw where the gateway refuses. */
export function summarizedChat(
  script: {
    readonly answer: (request: ChatRequest, index: number) => readonly ChatEvent[];
    readonly summarize?: (
      request: ChatRequest,
      signal?: AbortSignal,
    ) => readonly ChatEvent[] | Promise<readonly ChatEvent[]>;
  },
  options: Partial<SessionOptions> = {},
  stored?: Chat,
): SummarizedChat {
  const requests: SummarizedChat["requests"] = [];
  const streamChat: Gateway["streamChat"] = async function* (request, signal) {
    const asks = isSummaryRequest(request) ? "summary" : "answer";
    requests.push({ ...request, asks });
    await Promise.resolve();
    if (asks === "answer") yield* script.answer(request, requests.filter((one) => one.asks === "answer").length);
    else yield* (await script.summarize?.(request, signal)) ?? countedAnswer("the summary", 300);
  };
  const session = new ChatSession(
    {
      ...plainSessionOptions,
      connections: connectTo(makeGateway({ streamChat })),
      clock: createMovedClock(),
      log: keptLog(),
      model: () => Promise.resolve(smallModel),
      ...options,
    },
    stored,
  );
  return { session, requests };
}

export const summaries = ({ chat }: Pick<ChatSession, "chat">): SummaryEntry[] =>
  chat.entries.filter((entry) => entry.type === "summary");
