/**
 * Decodes chunks of the generate-content family, with their parts and the streamed arguments of calls, to chat events. A complete response is one
 * chunk.
 */
import { definedFields } from "../../base/definedFields";
import type { Finish, Usage } from "../../domain/chat/chatEvent";
import { asArray, asNumber, asRecord, asText, isRecord, type JsonRecord, asCount } from "../../base/jsonValue";
import { type Answer, Sources } from "./answer";
import { CallList, type ListedCall } from "./callList";
import { isErrorChunk, readErrorChunk } from "../http/serviceError";
import type { FamilyDecoder, StreamEnding } from "./familyDefinition";
import { addMedia, findMedia } from "./answerMedia";

/** The finish reasons of the generate-content family. */
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

/** Tokens. This family counts thinking separately from the output, and the tools' part of the prompt separately from the prompt. */
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

/** The fields of a candidate that name the sources that the model has read or quotes. */
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

  /** After a length limit or a filter an open call is refused at the end, with the reason. */
  get hasOpenCall(): boolean {
    const finish = this.#finishReason === undefined ? undefined : readCandidateFinish(this.#finishReason);
    return this.#parts.isOpen && (finish === undefined || finish === "stop");
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
    // The server's framing writes the closing bracket of an array even after an incomplete answer.
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
    // Usage with only zeros is a placeholder and does not replace an earlier one.
    if (usage !== undefined && (this.#usage === undefined || hasCount(usage))) this.#usage = usage;
    const feedback = asRecord(chunk["promptFeedback"]);
    if (feedback !== undefined) this.#blockReason = asText(feedback["blockReason"]) ?? this.#blockReason;
    const candidate = this.#findCandidate(asArray(candidates));
    if (candidate !== undefined) this.#readCandidate(candidate);
  }

  /** Finds the one requested candidate. It has index 0 or none; for a server that counts otherwise, the index in its first chunk. */
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
    // Older servers send STOP in every chunk, so later chunks are still read.
    const reason = asText(candidate["finishReason"]);
    if (reason !== undefined) {
      this.#finishReason = reason;
      this.#continuationToken = asText(candidate["continuationToken"]);
    }
    this.#finishMessage = asText(candidate["finishMessage"]) ?? this.#finishMessage;
  }

  /** Reports a call that the model wrote wrongly. The answer is paid; if it holds nothing else, the request is sent once more. */
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

// Reads the parts of a generate-content answer. Each is complete, except calls whose arguments are streamed.

/**
 * The `data` of this family's opaque parts. A signature belongs to the part before it: to the last `length` characters of that text or
 * thinking (0: a separate empty part), or to the call with that name. A `part` is sent back unchanged, a picture in place of the one that
 * was shown. A token is sent with the request that continues a paused answer.
 */
type GenerateContentOpaque =
  | { readonly of: "text" | "thought"; readonly length: number; readonly thoughtSignature: string }
  | { readonly of: "call"; readonly call: string; readonly thoughtSignature: string }
  | { readonly continuationToken: string }
  | { readonly part: JsonRecord };

/** The fields of a part other than its content. */
const plainFields = new Set(["text", "thought", "thoughtSignature"]);

interface StreamedCall {
  readonly call: ListedCall;
  readonly id: string | undefined;
  readonly args: PartialArguments;
}

class PartReader {
  readonly #answer: Answer;
  readonly #calls: CallList;
  #streamed: StreamedCall | undefined;

  constructor(answer: Answer, calls: CallList) {
    this.#answer = answer;
    this.#calls = calls;
  }

  push(part: JsonRecord): void {
    const { text } = part;
    // Relays write an empty text next to the real content of a part.
    if (typeof text === "string" && text !== "") {
      this.#readText(part, text);
      return;
    }
    const called = asRecord(part["functionCall"]) ?? asRecord(part["function_call"]);
    if (called === undefined) this.#readOther(part);
    else this.#readCall(part, called);
  }

  /** Emits the token that continues a paused answer. */
  emitToken(continuationToken: string): void {
    this.#emitOpaque({ continuationToken });
  }

  /** Whether the arguments of a call are still being streamed. */
  get isOpen(): boolean {
    return this.#streamed !== undefined;
  }

  /** Returns whether the arguments of a call were still being streamed. */
  end(): boolean {
    const wasOpen = this.isOpen;
    this.#closeStreamed();
    return wasOpen;
  }

  #readText(part: JsonRecord, text: string): void {
    const isThought = part["thought"] === true;
    if (isThought) this.#answer.reasoning(text);
    else this.#answer.text(text);
    const thoughtSignature = asText(part["thoughtSignature"]);
    if (thoughtSignature === undefined) return;
    const of = isThought ? "thought" : "text";
    this.#emitOpaque({ of, length: text.length, thoughtSignature }, this.#answer.lastBlock);
    // The signature does not cover text that follows.
    this.#answer.endBlock();
  }

  #readCall(part: JsonRecord, called: JsonRecord): void {
    const name = asText(called["name"]);
    const id = asText(called["id"]);
    // Translators repeat name and id with each piece of the arguments; a name alone begins another call.
    const open = name === undefined || (id !== undefined && id === this.#streamed?.id) ? this.#streamed : undefined;
    if (open === undefined) this.#closeStreamed();
    const call = open?.call ?? (name === undefined ? undefined : this.#calls.open({ name, wireId: id }));
    if (call === undefined) {
      if (Object.keys(called).length > 0) this.#answer.malformed("A tool call has no name.", JSON.stringify(called));
      return;
    }
    const thoughtSignature = asText(part["thoughtSignature"]);
    if (thoughtSignature !== undefined) {
      this.#emitOpaque({ of: "call", call: call.call, thoughtSignature }, call.block);
    }
    this.#readArguments(call, id, called);
  }

  #readArguments(call: ListedCall, id: string | undefined, called: JsonRecord): void {
    const args = called["args"];
    this.#answer.countPiece();
    if (called["willContinue"] === true || called["partialArgs"] !== undefined) {
      this.#streamed ??= { call, id, args: new PartialArguments() };
    } else if (this.#streamed === undefined) {
      call.append(typeof args === "string" ? args : JSON.stringify(args ?? {}));
      return;
    }
    this.#streamed.args.push(asArray(called["partialArgs"]));
    this.#streamed.args.add(asRecord(args) ?? {});
    if (called["willContinue"] !== true) this.#closeStreamed();
  }

  #closeStreamed(): void {
    if (this.#streamed === undefined) return;
    const { call, args } = this.#streamed;
    this.#streamed = undefined;
    call.append(args.text());
  }

  #readOther(part: JsonRecord): void {
    const media = asRecord(part["inlineData"]) ?? asRecord(part["inline_data"]);
    const thoughtSignature = asText(part["thoughtSignature"]);
    // A signed picture is shown, and also sent back with its signature.
    const isShown = media === undefined ? this.#readFile(part) : this.#readMedia(part, media);
    if (isShown && thoughtSignature === undefined) return;
    if (Object.keys(part).some((name) => !plainFields.has(name) && part[name] !== null)) {
      const read = Object.keys(part).find((name) => /(?:Result|Response|_result|_response)$/.test(name));
      this.#emitOpaque({ part }, isShown && media !== undefined ? this.#answer.lastBlock : undefined, read);
    } else if (thoughtSignature !== undefined) {
      this.#emitOpaque({ of: part["thought"] === true ? "thought" : "text", length: 0, thoughtSignature });
    }
  }

  /** Returns whether the picture is part of the answer. */
  #readMedia(part: JsonRecord, media: JsonRecord): boolean {
    const mimeType = asText(media["mimeType"]) ?? asText(media["mime_type"]);
    const data = asText(media["data"]);
    // Pictures of the thinking are not shown.
    if (mimeType === undefined || data === undefined || part["thought"] === true) return false;
    this.#answer.emit({ type: "media", block: this.#answer.newBlock(), mimeType, data });
    return true;
  }

  /** Reads a file that is given by its address. Returns whether there is one. */
  #readFile(part: JsonRecord): boolean {
    const found = part["thought"] === true ? undefined : findMedia(part["fileData"] ?? part["file_data"]);
    if (found !== undefined) addMedia(this.#answer, found);
    return found !== undefined;
  }

  /** A signature has the block number of the part that it signs. */
  #emitOpaque(data: GenerateContentOpaque, block = this.#answer.newBlock(), read?: string): void {
    this.#answer.emit({ type: "opaque", block, family: "generate-content", data, ...definedFields({ read }) });
  }
}

// Reads arguments of a call that are streamed as values with JSON paths (`partialArgs`).

/** A list, or an object without a prototype, because the service chooses its names. */
type Place = object;

/** A path such as `$.list[99999999]` must not make a list of that length. */
const maxListLength = 10_000;

class PartialArguments {
  readonly #root = createPlace("");

  push(pieces: readonly unknown[]): void {
    for (const piece of pieces) {
      const record = asRecord(piece);
      const path = asText(record?.["jsonPath"]);
      if (record !== undefined && path !== undefined) this.#put(path, readValue(record));
    }
  }

  /** Adds arguments that were sent whole. */
  add(args: JsonRecord): void {
    Object.assign(this.#root, args);
  }

  /** The arguments so far as JSON. */
  text(): string {
    return JSON.stringify(this.#root);
  }

  #put(path: string, value: unknown): void {
    const names = readPath(path);
    const last = names.pop();
    if (last === undefined) return;
    let place: Place = this.#root;
    names.forEach((name, at) => {
      const next = at + 1 < names.length ? names[at + 1] : last;
      const known: unknown = Reflect.get(place, name);
      const inner = isPlace(known) ? known : createPlace(next);
      Reflect.set(place, name, inner);
      place = inner;
    });
    const before: unknown = Reflect.get(place, last);
    // A text in several pieces is joined even if `willContinue` is missing.
    const joins = typeof before === "string" && typeof value === "string";
    Reflect.set(place, last, joins ? before + value : value);
  }
}

function readValue(piece: JsonRecord): unknown {
  if ("stringValue" in piece) return piece["stringValue"];
  if ("numberValue" in piece) return piece["numberValue"];
  if ("boolValue" in piece) return piece["boolValue"];
  return null;
}

/** Reads the names and indices of a path such as `$.a.b[0]['c d']`. */
function readPath(path: string): (string | number)[] {
  const names: (string | number)[] = [];
  for (const match of path.matchAll(/\.([^.[\]]+)|\[(\d+)\]|\[(?:'([^']*)'|"([^"]*)")\]/g)) {
    const [, name, index, single, double] = match;
    if (index !== undefined) names.push(Math.min(Number(index), maxListLength));
    else names.push(name ?? single ?? double ?? "");
  }
  return names;
}

function isPlace(value: unknown): value is Place {
  return typeof value === "object" && value !== null;
}

/** Creates the container for an index or a name. */
function createPlace(name: string | number | undefined): Place {
  return typeof name === "number" ? [] : (Object.create(null) as Place);
}
