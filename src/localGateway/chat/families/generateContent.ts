/** `POST /v1/models/{model}:generateContent` and `:streamGenerateContent`: encodes an answer as parts. */
import * as z from "zod/mini";
import { definedFields } from "../../../base/definedFields";
import { type RequestContext, readJson, sendJson } from "../../http/requestContext";
import type { StreamEvent } from "../../http/requestFaults";
import type { ChatServices } from "../chatServices";
import {
  type AnswerEncoder,
  wholeAnswerOf,
  type StreamedTokens,
  type AnswerPart,
  type EncodedCall,
  type WholeAnswer,
} from "../answerEncoder";
import { maxChatBodySize, answerChat } from "../answerChat";
import { AnswerSignatures } from "../answerSignatures";
import { TokenCounter } from "../streamAnswer";
import { readGenerateRequest, signCall } from "./generateBody";

export function generateContent(context: RequestContext, services: ChatServices): Promise<void> {
  return answerGenerate(context, services, false);
}

/** Streams server-sent events with `alt=sse`, else one JSON array. */
export function streamGenerateContent(context: RequestContext, services: ChatServices): Promise<void> {
  return answerGenerate(context, services, !context.faults.isStreamRefused());
}

/** `POST /v1/models/{model}:countTokens`: responds with the same estimate as the usage of the answer. It costs nothing. */
export async function countContentTokens(context: RequestContext, services: ChatServices): Promise<void> {
  const signatures = new AnswerSignatures(services.secrets.signatures);
  const model = context.params["model"] ?? "";
  const body = fields.parse(await readJson(context, maxChatBodySize));
  const asked = body["generateContentRequest"] ?? body;
  const request = readGenerateRequest(asked, { model, stream: false, seed: services.seed, signatures });
  const { prompt: totalTokens } = new TokenCounter(request);
  const promptTokensDetails = [{ modality: "TEXT", tokenCount: totalTokens }];
  sendJson(context, 200, { totalTokens, promptTokensDetails });
}

async function answerGenerate(context: RequestContext, services: ChatServices, stream: boolean): Promise<void> {
  const signatures = new AnswerSignatures(services.secrets.signatures);
  const model = context.params["model"] ?? "";
  const body = await readJson(context, maxChatBodySize);
  const request = readGenerateRequest(body, { model, stream, seed: services.seed, signatures });
  const { showThoughts } = request;
  await answerChat(context, services, request, {
    family: "generate-content",
    array: context.url.searchParams.get("alt") !== "sse",
    encoder: (meter) =>
      new GenerateEncoder({ responseId: context.requestId.slice(4), model, showThoughts, signatures, meter }),
  });
}

export interface GenerateHead {
  readonly responseId: string;
  readonly model: string;
  readonly showThoughts: boolean;
  readonly signatures: AnswerSignatures;
  readonly meter: StreamedTokens;
}

type WirePart = Readonly<Record<string, unknown>>;

export class GenerateEncoder implements AnswerEncoder {
  readonly #head: GenerateHead;
  /** Tool calls are sent whole and together, because only parallel calls get ids. */
  #calls: readonly (EncodedCall & { readonly index: number; readonly whole: boolean })[] = [];
  #thoughts = "";

  constructor(head: GenerateHead) {
    this.#head = head;
  }

  begin(): readonly StreamEvent[] {
    return [];
  }

  encode(piece: AnswerPart): readonly StreamEvent[] {
    switch (piece.type) {
      case "reasoning":
        this.#thoughts += piece.text;
        return this.#head.showThoughts ? [this.#chunk([{ text: piece.text, thought: true }])] : [];
      case "hidden-reasoning":
        this.#thoughts += piece.text;
        return [];
      case "text":
        return [this.#chunk([{ text: piece.text }])];
      case "picture":
        return [this.#chunk([picturePart(piece)])];
      case "call":
        this.#calls = [...this.#calls, { ...piece, arguments: "", whole: false }];
        return [];
      case "arguments":
        return [];
      case "call-end":
        this.#calls = this.#calls.map((call) =>
          call.index === piece.index ? { ...call, arguments: piece.arguments, whole: true } : call,
        );
        return [];
      case "finish": {
        const calls = this.#callParts(this.#calls.filter(({ whole }) => whole));
        const finishReason = piece.finish === "length" ? "MAX_TOKENS" : "STOP";
        return [
          ...(calls.length === 0 ? [] : [this.#chunk(calls)]),
          this.#chunk([this.#lastPart(calls)], finishReason),
        ];
      }
    }
  }

  whole(pieces: readonly AnswerPart[]): unknown {
    const { reasoning, hidden, text, pictures, calls, finish } = wholeAnswerOf(pieces);
    const signature = { thoughtSignature: this.#head.signatures.sign("thoughts", reasoning + hidden) };
    const isThought = reasoning + hidden !== "" && calls.length === 0;
    const parts = [
      ...(reasoning === "" || !this.#head.showThoughts ? [] : [{ text: reasoning, thought: true }]),
      ...(text === "" ? [] : [{ text, ...(isThought ? signature : {}) }]),
      ...pictures.map(picturePart),
      ...this.#callParts(calls),
    ];
    return this.#body(parts, finish === "length" ? "MAX_TOKENS" : "STOP");
  }

  /** `candidatesTokenCount` excludes thoughts. */
  usage(): unknown {
    const { prompt, output, reasoning } = this.#head.meter;
    return {
      promptTokenCount: prompt,
      candidatesTokenCount: output - reasoning,
      ...definedFields({ thoughtsTokenCount: reasoning === 0 ? undefined : reasoning }),
      totalTokenCount: prompt + output,
      promptTokensDetails: [{ modality: "TEXT", tokenCount: prompt }],
      ...this.#head.meter.stated?.(),
    };
  }

  /** The thought signature is on the last, empty text part when there is no tool call. */
  #lastPart(calls: readonly WirePart[]): WirePart {
    const signed = this.#thoughts !== "" && calls.length === 0;
    return {
      text: "",
      ...(signed ? { thoughtSignature: this.#head.signatures.sign("thoughts", this.#thoughts) } : {}),
    };
  }

  /** Only parallel calls have ids; the first one has the signature. */
  #callParts(calls: readonly EncodedCall[]): readonly WirePart[] {
    return calls.map(({ id, name, arguments: json }, index) => {
      const args = object.parse(JSON.parse(json));
      return {
        functionCall: { ...(calls.length > 1 ? { id: id.replace(/^call_/, "") } : {}), name, args },
        ...(index > 0 ? {} : { thoughtSignature: signCall(this.#head.signatures, name, JSON.stringify(args)) }),
      };
    });
  }

  #chunk(parts: readonly WirePart[], finishReason?: string): StreamEvent {
    return { data: this.#body(parts, finishReason) };
  }

  #body(parts: readonly WirePart[], finishReason?: string): unknown {
    const { model, responseId } = this.#head;
    const content = { parts, role: "model" };
    const candidate = { content, ...definedFields({ finishReason }), index: 0 };
    return { candidates: [candidate], usageMetadata: this.usage(), modelVersion: model, responseId };
  }
}

function picturePart({ mimeType, data }: WholeAnswer["pictures"][number]): WirePart {
  return { inlineData: { mimeType, data } };
}

const object = z.record(z.string(), z.unknown());
/** A body that is no object becomes an empty one, which is refused for its missing fields. */
const fields = z.catch(object, {});
