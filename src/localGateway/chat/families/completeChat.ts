/** `POST /v1/chat/completions`: encodes an answer as one object or as server-sent chunks. */
import { definedFields } from "../../../base/definedFields";
import { type RequestContext, readJson } from "../../http/requestContext";
import type { StreamEvent } from "../../http/requestFaults";
import type { ChatServices } from "../chatServices";
import {
  type AnswerEncoder,
  type AnswerFinish,
  type EncodedCall,
  inputOf,
  wholeAnswerOf,
  type StreamedTokens,
  type AnswerPart,
  type WholeAnswer,
} from "../answerEncoder";
import { relayChat } from "../relayChat";
import { maxChatBodySize, answerChat } from "../answerChat";
import { readCompletionRequest } from "./completionBody";

export async function completeChat(context: RequestContext, services: ChatServices): Promise<void> {
  const body = await readJson(context, maxChatBodySize);
  if (await relayChat(context, services, body)) return;
  const request = readCompletionRequest(body, services.seed);
  const head = {
    id: `chatcmpl-${context.requestId.slice(4)}`,
    created: Math.floor(services.clock.now() / 1000),
    model: request.model,
  };
  await answerChat(context, services, request, {
    family: "chat-completions",
    encoder: (meter) => new CompletionEncoder(head, { ...request, meter }),
  });
}

export interface CompletionHead {
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly model: string;
}

const finishReasons: Readonly<Record<AnswerFinish, string>> = {
  stop: "stop",
  "stop-sequence": "stop",
  "tool-calls": "tool_calls",
  length: "length",
};

export class CompletionEncoder implements AnswerEncoder {
  readonly #head: CompletionHead;
  readonly #includeUsage: boolean;
  readonly #customTools: ReadonlySet<string>;
  readonly #meter: StreamedTokens;
  /** The indexes of calls of custom tools, whose input is sent whole. */
  readonly #custom = new Set<number>();

  constructor(
    head: CompletionHead,
    {
      includeUsage,
      customTools,
      meter,
    }: {
      readonly includeUsage: boolean;
      readonly customTools: ReadonlySet<string>;
      readonly meter: StreamedTokens;
    },
  ) {
    this.#head = head;
    this.#includeUsage = includeUsage;
    this.#customTools = customTools;
    this.#meter = meter;
  }

  begin(): readonly StreamEvent[] {
    return [this.#chunk({ role: "assistant", content: "" })];
  }

  encode(piece: AnswerPart): readonly StreamEvent[] {
    switch (piece.type) {
      case "reasoning":
        return [this.#chunk({ reasoning_content: piece.text })];
      case "text":
        return [this.#chunk({ content: piece.text })];
      case "picture":
        return [this.#chunk({ images: [wireImage(piece)] })];
      case "call": {
        const { index, id, name } = piece;
        if (this.#customTools.has(name)) {
          this.#custom.add(index);
          return [this.#chunk({ tool_calls: [{ index, id, type: "custom", custom: { name, input: "" } }] })];
        }
        return [this.#chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] })];
      }
      case "arguments":
        if (this.#custom.has(piece.index)) return [];
        return [this.#chunk({ tool_calls: [{ index: piece.index, function: { arguments: piece.text } }] })];
      case "finish":
        return [
          this.#chunk({}, finishReasons[piece.finish]),
          ...(this.#includeUsage ? [{ data: { ...this.#head, object, choices: [], usage: this.usage() } }] : []),
          { data: "[DONE]" },
        ];
      case "call-end": {
        const { index } = piece;
        if (!this.#custom.has(index)) return [];
        return [this.#chunk({ tool_calls: [{ index, custom: { input: inputOf(piece.arguments) } }] })];
      }
      case "hidden-reasoning":
        return [];
    }
  }

  whole(pieces: readonly AnswerPart[]): unknown {
    const { reasoning, text, pictures, calls, finish } = wholeAnswerOf(pieces);
    const message = {
      role: "assistant",
      content: text === "" && calls.length > 0 ? null : text,
      refusal: null,
      ...definedFields({
        reasoning_content: reasoning === "" ? undefined : reasoning,
        images: pictures.length === 0 ? undefined : pictures.map(wireImage),
        tool_calls: calls.length === 0 ? undefined : calls.map((call) => this.#wireCall(call)),
      }),
    };
    const choices = [{ index: 0, message, finish_reason: finishReasons[finish], logprobs: null }];
    return { ...this.#head, object: "chat.completion", choices, usage: this.usage() };
  }

  usage(): unknown {
    const { prompt, output, reasoning } = this.#meter;
    return {
      prompt_tokens: prompt,
      completion_tokens: output,
      total_tokens: prompt + output,
      completion_tokens_details: { reasoning_tokens: reasoning },
      ...this.#meter.stated?.(),
    };
  }

  #wireCall({ id, name, arguments: text }: EncodedCall): unknown {
    if (this.#customTools.has(name)) return { id, type: "custom", custom: { name, input: inputOf(text) } };
    return { id, type: "function", function: { name, arguments: text } };
  }

  #chunk(delta: unknown, finish: string | null = null): StreamEvent {
    return { data: { ...this.#head, object, choices: [{ index: 0, delta, finish_reason: finish }] } };
  }
}

/** A picture in the form that gateways use in answers, which is not part of the API. */
function wireImage({ mimeType, data }: WholeAnswer["pictures"][number]): unknown {
  return { type: "image_url", image_url: { url: `data:${mimeType};base64,${data}` } };
}

const object = "chat.completion.chunk";
