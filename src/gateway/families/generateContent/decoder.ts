/** Chunks of the generate-content family to chat events. A complete response is one chunk. */
import { definedFields } from "../../../base/definedFields";
import type { Finish, Usage } from "../../../domain/chat/chatEvent";
import { asArray, asNumber, asRecord, asText, isRecord, type JsonRecord, asCount } from "../../../base/jsonValue";
import type { Answer } from "../shared/answer";
import { CallList } from "../shared/callList";
import { isErrorChunk, readErrorChunk } from "../shared/errorChunk";
import type { FamilyDecoder, StreamEnding } from "../shared/familyDecoder";
import { Sources } from "../shared/sources";
import { PartReader } from "./parts";

/** Finish reason, usage and sources of the generate-content family. */
const finishes: Readonly<Record<string, Finish>> = {
  STOP: "stop",
  MAX_TOKENS: "length",
  SAFETY: "content-filter",
  RECITATION: "content-filter",
  LANGUAGE: "content-filter",
  BLOCKLIST: "content-filter",
  PROHIBITED_CONTENT: "content-filter",
  SPII: "content-filter",
  MODEL_ARMOR: "content-filter",
  MALFORMED_FUNCTION_CALL: "error",
  UNEXPECTED_TOOL_CALL: "error",
  CONTINUATION: "pause",
};

/** An unlisted reason is `unknown`, and is shown raw. */
function readCandidateFinish(reason: string): Finish {
  const name = reason.toUpperCase();
  if (name.startsWith("IMAGE_")) return "content-filter";
  return Object.hasOwn(finishes, name) ? (finishes[name] ?? "unknown") : "unknown";
}

/** Tokens. This family counts thinking apart from the output, and the tools' part of the prompt apart from the prompt. */
function readUsage(raw: JsonRecord): Usage {
  const input = sum(asCount(raw["promptTokenCount"]), asCount(raw["toolUsePromptTokenCount"]));
  const reasoning = asCount(raw["thoughtsTokenCount"]);
  const output = sum(asCount(raw["candidatesTokenCount"]), reasoning);
  const cacheRead = asCount(raw["cachedContentTokenCount"]);
  return {
    ...definedFields({ input, output, reasoning, cacheRead }),
    raw,
  };
}

function sum(first: number | undefined, second: number | undefined): number | undefined {
  return first === undefined ? second : first + (second ?? 0);
}

/** The fields of a candidate that name what the model has read or repeats. */
const groundingFields = ["groundingMetadata", "citationMetadata", "urlContextMetadata"] as const;

function readGroundingSources(candidate: JsonRecord, sources: Sources): void {
  const chunks = asArray(asRecord(candidate["groundingMetadata"])?.["groundingChunks"]);
  const metadata = asRecord(candidate["citationMetadata"]);
  const citations = [...asArray(metadata?.["citations"]), ...asArray(metadata?.["citationSources"])];
  const pages = asArray(asRecord(candidate["urlContextMetadata"])?.["urlMetadata"]);
  for (const raw of [...chunks, ...citations, ...pages]) {
    if (!isRecord(raw) || Object.keys(raw).length === 0) continue;
    const source = asRecord(raw["web"]) ?? asRecord(raw["retrievedContext"]) ?? asRecord(raw["maps"]) ?? raw;
    const url = asText(source["uri"]) ?? asText(source["retrievedUrl"]);
    sources.add({ url, title: asText(source["title"]), raw });
  }
}

export class GenerateContentDecoder implements FamilyDecoder {
  /** This family has no event that ends a stream. */
  readonly done = false;
  readonly #answer: Answer;
  readonly #calls: CallList;
  readonly #parts: PartReader;
  readonly #sources: Sources;
  #candidateIndex: number | undefined;
  #finishReason: string | undefined;
  #finishMessage: string | undefined;
  #continuationToken: string | undefined;
  #blockReason: string | undefined;
  #usage: JsonRecord | undefined;

  constructor(answer: Answer) {
    this.#answer = answer;
    this.#calls = new CallList(answer);
    this.#parts = new PartReader(answer, this.#calls);
    this.#sources = new Sources(answer);
  }

  get hasReason(): boolean {
    return this.#finishReason !== undefined || this.#blockReason !== undefined;
  }

  chunk(value: unknown, event?: string): void {
    if (isRecord(value)) this.#readChunk(value["candidates"] === undefined ? unwrap(value) : value, event);
    else if (Array.isArray(value)) for (const item of value as unknown[]) this.chunk(item, event);
    else this.#answer.malformed("A chunk is not an object.", JSON.stringify(value));
  }

  end({ done, array }: StreamEnding): void {
    this.#answer.start();
    const wasOpen = this.#parts.end();
    const finish = this.#finishReason === undefined ? undefined : readCandidateFinish(this.#finishReason);
    const broken = finish === "error" ? "The service could not read the call." : undefined;
    // The bracket that closes an array is written by the server's framing, also after an incomplete answer.
    const isDone = done && !array && !this.#answer.failed && !wasOpen;
    const reason = this.#finishReason ?? this.#blockReason;
    const cut = reason === undefined && !isDone;
    if (broken !== undefined) this.#failCall();
    if (this.#continuationToken !== undefined && this.#finish() === "pause") {
      this.#parts.emitToken(this.#continuationToken);
    }
    this.#sources.end();
    // The end of an answer closes streamed arguments; a length limit or a filter does not.
    const isHalf = wasOpen && finish !== undefined && finish !== "stop";
    const stopped = cut || isHalf ? "The answer ended before the call was complete." : broken;
    this.#calls.end({ stopped, finished: true, limited: wasOpen && finish === "length" });
    if (this.#usage !== undefined) this.#answer.emit({ type: "usage", ...readUsage(this.#usage) });
    this.#answer.emit({ type: "message-end", finish: this.#finish(), ...definedFields({ raw: reason }), cut });
  }

  #readChunk(chunk: JsonRecord, event: string | undefined): void {
    const candidates = chunk["candidates"];
    if (event === "error" || (Array.isArray(candidates) ? isRecord(chunk["error"]) : isErrorChunk(chunk))) {
      this.#answer.fail(readErrorChunk(chunk));
      return;
    }
    if (!this.#answer.started) {
      this.#answer.startOnceNamed(asText(chunk["responseId"]), asText(chunk["modelVersion"]));
    }
    const usage = asRecord(chunk["usageMetadata"]);
    // A row of zeros is a placeholder and replaces no earlier usage.
    if (usage !== undefined && (this.#usage === undefined || hasCount(usage))) this.#usage = usage;
    const feedback = asRecord(chunk["promptFeedback"]);
    if (feedback !== undefined) this.#blockReason = asText(feedback["blockReason"]) ?? this.#blockReason;
    const candidate = this.#findCandidate(asArray(candidates));
    if (candidate !== undefined) this.#readCandidate(candidate);
  }

  /** One candidate was requested. It has index 0 or none; for a server that counts otherwise, the index of its first chunk. */
  #findCandidate(candidates: readonly unknown[]): JsonRecord | undefined {
    for (const candidate of candidates) {
      if (!isRecord(candidate)) continue;
      const index = asNumber(candidate["index"]) ?? 0;
      this.#candidateIndex ??= candidates.length === 1 ? index : 0;
      if (index === this.#candidateIndex) return candidate;
    }
    return undefined;
  }

  #readCandidate(candidate: JsonRecord): void {
    for (const part of asArray(asRecord(candidate["content"])?.["parts"])) if (isRecord(part)) this.#parts.push(part);
    if (groundingFields.some((name) => candidate[name] !== undefined)) readGroundingSources(candidate, this.#sources);
    // Older servers send STOP in every chunk: reading goes on after it.
    const reason = asText(candidate["finishReason"]);
    if (reason !== undefined) {
      this.#finishReason = reason;
      this.#continuationToken = asText(candidate["continuationToken"]);
    }
    this.#finishMessage = asText(candidate["finishMessage"]) ?? this.#finishMessage;
  }

  /** The model's own mistake, and its answer is paid: where it holds nothing else, the request is sent once more. */
  #failCall(): void {
    const message = this.#finishMessage ?? "The model called a function in a way that can't be read.";
    this.#answer.fail({ kind: "malformed", message, code: this.#finishReason ?? "" });
  }

  #finish(): Finish {
    if (this.#calls.any) return "tool-calls";
    if (this.#finishReason !== undefined) return readCandidateFinish(this.#finishReason);
    if (this.#blockReason !== undefined) return "content-filter";
    return this.#answer.failed ? "error" : "unknown";
  }
}

/** Some gateways wrap the chunk: `{"response": {…}, "traceId": …}`. */
function unwrap(value: JsonRecord): JsonRecord {
  const inner = value["response"];
  return isRecord(inner) && !isErrorChunk(value) ? inner : value;
}

function hasCount(usage: JsonRecord): boolean {
  for (const name in usage) {
    const number = asNumber(usage[name]);
    if (number !== undefined && number > 0) return true;
  }
  return false;
}
