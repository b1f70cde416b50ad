/** The chat as it is shown and kept: entries in order, reduced from session events, by the same function in the host and in the panel. */
import { definedFields } from "../base/definedFields";
import type { ChatEvent, Family, Finish, Usage } from "./chat";
import type { ErrorDescription } from "./describeError";

export interface UserEntry {
  readonly type: "user";
  readonly id: string;
  readonly text: string;
  readonly at: number;
}

/** One answer of the model: one request. The tool calls in it carry their results; the next answer follows them. */
export interface AnswerEntry {
  readonly type: "answer";
  readonly id: string;
  readonly model: string;
  readonly family: Family;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly state: "streaming" | "complete" | "stopped" | "failed";
  readonly blocks: readonly Block[];
  readonly finish?: Finish;
  /** No sign of completion was seen: the answer may be cut. */
  readonly cut?: boolean;
  readonly usage?: Usage;
  readonly error?: ErrorDescription;
  /** The request was sent again before anything was produced: why, and after how many milliseconds. */
  readonly retries?: readonly AnswerRetry[];
}

export interface AnswerRetry {
  readonly reason: string;
  /** Left out when it was sent at once in another form. */
  readonly delayMs?: number;
}

export type Entry = UserEntry | AnswerEntry;

/** `block` is the event's number: a citation has that of the text that it is a source of, a signature that of what it signs. */
export type Block =
  | { readonly type: "text"; readonly block: number; readonly text: string; readonly refusal?: true }
  | { readonly type: "reasoning"; readonly block: number; readonly text: string }
  | ToolCallBlock
  | { readonly type: "citation"; readonly block: number; readonly url?: string; readonly title?: string }
  | { readonly type: "media"; readonly block: number; readonly mimeType: string; readonly data: string }
  | { readonly type: "opaque"; readonly block: number; readonly family: Family; readonly data: unknown };

export interface ToolCallBlock {
  readonly type: "tool-call";
  readonly block: number;
  readonly call: string;
  readonly wireId?: string;
  readonly name: string;
  /** The raw argument text so far. */
  readonly argumentText: string;
  readonly progress: ToolProgress;
}

export type ToolProgress =
  | { readonly state: "arriving" }
  /** Arguments that did not parse or were cut; never run. */
  | { readonly state: "invalid"; readonly reason: string }
  | { readonly state: "ready"; readonly input: Input }
  | { readonly state: "waiting"; readonly input: Input; readonly approval: Approval }
  | { readonly state: "running"; readonly input: Input; readonly title: string }
  | { readonly state: "done"; readonly input: Input; readonly title: string; readonly result: string }
  | { readonly state: "failed"; readonly input: Input; readonly title: string; readonly result: string }
  | { readonly state: "denied"; readonly input: Input; readonly title: string; readonly note?: string }
  | { readonly state: "stopped"; readonly input: Input; readonly title: string };

export type Input = Readonly<Record<string, unknown>>;

/** What a person is asked. Decided in the host: the panel only says which answer was clicked, for which `id`. */
export interface Approval {
  /** Used once. */
  readonly id: string;
  /** What would happen: *Edit src/app.ts: 3 lines changed*. */
  readonly title: string;
  /** Why it asks: *writes a file*. */
  readonly reason: string;
  readonly preview?: DiffPreview;
}

/** A change to one file, as unified-diff hunks without the file header. */
export interface DiffPreview {
  readonly path: string;
  readonly hunks: readonly DiffHunk[];
}

export interface DiffHunk {
  /** 1-based, of the first line shown. */
  readonly oldStart: number;
  readonly newStart: number;
  /** Each begins with a space, `+` or `-`. */
  readonly lines: readonly string[];
}

export interface Chat {
  readonly id: string;
  readonly entries: readonly Entry[];
  /** A turn is under way: from the prompt to the last answer, with the tools between. */
  readonly running: boolean;
}

export type SessionEvent =
  | { readonly type: "prompt-added"; readonly id: string; readonly text: string; readonly at: number }
  | { readonly type: "turn-started" }
  | {
      readonly type: "answer-started";
      readonly id: string;
      readonly model: string;
      readonly family: Family;
      readonly at: number;
    }
  | { readonly type: "answer-retry"; readonly id: string; readonly retry: AnswerRetry }
  | { readonly type: "answer-event"; readonly id: string; readonly event: ChatEvent }
  | {
      readonly type: "answer-ended";
      readonly id: string;
      readonly at: number;
      readonly state: "complete" | "stopped" | "failed";
      readonly error?: ErrorDescription;
    }
  | { readonly type: "tool-progress"; readonly id: string; readonly call: string; readonly progress: ToolProgress }
  | { readonly type: "turn-ended" };

export const emptyChat = (id: string): Chat => ({ id, entries: [], running: false });

export function reduceChat(chat: Chat, event: SessionEvent): Chat {
  switch (event.type) {
    case "prompt-added":
      return { ...chat, entries: [...chat.entries, { type: "user", id: event.id, text: event.text, at: event.at }] };
    case "turn-started":
      return { ...chat, running: true };
    case "turn-ended":
      return { ...chat, running: false };
    case "answer-started": {
      const { id, model, family, at } = event;
      const entry: AnswerEntry = { type: "answer", id, model, family, startedAt: at, state: "streaming", blocks: [] };
      return { ...chat, entries: [...chat.entries, entry] };
    }
    case "answer-retry":
      return withAnswer(chat, event.id, (answer) => ({ ...answer, retries: [...(answer.retries ?? []), event.retry] }));
    case "answer-event":
      return withAnswer(chat, event.id, (answer) => reduceAnswer(answer, event.event));
    case "answer-ended":
      return withAnswer(chat, event.id, (answer) => ({
        ...answer,
        state: event.state,
        endedAt: event.at,
        ...definedFields({ error: event.error }),
      }));
    case "tool-progress":
      return withAnswer(chat, event.id, (answer) =>
        withCall(answer, event.call, (block) => ({ ...block, progress: event.progress })),
      );
  }
}

/** Changes the newest answer of that id; the entries before it are the same objects as before. */
function withAnswer(chat: Chat, id: string, change: (answer: AnswerEntry) => AnswerEntry): Chat {
  const index = chat.entries.findLastIndex((entry) => entry.id === id);
  const entry = chat.entries[index];
  if (entry?.type !== "answer") return chat;
  return { ...chat, entries: chat.entries.with(index, change(entry)) };
}

function withCall(answer: AnswerEntry, call: string, change: (block: ToolCallBlock) => ToolCallBlock): AnswerEntry {
  const index = answer.blocks.findLastIndex((block) => block.type === "tool-call" && block.call === call);
  const block = answer.blocks[index];
  if (block?.type !== "tool-call") return answer;
  return { ...answer, blocks: answer.blocks.with(index, change(block)) };
}

function reduceAnswer(answer: AnswerEntry, event: ChatEvent): AnswerEntry {
  switch (event.type) {
    case "text-delta":
    case "reasoning-delta":
      return withDelta(answer, event);
    case "tool-call-start":
      return append(answer, {
        type: "tool-call",
        block: event.block,
        call: event.call,
        name: event.name,
        argumentText: "",
        progress: { state: "arriving" },
        ...definedFields({ wireId: event.wireId }),
      });
    case "tool-call-delta":
      return withCall(answer, event.call, (block) => ({ ...block, argumentText: block.argumentText + event.text }));
    case "tool-call-end":
      return withCall(answer, event.call, (block) => ({ ...block, progress: { state: "ready", input: event.input } }));
    case "tool-call-invalid":
      return withCall(answer, event.call, (block) => ({
        ...block,
        argumentText: event.text,
        progress: { state: "invalid", reason: event.reason },
      }));
    case "citation": {
      const { block, url, title } = event;
      return append(answer, {
        type: "citation",
        block,
        ...definedFields({ url, title }),
      });
    }
    case "media":
      return append(answer, { type: "media", block: event.block, mimeType: event.mimeType, data: event.data });
    case "opaque":
      return append(answer, { type: "opaque", block: event.block, family: event.family, data: event.data });
    case "usage": {
      const { type, ...usage } = event;
      return { ...answer, usage };
    }
    case "message-end":
      return { ...answer, finish: event.finish, cut: event.cut };
    // The session tells of a stream's error when the answer ends; a skipped piece goes to the log.
    case "message-start":
    case "malformed":
    case "stream-error":
      return answer;
  }
}

function withDelta(
  answer: AnswerEntry,
  event: Extract<ChatEvent, { type: "text-delta" | "reasoning-delta" }>,
): AnswerEntry {
  const type = event.type === "text-delta" ? "text" : "reasoning";
  // A citation may stand behind the text that goes on.
  const index = answer.blocks.findLastIndex((block) => block.type === type && block.block === event.block);
  const known = answer.blocks[index];
  if (known?.type === type) {
    return { ...answer, blocks: answer.blocks.with(index, { ...known, text: known.text + event.text }) };
  }
  if (event.type === "reasoning-delta")
    return append(answer, { type: "reasoning", block: event.block, text: event.text });
  const refusal = event.refusal === undefined ? {} : { refusal: event.refusal };
  return append(answer, { type: "text", block: event.block, text: event.text, ...refusal });
}

function append(answer: AnswerEntry, block: Block): AnswerEntry {
  return { ...answer, blocks: [...answer.blocks, block] };
}

/** The service stopped in the middle of its answer and goes on when it is asked with it. One family has no way to say so. */
export function isPaused({ family, state, finish, cut }: AnswerEntry): boolean {
  return family !== "chat-completions" && state === "complete" && finish === "pause" && cut !== true;
}

/** The calls of an answer, in order. */
export function toolCalls(answer: AnswerEntry): readonly ToolCallBlock[] {
  return answer.blocks.filter((block) => block.type === "tool-call");
}
