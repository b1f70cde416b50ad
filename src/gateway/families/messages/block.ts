/** One content block of the messages family, from its start to its stop. */
import type { Answer } from "../shared/answer";
import { asArray, asRecord, asText, isRecord, type JsonRecord } from "../../http/jsonValue";
import type { CallList, OpenCall } from "../shared/callList";
import { tellSource } from "../shared/sources";

export interface MessageBlock {
  /** Gives the text in it, if it is no more than text or thinking that goes on. */
  push(delta: JsonRecord): string | undefined;
  /** Another delta that differs in its text only from the one before it. */
  goOn(text: string): void;
  /** Arguments that reached the block that hides this one: whether a call was still waiting for them (T2). */
  takeInput(text: string): boolean;
  /** Whether `start` only says again that this block has begun (llama.cpp said so with every token). */
  isRepeated(start: JsonRecord): boolean;
  /** The service closed it. */
  stop(): void;
  /** Nothing more of it will come: what has to be sent back is told, once. */
  settle(): void;
}

/**
 * The `data` of this family's opaque parts is the block as the service wants it back: thinking with its signature,
 * redacted thinking, blocks of tools that run at the service. `hidden` is the block that had the same index before.
 */
export function createMessageBlock(
  answer: Answer,
  calls: CallList,
  content: JsonRecord,
  hidden: MessageBlock | undefined,
): MessageBlock {
  const type = asText(content["type"]);
  /** Thinking is kept beside the deltas that are shown: it goes back byte by byte. */
  let thinking = "";
  let signature = asText(content["signature"]);
  let call: OpenCall | undefined;
  let settled = false;
  let stopped = false;
  /** The number of the thinking: its signature belongs to it. */
  let thinkingBlock: number | undefined;
  /** A block that only the service understands, and the text of its input. */
  const own: Record<string, unknown> | undefined =
    type === undefined || ["text", "thinking", "tool_use"].includes(type) ? undefined : { ...content };
  let ownInput = "";

  let isThinking = false;

  const toText = (text: unknown): string | undefined => {
    if (typeof text !== "string") return undefined;
    isThinking = false;
    answer.text(text);
    return text;
  };
  const toThinking = (text: unknown): string | undefined => {
    if (typeof text !== "string") return undefined;
    isThinking = true;
    thinking += text;
    answer.reasoning(text);
    if (text !== "") thinkingBlock ??= answer.lastBlock;
    return text;
  };
  const takeInput = (text: string): boolean => {
    if (call === undefined || stopped) return hidden?.takeInput(text) ?? false;
    call.append(text);
    return true;
  };
  const toInput = (value: unknown): void => {
    const text = typeof value === "string" ? value : isRecord(value) ? JSON.stringify(value) : "";
    if (text === "") return;
    if (own !== undefined) ownInput += text;
    else if (call !== undefined) call.append(text);
    else if (hidden?.takeInput(text) !== true) answer.malformed("Arguments came without a tool call.", text);
  };
  const toOwn = (delta: JsonRecord): void => {
    if (own === undefined) return;
    for (const [name, value] of Object.entries(delta)) {
      const before = own[name];
      if (name === "type" || value === null) continue;
      // Text grows; what is encrypted comes complete, as signatures do.
      const grows = typeof before === "string" && typeof value === "string" && !name.startsWith("encrypted_");
      own[name] = grows ? before + value : value;
    }
  };

  const tellCitation = (raw: unknown): void => {
    const citation = asRecord(raw);
    const url = asText(citation?.["url"]) ?? asText(citation?.["source"]);
    const title = asText(citation?.["title"]) ?? asText(citation?.["document_title"]);
    tellSource(answer, answer.textBlock(), { url, title, raw });
  };

  const tellOpaque = (data: unknown, block = answer.newBlock()): void =>
    answer.emit({ type: "opaque", block, family: "messages", data });

  const settle = (): void => {
    if (settled) return;
    if (own !== undefined) {
      settled = true;
      const input = ownInput === "" ? undefined : parseInput(ownInput);
      tellOpaque(input === undefined ? own : { ...own, input });
    } else if (signature !== undefined) {
      // Without a signature no service takes it back; an empty one with a signature is complete.
      settled = true;
      tellOpaque({ type: "thinking", thinking, signature }, thinkingBlock);
    }
  };

  toText(type === "text" || type === undefined ? content["text"] : undefined);
  toThinking(type === "thinking" ? content["thinking"] : undefined);
  if (type === "text") asArray(content["citations"]).forEach(tellCitation);
  if (type === "tool_use") {
    const name = asText(content["name"]);
    if (name === undefined) answer.malformed("A tool call has no name.", JSON.stringify(content));
    else {
      call = calls.open({ name, wireId: asText(content["id"]) });
      const input = content["input"];
      if (typeof input === "string") call.append(input);
      else if (isRecord(input) && Object.keys(input).length > 0) call.assume(input);
    }
  }

  return {
    push(delta) {
      const kind = delta["type"];
      if (kind === "text_delta") return toText(delta["text"]);
      if (kind === "thinking_delta") return toThinking(delta["thinking"]);
      if (kind === "input_json_delta") toInput(delta["partial_json"]);
      // One, and complete: the last one counts.
      else if (kind === "signature_delta") signature = asText(delta["signature"]) ?? signature;
      else if (kind === "citations_delta") tellCitation(delta["citation"]);
      else if (kind === undefined) {
        toText(delta["text"]);
        toThinking(delta["thinking"]);
        toInput(delta["partial_json"]);
        signature = asText(delta["signature"]) ?? signature;
      } else toOwn(delta);
      return undefined;
    },
    goOn(text) {
      if (isThinking) toThinking(text);
      else toText(text);
    },
    takeInput,
    isRepeated: (start) =>
      !stopped &&
      own === undefined &&
      signature === undefined &&
      asText(start["type"]) === type &&
      (type !== "tool_use" || (call !== undefined && asText(start["id"]) === asText(content["id"]))),
    stop() {
      if (stopped) hidden?.stop();
      stopped = true;
      call?.close();
      settle();
    },
    settle,
  };
}

function parseInput(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Half an input is none that can be sent back; the block says itself what it had before.
    return undefined;
  }
}
