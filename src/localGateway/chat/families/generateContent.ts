/** `POST /v1/models/{model}:generateContent` and `:streamGenerateContent`: the built-in model's answer in parts (service-spec 4.7). */
import * as z from "zod/mini";
import { definedFields } from "../../../base/definedFields";
import { type Exchange, readJson } from "../../http/exchange";
import { faultKinds } from "../../faults/faultTable";
import type { StreamEvent } from "../../faults/streamFault";
import type { Services } from "../../services";
import { type Encoder, gather, type Meter, type Piece, type SpokenCall } from "../encoder";
import { largestChatBody, reply } from "../reply";
import { Signatures } from "../signatures";
import { readGenerateRequest } from "./generateRequest";
import { signCall } from "./generateSignatures";

export function generateContent(exchange: Exchange, services: Services): Promise<void> {
  return answer(exchange, services, false);
}

/** `alt=sse`: events; without it one JSON array that grows. */
export function streamGenerateContent(exchange: Exchange, services: Services): Promise<void> {
  return answer(exchange, services, exchange.faults.take(faultKinds.httpJsonForStream) === undefined);
}

async function answer(exchange: Exchange, services: Services, stream: boolean): Promise<void> {
  const signatures = new Signatures(services.secrets.signatures);
  const model = exchange.params["model"] ?? "";
  const body = await readJson(exchange, largestChatBody);
  const request = readGenerateRequest(body, { model, stream, seed: services.seed, signatures });
  const { showThoughts } = request;
  await reply(exchange, services, request, {
    family: "generate-content",
    array: exchange.url.searchParams.get("alt") !== "sse",
    encoder: (meter) =>
      new GenerateEncoder({ responseId: exchange.requestId.slice(4), model, showThoughts, signatures, meter }),
  });
}

export interface GenerateHead {
  readonly responseId: string;
  readonly model: string;
  readonly showThoughts: boolean;
  readonly signatures: Signatures;
  readonly meter: Meter;
}

type WirePart = Readonly<Record<string, unknown>>;

export class GenerateEncoder implements Encoder {
  readonly #head: GenerateHead;
  /** Calls leave whole and together: how many there are decides on their ids. */
  #calls: readonly (SpokenCall & { readonly index: number; readonly whole: boolean })[] = [];
  #thoughts = "";

  constructor(head: GenerateHead) {
    this.#head = head;
  }

  begin(): readonly StreamEvent[] {
    return [];
  }

  encode(piece: Piece): readonly StreamEvent[] {
    switch (piece.type) {
      case "reasoning":
        this.#thoughts += piece.text;
        return this.#head.showThoughts ? [this.#chunk([{ text: piece.text, thought: true }])] : [];
      case "hidden-reasoning":
        this.#thoughts += piece.text;
        return [];
      case "text":
        return [this.#chunk([{ text: piece.text }])];
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

  whole(pieces: readonly Piece[]): unknown {
    const { reasoning, hidden, text, calls, finish } = gather(pieces);
    const signature = { thoughtSignature: this.#head.signatures.sign("thoughts", reasoning + hidden) };
    const isThought = reasoning + hidden !== "" && calls.length === 0;
    const parts = [
      ...(reasoning === "" || !this.#head.showThoughts ? [] : [{ text: reasoning, thought: true }]),
      ...(text === "" ? [] : [{ text, ...(isThought ? signature : {}) }]),
      ...this.#callParts(calls),
    ];
    return this.#body(parts, finish === "length" ? "MAX_TOKENS" : "STOP");
  }

  /** Candidates are without the thoughts. */
  usage(): unknown {
    const { prompt, output, reasoning } = this.#head.meter;
    return {
      promptTokenCount: prompt,
      candidatesTokenCount: output - reasoning,
      ...(reasoning === 0 ? {} : { thoughtsTokenCount: reasoning }),
      totalTokenCount: prompt + output,
      promptTokensDetails: [{ modality: "TEXT", tokenCount: prompt }],
    };
  }

  /** The proof of thinking comes last, on an empty text, when there is no call to carry it. */
  #lastPart(calls: readonly WirePart[]): WirePart {
    const signed = this.#thoughts !== "" && calls.length === 0;
    return {
      text: "",
      ...(signed ? { thoughtSignature: this.#head.signatures.sign("thoughts", this.#thoughts) } : {}),
    };
  }

  /** An id only where calls must be told apart; the first of them carries the signature. */
  #callParts(calls: readonly SpokenCall[]): readonly WirePart[] {
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

const object = z.record(z.string(), z.unknown());
