/** One content block of the messages family, from its start to its stop. */
import { asArray, asRecord, asText, isRecord, parseJson, type JsonRecord } from "../../../base/jsonValue";
import { definedFields } from "../../../base/definedFields";
import type { Answer } from "../shared/answer";
import { addMedia, findMedia } from "../shared/answerMedia";
import type { CallList, ListedCall } from "../shared/callList";
import { emitCitation } from "../shared/sources";

/** What a block emits to. */
export interface BlockTarget {
  readonly answer: Answer;
  readonly calls: CallList;
}

/**
 * The `data` of this family's opaque parts is the block as the service wants it back: thinking with its signature,
 * redacted thinking, blocks of tools that run at the service.
 */
export class MessageBlock {
  readonly #answer: Answer;
  readonly #content: JsonRecord;
  readonly #type: string | undefined;
  /** The block that had the same index before. */
  readonly #previous: MessageBlock | undefined;
  readonly #call: ListedCall | undefined;
  /** Collected beside the deltas that are emitted: it is sent back byte by byte. */
  #thinking = "";
  /** The block number of the thinking, for its signature. */
  #thinkingBlock: number | undefined;
  #signature: string | undefined;
  /** The fields of a block that is passed through, and the text of its input. */
  readonly #passed: Record<string, unknown> | undefined;
  #passedInput = "";
  #isSettled = false;
  #isStopped = false;

  constructor({ answer, calls }: BlockTarget, content: JsonRecord, previous: MessageBlock | undefined) {
    this.#answer = answer;
    this.#content = content;
    this.#previous = previous;
    this.#type = asText(content["type"]);
    this.#signature = asText(content["signature"]);
    const isKnown = this.#type === undefined || ["text", "thinking", "tool_use"].includes(this.#type);
    // Relays write pictures as the blocks of a request have them.
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

  /** The service closed it. */
  stop(): void {
    if (this.#isStopped) this.#previous?.stop();
    this.#isStopped = true;
    this.#call?.close();
    this.settle();
  }

  /** Nothing more of it will come: emits once what has to be sent back. */
  settle(): void {
    if (this.#isSettled) return;
    if (this.#passed !== undefined) {
      this.#isSettled = true;
      // An incomplete input can't be sent back; the one of the block's start is kept.
      const input = this.#passedInput === "" ? undefined : parseJson(this.#passedInput);
      this.#emitOpaque(input === undefined ? this.#passed : { ...this.#passed, input });
    } else if (this.#signature !== undefined) {
      // Unsigned thinking is refused by every service; empty thinking with a signature is complete.
      this.#isSettled = true;
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
