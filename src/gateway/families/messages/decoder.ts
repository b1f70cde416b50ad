/** Events of the messages family to chat events. A complete response is read block by block in the same way. */
import { definedFields } from "../../../base/definedFields";
import type { Finish } from "../../../domain/chat/chatEvent";
import { asArray, asNumber, asRecord, asText, isRecord, type JsonRecord, asCount } from "../../../base/jsonValue";
import { readFinish } from "../shared/finish";
import type { Answer } from "../shared/answer";
import { CallList } from "../shared/callList";
import { isErrorChunk, readErrorChunk } from "../shared/errorChunk";
import type { FamilyDecoder, StreamEnding } from "../shared/familyDecoder";
import { MessageBlock } from "./block";

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
  /** A proxy mixed another answer into this one: nothing of it is complete. */
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
    if (!cut) for (const block of this.#blocks.values()) block.settle();
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
    // Complete blocks: all of them in a response that is no stream, calls by a program in one that is.
    for (const block of asArray(message["content"])) {
      this.#startBlock(this.#blocks.size, asRecord(block) ?? { type: "text", text: asText(block) });
      this.#current?.stop();
    }
    // In a response that is no stream, the content may be plain text.
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
    // Blocks do not overlap: one that was not closed is complete now.
    this.#current?.settle();
    this.#answer.endBlock();
    this.#current = new MessageBlock({ answer: this.#answer, calls: this.#calls }, content, previous);
    this.#currentIndex = index;
    this.#blocks.set(index, this.#current);
  }

  #readDelta(index: number, delta: JsonRecord): void {
    if (index !== this.#currentIndex || this.#current === undefined) {
      const known = this.#blocks.get(index);
      // Its start was lost: the delta shows the kind of block.
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
    if (this.#stopReason !== undefined) return readFinish(this.#stopReason);
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
    const output = asCount(raw["output_tokens"]);
    const reasoning = asCount(asRecord(raw["output_tokens_details"])?.["thinking_tokens"]);
    const counted = [uncached, cacheRead, cacheWrite].filter((tokens) => tokens !== undefined);
    // This family's `input_tokens` excludes the cached ones; everywhere else `input` is the whole prompt.
    const input = counted.length === 0 ? undefined : counted.reduce((sum, tokens) => sum + tokens, 0);
    answer.emit({ type: "usage", ...definedFields({ input, output, reasoning, cacheRead, cacheWrite }), raw });
  }
}
