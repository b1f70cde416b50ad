/** `POST /v1/chat/completions`: encodes an answer as one object or as server-sent chunks. */
import { definedFields } from "../../../base/definedFields";
import { type RequestContext, readJson } from "../../http/requestContext";
import type { StreamEvent } from "../../http/requestFaults";
import type { ChatServices } from "../chatServices";
import {
  type AnswerEncoder,
  type AnswerFinish,
  joinParts,
  type TokenCounts,
  type AnswerPart,
  type WholeAnswer,
} from "../answerEncoder";
import { relayChat } from "../relay/relayChat";
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
    encoder: (meter) => new CompletionEncoder(head, { includeUsage: request.includeUsage, meter }),
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
  readonly #meter: TokenCounts;

  constructor(
    head: CompletionHead,
    { includeUsage, meter }: { readonly includeUsage: boolean; readonly meter: TokenCounts },
  ) {
    this.#head = head;
    this.#includeUsage = includeUsage;
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
        return [this.#chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] })];
      }
      case "arguments":
        return [this.#chunk({ tool_calls: [{ index: piece.index, function: { arguments: piece.text } }] })];
      case "finish":
        return [
          this.#chunk({}, finishReasons[piece.finish]),
          ...(this.#includeUsage ? [{ data: { ...this.#head, object, choices: [], usage: this.usage() } }] : []),
          { data: "[DONE]" },
        ];
      case "hidden-reasoning":
      case "call-end":
        return [];
    }
  }

  whole(pieces: readonly AnswerPart[]): unknown {
    const { reasoning, text, pictures, calls, finish } = joinParts(pieces);
    const message = {
      role: "assistant",
      content: text === "" && calls.length > 0 ? null : text,
      refusal: null,
      ...definedFields({
        reasoning_content: reasoning === "" ? undefined : reasoning,
        images: pictures.length === 0 ? undefined : pictures.map(wireImage),
        tool_calls: calls.length === 0 ? undefined : calls.map(wireCall),
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
    };
  }

  #chunk(delta: unknown, finish: string | null = null): StreamEvent {
    return { data: { ...this.#head, object, choices: [{ index: 0, delta, finish_reason: finish }] } };
  }
}

/** Not part of the API: the form in which gateways send pictures in answers. */
function wireImage({ mimeType, data }: WholeAnswer["pictures"][number]): unknown {
  return { type: "image_url", image_url: { url: `data:${mimeType};base64,${data}` } };
}

const object = "chat.completion.chunk";

function wireCall({
  id,
  name,
  arguments: text,
}: {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}): unknown {
  return { id, type: "function", function: { name, arguments: text } };
}
