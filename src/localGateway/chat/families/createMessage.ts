/** `POST /v1/messages`: encodes an answer as content blocks, streamed or in one object. */
import * as z from "zod/mini";
import { type RequestContext, readJson, sendJson } from "../../http/requestContext";
import type { StreamEvent } from "../../http/requestFaults";
import type { ChatServices } from "../chatServices";
import {
  type AnswerEncoder,
  type AnswerFinish,
  wholeAnswerOf,
  type StreamedTokens,
  type AnswerPart,
} from "../answerEncoder";
import { maxChatBodySize, answerChat } from "../answerChat";
import { AnswerSignatures } from "../answerSignatures";
import { TokenCounter } from "../streamAnswer";
import { readMessagesRequest, signThinking } from "./readMessagesRequest";

export async function createMessage(context: RequestContext, services: ChatServices): Promise<void> {
  const signatures = new AnswerSignatures(services.secrets.signatures);
  const request = readRequest(await readJson(context, maxChatBodySize), context, services, signatures);
  const id = `msg_${context.requestId.slice(4).replaceAll("-", "")}`;
  const { model, omitThinking } = request;
  await answerChat(context, services, request, {
    family: "messages",
    cached: () => services.prompts.use(request.prefixes),
    encoder: (meter) => new MessagesEncoder({ id, model, omitThinking, signatures, meter }),
  });
}

/** `POST /v1/messages/count_tokens`: responds with the same estimate as the usage of the answer. It costs nothing. */
export async function countMessageTokens(context: RequestContext, services: ChatServices): Promise<void> {
  const body = await readJson(context, maxChatBodySize);
  const signatures = new AnswerSignatures(services.secrets.signatures);
  // This request has no field for the limit of the answer, but the reader requires one.
  const limited = { ...fields.parse(body), max_tokens: Number.MAX_SAFE_INTEGER };
  const request = readRequest(limited, context, services, signatures);
  sendJson(context, 200, { input_tokens: new TokenCounter(request).prompt });
}

function readRequest(
  body: unknown,
  { request }: RequestContext,
  { seed }: ChatServices,
  signatures: AnswerSignatures,
): ReturnType<typeof readMessagesRequest> {
  const version = request.headers["anthropic-version"];
  const known = typeof version === "string" ? version : undefined;
  return readMessagesRequest(body, { seed, signatures, version: known });
}

/** A body that is no object becomes an empty one, which is refused for its missing fields. */
const fields = z.catch(z.record(z.string(), z.unknown()), {});

const stopReasons: Readonly<Record<AnswerFinish, string>> = {
  stop: "end_turn",
  "stop-sequence": "stop_sequence",
  "tool-calls": "tool_use",
  length: "max_tokens",
};

export interface MessagesHead {
  readonly id: string;
  readonly model: string;
  readonly omitThinking: boolean;
  readonly signatures: AnswerSignatures;
  readonly meter: StreamedTokens;
}

export class MessagesEncoder implements AnswerEncoder {
  readonly #head: MessagesHead;
  /** The number of started blocks; the last one is open while `#open` is set. */
  #blocks = 0;
  #open: "thinking" | "text" | "tool_use" | undefined;
  #thinking = "";

  constructor(head: MessagesHead) {
    this.#head = head;
  }

  begin(): readonly StreamEvent[] {
    const message = { ...this.#message([]), stop_reason: null, stop_sequence: null };
    return [event("message_start", { message }), event("ping", {})];
  }

  encode(piece: AnswerPart): readonly StreamEvent[] {
    switch (piece.type) {
      case "reasoning":
        return this.#think(piece.text);
      case "hidden-reasoning": {
        const data = this.#head.signatures.hide(piece.text);
        return [...this.#start({ type: "redacted_thinking", data }), ...this.#close()];
      }
      case "text":
        return [
          ...(this.#open === "text" ? [] : this.#start({ type: "text", text: "" })),
          this.#delta({ type: "text_delta", text: piece.text }),
        ];
      case "call":
        return [
          ...this.#start({ type: "tool_use", id: wireId(piece.id), name: piece.name, input: {} }),
          this.#delta({ type: "input_json_delta", partial_json: "" }),
        ];
      case "arguments":
        return [this.#delta({ type: "input_json_delta", partial_json: piece.text })];
      case "call-end":
        return this.#close();
      case "picture":
        return [];
      case "finish": {
        const delta = { stop_reason: stopReasons[piece.finish], stop_sequence: piece.stopSequence ?? null };
        return [...this.#close(), event("message_delta", { delta, usage: this.usage() }), event("message_stop", {})];
      }
    }
  }

  whole(pieces: readonly AnswerPart[]): unknown {
    const { reasoning, hidden, text, calls, finish, stopSequence } = wholeAnswerOf(pieces);
    const { signatures } = this.#head;
    const shown = this.#shown(reasoning);
    const content = [
      ...(hidden === "" ? [] : [{ type: "redacted_thinking", data: signatures.hide(hidden) }]),
      ...(reasoning === ""
        ? []
        : [{ type: "thinking", thinking: shown, signature: signThinking(signatures, reasoning, shown) }]),
      ...(text === "" ? [] : [{ type: "text", text }]),
      ...calls.map(({ id, name, arguments: json }) => {
        return { type: "tool_use", id: wireId(id), name, input: input.parse(JSON.parse(json)) };
      }),
    ];
    return { ...this.#message(content), stop_reason: stopReasons[finish], stop_sequence: stopSequence ?? null };
  }

  /** `input_tokens` excludes cached tokens. */
  usage(): unknown {
    const { prompt, cacheRead, cacheWrite, output, reasoning } = this.#head.meter;
    return {
      input_tokens: prompt - cacheRead - cacheWrite,
      cache_creation_input_tokens: cacheWrite,
      cache_read_input_tokens: cacheRead,
      output_tokens: output,
      output_tokens_details: { thinking_tokens: reasoning },
      ...this.#head.meter.stated?.(),
    };
  }

  #message(content: readonly unknown[]): Readonly<Record<string, unknown>> {
    const { id, model } = this.#head;
    return { id, type: "message", role: "assistant", model, content, usage: this.usage() };
  }

  #think(text: string): readonly StreamEvent[] {
    const begin = this.#open === "thinking" ? [] : this.#start({ type: "thinking", thinking: "", signature: "" });
    this.#thinking += text;
    const shown = this.#shown(text);
    return [...begin, ...(shown === "" ? [] : [this.#delta({ type: "thinking_delta", thinking: shown })])];
  }

  #shown(text: string): string {
    return this.#head.omitThinking ? "" : text;
  }

  #start(block: WireBlock): readonly StreamEvent[] {
    const closing = this.#close();
    const index = this.#blocks;
    this.#blocks += 1;
    this.#open = block.type === "thinking" || block.type === "text" ? block.type : "tool_use";
    return [...closing, event("content_block_start", { index, content_block: block })];
  }

  #close(): readonly StreamEvent[] {
    if (this.#open === undefined) return [];
    const signature =
      this.#open === "thinking"
        ? [signThinking(this.#head.signatures, this.#thinking, this.#shown(this.#thinking))]
        : [];
    const signed = signature.map((text) => this.#delta({ type: "signature_delta", signature: text }));
    this.#open = undefined;
    this.#thinking = "";
    return [...signed, event("content_block_stop", { index: this.#blocks - 1 })];
  }

  #delta(delta: WireBlock): StreamEvent {
    return event("content_block_delta", { index: this.#blocks - 1, delta });
  }
}

type WireBlock = Readonly<Record<string, unknown>> & { readonly type: string };

const input = z.record(z.string(), z.unknown());
const wireId = (id: string): string => id.replace(/^call_/, "toolu_");

function event(type: string, data: object): StreamEvent {
  return { name: type, data: { type, ...data } };
}
