/**
 * Decodes events of the messages family, and the content blocks that they open, to chat events. A complete response is read block by block in the
 * same way.
 */
import { definedFields } from "../../base/definedFields";
import type { Finish } from "../../domain/chat/chatEvent";
import {
  asArray,
  asNumber,
  asRecord,
  asText,
  isRecord,
  type JsonRecord,
  asCount,
  parseJson,
} from "../../base/jsonValue";
import { readFinish, readFinishWithoutCalls, type Answer, emitCitation } from "./answer";
import { CallList, type ListedCall } from "./callList";
import { isErrorChunk, readErrorChunk } from "../http/serviceError";
import type { FamilyDecoder, StreamEnding } from "./familyDefinition";
import { addMedia, findMedia } from "./answerMedia";

export class MessagesDecoder implements FamilyDecoder {
  readonly #answer: Answer;
  readonly #calls: CallList;
  readonly #usage = new MessagesUsage();
  readonly #blocks = new Map<number, MessageBlock>();
  #current: MessageBlock | undefined;
  #currentIndex = -1;
  #messageId: string | undefined;
  #stopReason: string | undefined;
  #stopped = false;
  /** Whether a proxy mixed another answer into this one: no part of it then counts as complete. */
  #isMixed = false;

  constructor(answer: Answer) {
    this.#answer = answer;
    this.#calls = new CallList(answer);
  }

  get done(): boolean {
    return this.#stopped;
  }

  get hasReason(): boolean {
    return this.#stopReason !== undefined;
  }

  get hasOpenCall(): boolean {
    return this.#calls.isOpen();
  }

  chunk(value: unknown, event?: string): void {
    if (isRecord(value)) this.#readEvent(value, event);
    else if (Array.isArray(value)) for (const item of value as unknown[]) this.chunk(item, event);
    else this.#answer.malformed("An event is not an object.", JSON.stringify(value));
  }

  end({ done }: StreamEnding): void {
    this.#answer.start();
    const finish = this.#stopReason === undefined ? undefined : readFinish(this.#stopReason);
    const isDone = this.#stopped || (done && !this.#answer.failed && !this.#calls.isOpen());
    const cut = this.#isMixed || (finish === undefined && !isDone);
    // A block that was cut can't be sent back.
    if (!cut) for (const block of this.#blocks.values()) block.emitSentBack();
    const broken = finish === "error" ? "The service broke off the answer." : undefined;
    if (broken !== undefined) {
      this.#answer.fail({ kind: "unavailable", message: broken, code: this.#stopReason ?? "" });
    }
    this.#calls.end({
      stopped: cut ? "The answer ended before the call was complete." : broken,
      finished: finish === undefined || finish === "stop" || finish === "tool-calls" || finish === "unknown",
      limited: finish === "length",
    });
    this.#usage.emit(this.#answer);
    const raw = definedFields({ raw: this.#stopReason });
    this.#answer.emit({ type: "message-end", finish: this.#finish(), ...raw, cut });
  }

  #readEvent(record: JsonRecord, event: string | undefined): void {
    const type = asText(record["type"]) ?? event ?? "";
    if (type === "error" || (record["error"] !== undefined && isErrorChunk(record))) {
      this.#answer.fail(readErrorChunk(record));
      return;
    }
    switch (type) {
      case "content_block_delta":
        this.#readDelta(this.#indexOf(record), asRecord(record["delta"]) ?? {});
        break;
      case "content_block_start":
        this.#startBlock(asNumber(record["index"]) ?? this.#blocks.size, asRecord(record["content_block"]) ?? {});
        break;
      case "content_block_stop":
        this.#blocks.get(this.#indexOf(record))?.stop();
        break;
      case "message_start":
        this.#startMessage(asRecord(record["message"]) ?? {});
        break;
      case "message_delta":
        this.#readMessageDelta(record);
        break;
      case "message_stop":
        this.#stopped = true;
        break;
      case "message":
        this.#startMessage(record);
        this.#stopped = !this.#isMixed;
        break;
      default:
        this.#readOther(record);
    }
  }

  #readMessageDelta(record: JsonRecord): void {
    const delta = asRecord(record["delta"]);
    this.#stopReason = asText(delta?.["stop_reason"]) ?? this.#stopReason;
    this.#usage.push(delta?.["usage"]);
    this.#usage.push(record["usage"]);
  }

  /** Events of later versions of the interface are ignored. */
  #readOther(record: JsonRecord): void {
    if (isErrorChunk(record)) this.#answer.fail(readErrorChunk(record));
    else if (Array.isArray(record["content"]) && record["role"] === "assistant") this.#readEvent(record, "message");
    else if (Array.isArray(record["choices"])) {
      this.#answer.malformed("A chunk is of another family.", JSON.stringify(record));
    }
  }

  #startMessage(message: JsonRecord): void {
    const id = asText(message["id"]);
    if (this.#messageId !== undefined && id !== undefined) {
      // Some servers send the same start twice.
      if (this.#messageId === id) return;
      this.#isMixed = true;
      this.#answer.fail({ kind: "malformed", message: "Another answer began in the middle of this one." });
      return;
    }
    this.#messageId ??= id;
    this.#answer.start(id, asText(message["model"]));
    this.#usage.push(message["usage"]);
    // The start holds complete blocks: all of them in a response that is no stream, calls by a program in a stream.
    for (const block of asArray(message["content"])) {
      this.#startBlock(this.#blocks.size, asRecord(block) ?? { type: "text", text: asText(block) });
      this.#current?.stop();
    }
    // The content may be plain text in a response that is no stream.
    const text = asText(message["content"]);
    if (text !== undefined) this.#answer.text(text);
    this.#stopReason = asText(message["stop_reason"]) ?? this.#stopReason;
  }

  #startBlock(index: number, content: JsonRecord): void {
    const previous = this.#blocks.get(index);
    if (index === this.#currentIndex && previous?.isRepeated(content) === true) {
      previous.push({ ...content, type: undefined });
      return;
    }
    // Blocks do not overlap, so a block that was not closed is complete now.
    this.#current?.emitSentBack();
    this.#answer.endBlock();
    this.#current = new MessageBlock({ answer: this.#answer, calls: this.#calls }, content, previous);
    this.#currentIndex = index;
    this.#blocks.set(index, this.#current);
  }

  #readDelta(index: number, delta: JsonRecord): void {
    if (index !== this.#currentIndex || this.#current === undefined) {
      const known = this.#blocks.get(index);
      // The start of the block was lost; the delta shows the kind of block.
      if (known === undefined) this.#startBlock(index, {});
      else {
        this.#answer.endBlock();
        this.#current = known;
        this.#currentIndex = index;
      }
    }
    this.#current?.push(delta);
  }

  #indexOf(record: JsonRecord): number {
    return asNumber(record["index"]) ?? Math.max(this.#currentIndex, 0);
  }

  #finish(): Finish {
    if (this.#calls.any) return "tool-calls";
    if (this.#stopReason !== undefined) return readFinishWithoutCalls(this.#stopReason);
    return this.#answer.failed && !this.#stopped ? "error" : "unknown";
  }
}

/** Usage of the messages family: totals that are spread over several events, the last value of each counts. */
class MessagesUsage {
  readonly #raw: Record<string, unknown> = {};

  push(usage: unknown): void {
    for (const [name, value] of Object.entries(asRecord(usage) ?? {})) {
      if (value !== null && value !== undefined) this.#raw[name] = value;
    }
  }

  /** Does nothing if no event had any usage. */
  emit(answer: Answer): void {
    const raw = this.#raw;
    if (Object.keys(raw).length === 0) return;
    const uncached = asCount(raw["input_tokens"]);
    const cacheRead = asCount(raw["cache_read_input_tokens"]);
    const cacheWrite = asCount(raw["cache_creation_input_tokens"]);
    const cacheWriteHour = asCount(asRecord(raw["cache_creation"])?.["ephemeral_1h_input_tokens"]);
    const output = asCount(raw["output_tokens"]);
    const reasoning = asCount(asRecord(raw["output_tokens_details"])?.["thinking_tokens"]);
    const counted = [uncached, cacheRead, cacheWrite].filter((tokens) => tokens !== undefined);
    // This family's `input_tokens` excludes the cached ones; everywhere else `input` is the whole prompt.
    const input = counted.length === 0 ? undefined : counted.reduce((sum, tokens) => sum + tokens, 0);
    answer.emit({
      type: "usage",
      ...definedFields({ input, output, reasoning, cacheRead, cacheWrite, cacheWriteHour }),
      raw,
    });
  }
}

// Reads one content block, from its start to its stop.

/** The objects to which a block emits. */
interface BlockTarget {
  readonly answer: Answer;
  readonly calls: CallList;
}

/**
 * The `data` of this family's opaque parts is the block as the service wants it back: thinking with its signature,
 * redacted thinking, blocks of tools that run at the service.
 */
class MessageBlock {
  readonly #answer: Answer;
  readonly #content: JsonRecord;
  readonly #type: string | undefined;
  /** The block that had the same index before. */
  readonly #previous: MessageBlock | undefined;
  readonly #call: ListedCall | undefined;
  /** The whole thinking, in addition to the emitted deltas: it is sent back byte by byte. */
  #thinking = "";
  /** The block number of the thinking, for its signature. */
  #thinkingBlock: number | undefined;
  #signature: string | undefined;
  /** The fields of a block that is passed through, and the text of its input. */
  readonly #passed: Record<string, unknown> | undefined;
  #passedInput = "";
  #isSentBack = false;
  #isStopped = false;

  constructor({ answer, calls }: BlockTarget, content: JsonRecord, previous: MessageBlock | undefined) {
    this.#answer = answer;
    this.#content = content;
    this.#previous = previous;
    this.#type = asText(content["type"]);
    this.#signature = asText(content["signature"]);
    const isKnown = this.#type === undefined || ["text", "thinking", "tool_use"].includes(this.#type);
    // Relays write pictures in the form of a request's blocks.
    const media = isKnown || this.#type.includes("tool") ? undefined : findMedia(content);
    if (media !== undefined) addMedia(answer, media);
    this.#passed = isKnown || media !== undefined ? undefined : { ...content };
    if (this.#type === "text" || this.#type === undefined) this.#readText(content["text"]);
    if (this.#type === "text") for (const citation of asArray(content["citations"])) this.#readCitation(citation);
    if (this.#type === "thinking") this.#readThinking(content["thinking"]);
    if (this.#type === "tool_use") this.#call = openCall(answer, calls, content);
  }

  push(delta: JsonRecord): void {
    switch (delta["type"]) {
      case "text_delta":
        this.#readText(delta["text"]);
        break;
      case "thinking_delta":
        this.#readThinking(delta["thinking"]);
        break;
      case "input_json_delta":
        this.#readInput(delta["partial_json"]);
        break;
      case "signature_delta":
        // A signature is complete in one delta: the last one counts.
        this.#signature = asText(delta["signature"]) ?? this.#signature;
        break;
      case "citations_delta":
        this.#readCitation(delta["citation"]);
        break;
      case undefined:
        this.#readText(delta["text"]);
        this.#readThinking(delta["thinking"]);
        this.#readInput(delta["partial_json"]);
        this.#signature = asText(delta["signature"]) ?? this.#signature;
        break;
      default:
        this.#merge(delta);
    }
  }

  /** Late arguments for a reused index (Q-T2); true if the open call of this or an earlier block took them. */
  takeInput(text: string): boolean {
    if (this.#call === undefined || this.#isStopped) return this.#previous?.takeInput(text) ?? false;
    this.#call.append(text);
    return true;
  }

  /** Whether `start` repeats the start of this open block (llama.cpp sent it with every token). */
  isRepeated(start: JsonRecord): boolean {
    if (this.#isStopped || this.#passed !== undefined || this.#signature !== undefined) return false;
    if (asText(start["type"]) !== this.#type) return false;
    if (this.#type !== "tool_use") return true;
    return this.#call !== undefined && asText(start["id"]) === asText(this.#content["id"]);
  }

  /** Marks the block as closed by the service. */
  stop(): void {
    if (this.#isStopped) this.#previous?.stop();
    this.#isStopped = true;
    this.#call?.close();
    this.emitSentBack();
  }

  /** Emits once the data that has to be sent back, because no more of the block will come. */
  emitSentBack(): void {
    if (this.#isSentBack) return;
    if (this.#passed !== undefined) {
      this.#isSentBack = true;
      // An incomplete input can't be sent back, so the input of the block's start is kept.
      const input = this.#passedInput === "" ? undefined : parseJson(this.#passedInput);
      this.#emitOpaque(input === undefined ? this.#passed : { ...this.#passed, input });
    } else if (this.#signature !== undefined) {
      // Unsigned thinking is refused by every service; empty thinking with a signature is complete.
      this.#isSentBack = true;
      const data = { type: "thinking", thinking: this.#thinking, signature: this.#signature };
      this.#emitOpaque(data, this.#thinkingBlock);
    }
  }

  #readText(text: unknown): void {
    if (typeof text === "string") this.#answer.text(text);
  }

  #readThinking(text: unknown): void {
    if (typeof text !== "string") return;
    this.#thinking += text;
    this.#answer.reasoning(text);
    if (text !== "") this.#thinkingBlock ??= this.#answer.lastBlock;
  }

  #readInput(value: unknown): void {
    const text = typeof value === "string" ? value : isRecord(value) ? JSON.stringify(value) : "";
    if (text === "") return;
    if (this.#passed !== undefined) this.#passedInput += text;
    else if (this.#call !== undefined) this.#call.append(text);
    else if (this.#previous?.takeInput(text) !== true) {
      this.#answer.malformed("Arguments came without a tool call.", text);
    }
  }

  #readCitation(raw: unknown): void {
    const citation = asRecord(raw);
    const url = asText(citation?.["url"]) ?? asText(citation?.["source"]);
    const title = asText(citation?.["title"]) ?? asText(citation?.["document_title"]);
    emitCitation(this.#answer, this.#answer.textBlock(), { url, title, raw });
  }

  /** Adds a delta of an unknown type to a block that is passed through. */
  #merge(delta: JsonRecord): void {
    if (this.#passed === undefined) return;
    for (const [name, value] of Object.entries(delta)) {
      const before = this.#passed[name];
      if (name === "type" || value === null) continue;
      // Text arrives in parts; encrypted content, like a signature, is complete in one delta.
      const joins = typeof before === "string" && typeof value === "string" && !name.startsWith("encrypted_");
      this.#passed[name] = joins ? before + value : value;
    }
  }

  #emitOpaque(data: unknown, block = this.#answer.newBlock()): void {
    const read = this.#type?.endsWith("_tool_result") === true ? this.#type : undefined;
    this.#answer.emit({ type: "opaque", block, family: "messages", data, ...definedFields({ read }) });
  }
}

function openCall(answer: Answer, calls: CallList, content: JsonRecord): ListedCall | undefined {
  const name = asText(content["name"]);
  if (name === undefined) {
    answer.malformed("A tool call has no name.", JSON.stringify(content));
    return undefined;
  }
  const call = calls.open({ name, wireId: asText(content["id"]) });
  const input = content["input"];
  if (typeof input === "string") call.append(input);
  else if (isRecord(input) && Object.keys(input).length > 0) call.assume(input);
  return call;
}
