/** Forwards a chat request to another program on this machine: to Ollama by its own API, to the others unchanged, as is their response. */
import { type IncomingMessage, request as httpRequest } from "node:http";
import { once } from "node:events";
import { pipeline } from "node:stream/promises";
import * as z from "zod/mini";
import type { Clock } from "../../base/clock";
import { definedFields } from "../../base/definedFields";
import { HttpError } from "../http/httpError";
import type { RequestContext } from "../http/requestContext";
import { findModel } from "../demo/models";
import type { StreamEvent } from "../http/requestFaults";
import type { AnswerEncoder, StreamedTokens, AnswerPart } from "./answerEncoder";
import {
  type AnswerPiece,
  ChunkWriter,
  ollamaPieces,
  answerLimit,
  type CompletionBody,
  readCompletionBody,
  sizeOfPrompt,
  usualAnswer,
  writeOllamaRequest,
} from "./ollama";
import { asCount } from "../../base/jsonValue";
import type { Relay, RelayedModel } from "./relay";

/** Writes an answer from Ollama's own API with the encoder of a family. */
class PieceEncoder {
  readonly #meter = { prompt: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 };
  readonly #encoder: AnswerEncoder;
  #calls = 0;
  #isBegun = false;

  constructor(encoder: (meter: StreamedTokens) => AnswerEncoder) {
    this.#encoder = encoder(this.#meter);
  }

  write(piece: AnswerPiece): readonly StreamEvent[] {
    if (piece.error !== undefined) {
      return [{ name: "error", data: { type: "error", code: "server_error", message: piece.error, param: null } }];
    }
    const begun = this.#isBegun ? [] : this.#encoder.begin();
    this.#isBegun = true;
    return [...begun, ...this.#partsOf(piece).flatMap((part) => this.#encoder.encode(part))];
  }

  whole(piece: AnswerPiece): unknown {
    return this.#encoder.whole(this.#partsOf({ finish: "stop", ...piece }));
  }

  #partsOf({ reasoning, text, calls, finish, usage }: AnswerPiece): readonly AnswerPart[] {
    if (usage !== undefined) {
      this.#meter.prompt = asCount(usage["prompt_tokens"]) ?? 0;
      this.#meter.output = asCount(usage["completion_tokens"]) ?? 0;
    }
    return [
      ...(reasoning === "" ? [] : [{ type: "reasoning", text: reasoning } as const]),
      ...(text === "" ? [] : [{ type: "text", text } as const]),
      ...calls.flatMap((call) => this.#callParts(call)),
      ...(finish === undefined ? [] : [{ type: "finish", finish: this.#finishOf(finish) } as const]),
    ];
  }

  /** Makes the parts of a call with a generated id, because Ollama has none. Ids must differ from those of other answers in the chat. */
  #callParts({ name, arguments: json }: AnswerPiece["calls"][number]): readonly AnswerPart[] {
    const index = this.#calls;
    this.#calls += 1;
    const id = `call_${crypto.randomUUID().replaceAll("-", "")}`;
    return [
      { type: "call", index, id, name },
      { type: "arguments", index, text: json },
      { type: "call-end", index, arguments: json },
    ];
  }

  #finishOf(finish: "stop" | "length"): "stop" | "length" | "tool-calls" {
    return this.#calls > 0 && finish === "stop" ? "tool-calls" : finish;
  }
}

const named = z.looseObject({ model: z.string() });
/** Milliseconds. A program that has to load the model from disk sends nothing for minutes. */
const silentMs = 600_000;

/** False for a model that is not relayed. Relayed answers are not charged. */
export async function relayChat(
  context: RequestContext,
  { relay, clock }: { readonly relay?: Relay; readonly clock: Pick<Clock, "now"> },
  body: unknown,
): Promise<boolean> {
  const found = findRelayed(relay, body);
  if (found === undefined) return false;
  const { relayed } = found;
  context.response.socket?.setTimeout(silentMs);
  if (relayed.backend.name === "Ollama") {
    const request = readCompletionBody(body);
    const head = {
      id: `chatcmpl-${context.requestId.slice(4)}`,
      created: Math.floor(clock.now() / 1000),
      model: request.model,
    };
    const writer = new ChunkWriter(head, request.stream_options?.include_usage === true);
    await relayToOllama(context, found, request, {
      write: (piece) => writer.write(piece).map((data) => ({ data })),
      whole: (piece) => writer.whole(piece),
    });
  } else await passOn(context, relayed, await forward(context, relayed, "/v1/chat/completions", body));
  return true;
}

/** Like `relayChat`, for a body of the responses API, which LM Studio and llama.cpp have too. `translate` is called for Ollama only. */
export async function relayResponses(
  context: RequestContext,
  { relay }: { readonly relay?: Relay },
  body: unknown,
  translate: () => { readonly completion: unknown; readonly encoder: (meter: StreamedTokens) => AnswerEncoder },
): Promise<boolean> {
  const found = findRelayed(relay, body);
  if (found === undefined) return false;
  context.response.socket?.setTimeout(silentMs);
  if (found.relayed.backend.name === "Ollama") {
    const { completion, encoder } = translate();
    await relayToOllama(context, found, readCompletionBody(completion), new PieceEncoder(encoder));
  } else await passOn(context, found.relayed, await forward(context, found.relayed, "/v1/responses", body));
  return true;
}

function findRelayed(relay: Relay | undefined, body: unknown): FoundModel | undefined {
  const read = named.safeParse(body);
  if (!read.success || findModel(read.data.model) !== undefined) return undefined;
  const relayed = relay?.find(read.data.model);
  return relay === undefined || relayed === undefined ? undefined : { relay, relayed };
}

interface FoundModel {
  readonly relay: Relay;
  readonly relayed: RelayedModel;
}

/** Writes an answer of Ollama in the form that the client expects. */
interface PieceWriter {
  write(piece: AnswerPiece): readonly StreamEvent[];
  /** The body of a response that is not streamed. */
  whole(piece: AnswerPiece): unknown;
}

async function passOn(
  { response, signal }: RequestContext,
  relayed: RelayedModel,
  answer: IncomingMessage,
): Promise<void> {
  response.writeHead(answer.statusCode ?? 502, headersOf(relayed, answer.headers["content-type"]));
  response.flushHeaders();
  await pipeline(answer, response, { signal });
}

function headersOf({ backend }: RelayedModel, type: string | undefined): Readonly<Record<string, string>> {
  return {
    ...definedFields({ "content-type": type }),
    "cache-control": "no-store",
    "x-relayed-to": backend.name,
  };
}

/** Throws a 400 if the context is too small, because Ollama would silently leave out the beginning of the prompt. */
async function relayToOllama(
  context: RequestContext,
  { relay, relayed }: FoundModel,
  request: CompletionBody,
  writer: PieceWriter,
): Promise<void> {
  const { facts } = relayed;
  const prompt = sizeOfPrompt(request);
  if (prompt.least > (facts.contextSize ?? Infinity)) throw tooLong(relayed, prompt.least);
  const size = relay.sizeFor(relayed, prompt.most + Math.min(answerLimit(request) ?? usualAnswer, usualAnswer));
  const answer = await forward(context, relayed, "/api/chat", writeOllamaRequest(request, facts, size));
  // Ollama's errors have their text in the same field as those of chat completions, so they are passed on.
  if (answer.statusCode !== 200) return passOn(context, relayed, answer);
  const { response, signal } = context;
  if (request.stream !== true) {
    for await (const piece of ollamaPieces(answer)) {
      if (piece.error !== undefined) throw new HttpError(502, "upstream_error", piece.error);
      response.writeHead(200, headersOf(relayed, "application/json; charset=utf-8"));
      response.end(JSON.stringify(writer.whole(piece)));
      return;
    }
    throw new HttpError(502, "upstream_error", `${relayed.backend.name} gave no answer.`);
  }
  response.writeHead(200, headersOf(relayed, "text/event-stream; charset=utf-8"));
  response.flushHeaders();
  for await (const piece of ollamaPieces(answer)) {
    for (const { name, data } of writer.write(piece)) {
      const text = typeof data === "string" ? data : JSON.stringify(data);
      signal.throwIfAborted();
      const event = name === undefined ? "" : `event: ${name}\n`;
      if (!response.write(`${event}data: ${text}\n\n`)) await once(response, "drain", { signal });
    }
  }
  response.end();
}

function tooLong({ model, facts: { contextSize = 0 } }: RelayedModel, tokens: number): HttpError {
  const message = `This model's maximum context length is ${contextSize} tokens, and the prompt has at least ${tokens}. Please reduce the length of the messages. ('${model.id}' on this machine)`;
  return new HttpError(400, "context_length_exceeded", message);
}

/** Sends the request. If the program does not respond, the error is a 502 with its name; no other model replaces it. */
async function forward(
  { signal }: RequestContext,
  { model, backend }: RelayedModel,
  path: string,
  body: unknown,
): Promise<IncomingMessage> {
  const bytes = Buffer.from(JSON.stringify(body));
  const sent = httpRequest({
    host: "127.0.0.1",
    port: backend.port,
    path,
    method: "POST",
    headers: { "content-type": "application/json", "content-length": bytes.length },
    signal,
  });
  sent.end(bytes);
  try {
    return await new Promise((resolve, reject) => sent.once("response", resolve).once("error", reject));
  } catch (error) {
    if (signal.aborted) throw error;
  }
  const message = `${backend.name} on this machine does not answer any more; '${model.id}' is one of its models.`;
  throw new HttpError(502, "upstream_unreachable", message);
}
