/** Reads the deltas of a chat completion: text, thinking, pictures, fragments of tool calls. A whole message is read as one delta. */
import { definedFields } from "../../../base/definedFields";
import { asArray, asNumber, asRecord, asText, isRecord, type JsonRecord } from "../../../base/jsonValue";
import type { Answer } from "../shared/answer";
import { addMedia, findMedia, UnknownParts } from "../shared/answerMedia";
import { CumulativeFilter, ThinkFilter } from "../shared/deltaText";
import type { ToolCallAssembly } from "../shared/toolCallAssembly";
import { type ChatCompletionsOpaque, readDetailText, ReasoningDetails } from "./extras";

/** Fields that have no content of their own, or are read by name: anything else may be a picture under another name. */
const readFields = new Set([
  "role",
  "content",
  "tool_calls",
  "function_call",
  "refusal",
  "images",
  "extra_content",
  "annotations",
  "reasoning",
  "reasoning_content",
  "reasoning_text",
  "reasoning_details",
  "name",
  "tool_call_id",
]);

/** Parts that have nothing to show by themselves: the sources that they number are read elsewhere. */
const silentParts = new Set(["text", "output_text", "thinking", "reasoning", "reference"]);

const mediaField = /image|picture|video|audio|file|media/i;

export class DeltaReader {
  readonly #answer: Answer;
  readonly #calls: ToolCallAssembly;
  readonly #details = new ReasoningDetails();
  readonly #think: ThinkFilter;
  readonly #content: CumulativeFilter;
  readonly #thinking: CumulativeFilter;
  readonly #unknown: UnknownParts;
  readonly #otherFields: UnknownParts;
  #any = false;
  #refused = false;
  #reasoningField: string | undefined;
  #extraContent: JsonRecord | undefined;

  constructor(answer: Answer, calls: ToolCallAssembly) {
    this.#answer = answer;
    this.#calls = calls;
    this.#unknown = new UnknownParts(answer);
    this.#otherFields = new UnknownParts(answer);
    const sendReasoning = (text: string): void => {
      calls.settle();
      answer.reasoning(text);
    };
    this.#think = new ThinkFilter((text) => {
      calls.settle();
      answer.text(text);
    }, sendReasoning);
    this.#content = new CumulativeFilter((text) => this.#think.push(text));
    this.#thinking = new CumulativeFilter(sendReasoning);
  }

  /** A delta held text, thinking, a picture or a call. */
  get any(): boolean {
    return this.#any;
  }

  get refused(): boolean {
    return this.#refused;
  }

  push(delta: JsonRecord): void {
    this.#readReasoning(delta);
    this.#readContent(delta["content"]);
    const { images, extra_content: extra, tool_calls: fragments, function_call: legacy } = delta;
    const refusal = asText(delta["refusal"]);
    if (refusal !== undefined) this.#readRefusal(refusal);
    if (images !== undefined) {
      for (const image of Array.isArray(images) ? asArray(images) : [images])
        if (!this.#readMedia(image)) this.#readPart(image);
    }
    for (const name in delta) if (!readFields.has(name)) this.#readOther(name, delta[name]);
    // A thinking mark says what the text of this chunk is; it is no signature.
    if (isRecord(extra) && asRecord(extra["google"])?.["thought"] !== true) {
      this.#extraContent = { ...this.#extraContent, ...extra };
    }
    if (fragments !== undefined) this.#readFragments(isRecord(fragments) ? [fragments] : asArray(fragments));
    if (isRecord(legacy)) this.#readFragment({ function: legacy }, 0);
  }

  /** Only one filter buffers text at a time, so the order of the parts is kept. */
  flush(): void {
    this.#thinking.flush();
    this.#content.flush();
    this.#think.flush();
  }

  /** Shows what no reader knew, at the end of the answer. */
  endParts(): void {
    this.#unknown.end();
    if (!this.#any) this.#otherFields.end();
  }

  /** Emits what the service wants back with the history. */
  emitOpaque(): void {
    const callExtraContent = this.#calls.extras();
    const reasoningField = this.#reasoningField;
    const extraContent = this.#extraContent;
    const data: ChatCompletionsOpaque = {
      ...(reasoningField === "reasoning_content" && this.#calls.any ? { reasoningField } : {}),
      ...(this.#details.all.length === 0 ? {} : { reasoningDetails: this.#details.all }),
      ...definedFields({ extraContent }),
      ...(Object.keys(callExtraContent).length === 0 ? {} : { callExtraContent }),
    };
    if (Object.keys(data).length === 0) return;
    this.#answer.emit({ type: "opaque", block: this.#answer.newBlock(), family: "chat-completions", data });
  }

  #readReasoning(delta: JsonRecord): void {
    const { reasoning_content: own, reasoning, reasoning_details: fragments } = delta;
    if (own !== undefined) this.#noteField("reasoning_content", own);
    if (reasoning !== undefined) this.#noteField("reasoning", reasoning);
    const text = asText(own) ?? asText(reasoning) ?? asText(delta["reasoning_text"]);
    if (text !== undefined) this.#pushReasoning(text);
    if (fragments === undefined) return;
    this.#details.push(asArray(fragments));
    const detail = text === undefined ? readDetailText(asArray(fragments)) : "";
    if (detail !== "") this.#pushReasoning(detail);
  }

  #noteField(field: string, value: unknown): void {
    if (typeof value !== "string" || (this.#reasoningField !== undefined && value === "")) return;
    this.#reasoningField = this.#reasoningField === "reasoning_content" ? this.#reasoningField : field;
  }

  #pushReasoning(text: string): void {
    this.#content.flush();
    this.#think.flush();
    this.#any = true;
    this.#thinking.push(text);
  }

  #readContent(value: unknown): void {
    const text = asText(value);
    if (text !== undefined) {
      this.#thinking.flush();
      this.#any = true;
      this.#content.push(text);
    } else if (typeof value === "object") {
      for (const part of isRecord(value) ? [value] : asArray(value)) this.#readPart(part);
    }
  }

  #readPart(part: unknown): void {
    const record = asRecord(part);
    const thoughts = record?.["thinking"] ?? record?.["summary"];
    if (record?.["type"] === "thinking" || thoughts !== undefined) {
      const text = asText(thoughts) ?? joinTexts(asArray(thoughts));
      if (text !== "") this.#pushReasoning(text);
    } else if (asText(record?.["text"]) !== undefined || typeof part === "string") {
      this.#readContent(record?.["text"] ?? part);
    } else if (!this.#readMedia(part) && record !== undefined && isUnknown(record)) this.#unknown.add(part);
  }

  /** Returns whether there was one. */
  #readMedia(part: unknown, found = findMedia(part)): boolean {
    if (found === undefined) return false;
    this.#interrupt();
    this.#calls.settle();
    addMedia(this.#answer, found);
    return true;
  }

  /** A field of another name: its pictures count, and where the answer holds nothing else at its end, it is shown as it is. */
  #readOther(name: string, value: unknown): void {
    if (typeof value !== "object" || value === null) return;
    for (const item of Array.isArray(value) ? asArray(value) : [value]) {
      if (!isRecord(item) || Object.keys(item).length === 0) continue;
      const found = findMedia(item);
      // An address may be that of a source.
      const isMedia = found !== undefined && ("data" in found || mediaField.test(name));
      if (!isMedia || !this.#readMedia(item, found)) this.#otherFields.add({ [name]: item });
    }
  }

  #readRefusal(text: string): void {
    this.#interrupt();
    this.#refused = true;
    this.#calls.settle();
    this.#answer.text(text, true);
  }

  /** Where several come at once without an index, their place in the list is the index (Q-T1). */
  #readFragments(fragments: readonly unknown[]): void {
    const several = fragments.length > 1;
    fragments.forEach((fragment, at) => this.#readFragment(asRecord(fragment), several ? at : undefined));
  }

  #readFragment(fragment: JsonRecord | undefined, place: number | undefined): void {
    if (fragment === undefined) return;
    const called = asRecord(fragment["function"]) ?? fragment;
    const id = asText(fragment["id"]);
    const name = asText(called["name"]);
    const extra = asRecord(fragment["extra_content"]);
    // Some servers write the fields of a call with empty values where there is none (Q-T4).
    if ((id ?? name ?? extra) === undefined && (called["arguments"] ?? "") === "") return;
    this.#interrupt();
    this.#calls.push({ index: asNumber(fragment["index"]) ?? place, id, name, arguments: called["arguments"], extra });
  }

  /** Something other than text begins. */
  #interrupt(): void {
    this.flush();
    this.#any = true;
  }
}

function isUnknown(part: JsonRecord): boolean {
  const type = asText(part["type"]);
  if (type !== undefined) return !silentParts.has(type);
  return Object.keys(part).some((name) => name !== "text" && part[name] !== null);
}

function joinTexts(items: readonly unknown[]): string {
  return items.map((item) => asText(asRecord(item)?.["text"]) ?? "").join("");
}
