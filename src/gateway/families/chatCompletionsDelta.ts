/** Reads the deltas of a chat completion: text, thinking, pictures, sources and fragments of tool calls. A whole message is read as one delta. */
import { definedFields } from "../../base/definedFields";
import { asArray, asNumber, asRecord, asText, isRecord, type JsonRecord } from "../../base/jsonValue";
import type { Answer, Sources } from "./answer";
import { addMedia, findMedia, UnknownParts } from "./answerMedia";
import type { ToolCallAssembly } from "./toolCallAssembly";

/** Fields without content, or that are read by name. Any other field may hold a picture under another name. */
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

/** Parts that are not shown as unknown parts: they are read as text or thinking, or refer to sources that are read elsewhere. */
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
      calls.startNamed();
      answer.reasoning(text);
    };
    this.#think = new ThinkFilter((text) => {
      calls.startNamed();
      answer.text(text);
    }, sendReasoning);
    this.#content = new CumulativeFilter((text) => this.#think.push(text));
    this.#thinking = new CumulativeFilter(sendReasoning);
  }

  /** Whether a delta held text, thinking, a picture or a call. */
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
    // `thought` marks the text of this chunk as thinking; it is no signature.
    if (isRecord(extra) && asRecord(extra["google"])?.["thought"] !== true) {
      this.#extraContent = { ...this.#extraContent, ...extra };
    }
    if (fragments !== undefined) this.#readFragments(isRecord(fragments) ? [fragments] : asArray(fragments));
    if (isRecord(legacy)) this.#readFragment({ function: legacy }, 0);
  }

  /** Sends the buffered text. Only one filter buffers text at a time, so the order of the parts is kept. */
  flush(): void {
    this.#thinking.flush();
    this.#content.flush();
    this.#think.flush();
  }

  /** Shows the unknown parts at the end of the answer. */
  endParts(): void {
    this.#unknown.end();
    if (!this.#any) this.#otherFields.end();
  }

  /** Emits the data that the service requires back with the history. */
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

  /** Returns whether there was a picture or file. */
  #readMedia(part: unknown, found = findMedia(part)): boolean {
    if (found === undefined) return false;
    this.#interrupt();
    this.#calls.startNamed();
    addMedia(this.#answer, found);
    return true;
  }

  /** Reads an unknown field: its pictures are shown. If the answer holds nothing else at its end, the field is shown unchanged. */
  #readOther(name: string, value: unknown): void {
    if (typeof value !== "object" || value === null) return;
    for (const item of Array.isArray(value) ? asArray(value) : [value]) {
      if (!isRecord(item) || Object.keys(item).length === 0) continue;
      const found = findMedia(item);
      // An address counts only in a field whose name suggests media, because it may be that of a source.
      const isMedia = found !== undefined && ("data" in found || mediaField.test(name));
      if (!isMedia || !this.#readMedia(item, found)) this.#otherFields.add({ [name]: item });
    }
  }

  #readRefusal(text: string): void {
    this.#interrupt();
    this.#refused = true;
    this.#calls.startNamed();
    this.#answer.text(text, true);
  }

  /** If several fragments come at once without an index, their position in the list is the index (Q-T1). */
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
    // Some servers write the fields of a call with empty values when there is no call (Q-T4).
    if ((id ?? name ?? extra) === undefined && (called["arguments"] ?? "") === "") return;
    this.#interrupt();
    this.#calls.push({ index: asNumber(fragment["index"]) ?? place, id, name, arguments: called["arguments"], extra });
  }

  /** Sends buffered text before something other than text. */
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

// Filters the text deltas: some gateways send the text cumulatively (Q-C8), or the thinking inside of the content (Q-C7).

type Send = (text: string) => void;

interface TextFilter {
  push(text: string): void;
  /** Sends buffered text, because another kind of delta begins or the stream ends. */
  flush(): void;
}

/**
 * Some servers send all the text so far in each chunk. This is assumed only after three chunks in a row began with the
 * whole previous chunk: as deltas they would read *The The cat The cat sat*. Until then such chunks are buffered, because
 * emitted text can't be taken back. An ordinary stream is passed on from its second chunk.
 */
export class CumulativeFilter implements TextFilter {
  readonly #send: Send;
  #state: "watching" | "plain" | "cumulative" = "watching";
  #first = "";
  #last = "";
  #buffered: string[] = [];

  constructor(send: Send) {
    this.#send = send;
  }

  push(text: string): void {
    if (text === "") return;
    if (this.#state === "plain") this.#send(text);
    else if (this.#state === "cumulative") this.#pushCumulative(text);
    else if (this.#last === "") {
      this.#first = this.#last = text;
      this.#send(text);
    } else if (text.length > this.#last.length && text.startsWith(this.#last)) {
      this.#buffered.push(text);
      this.#last = text;
      if (this.#isCumulative(3, 20)) this.#confirm();
    } else {
      this.#giveUp();
      this.#send(text);
    }
  }

  flush(): void {
    if (this.#state !== "watching" || this.#last === "") return;
    if (this.#isCumulative(2, 12)) this.#confirm();
    else this.#giveUp();
  }

  #pushCumulative(text: string): void {
    if (text.startsWith(this.#last)) {
      this.#send(text.slice(this.#last.length));
      this.#last = text;
    } else {
      this.#send(text);
      this.#last += text;
    }
  }

  #isCumulative(chunks: number, length: number): boolean {
    return this.#buffered.length >= chunks && this.#last.length >= length;
  }

  #confirm(): void {
    this.#state = "cumulative";
    this.#buffered = [];
    this.#send(this.#last.slice(this.#first.length));
  }

  #giveUp(): void {
    this.#state = "plain";
    for (const text of this.#buffered) this.#send(text);
    this.#buffered = [];
    this.#last = "";
  }
}

/** Local servers write `think`; Gemini behind chat completions writes `thought`. */
const tagNames = ["think", "thought"];

/** Separates thinking that some servers write into the content. A tag counts only at the beginning of the answer; elsewhere it is text. */
export class ThinkFilter implements TextFilter {
  readonly #sendText: Send;
  readonly #sendReasoning: Send;
  #state: "start" | "inside" | "after" | "plain" = "start";
  /** White space at the start, which is dropped if thinking follows. It is kept apart, so that it is not searched again with each chunk. */
  #blank = "";
  #buffered = "";
  #closing = "";

  constructor(sendText: Send, sendReasoning: Send) {
    this.#sendText = sendText;
    this.#sendReasoning = sendReasoning;
  }

  push(text: string): void {
    if (this.#state === "plain") {
      this.#sendText(text);
      return;
    }
    if (this.#state === "start" && this.#buffered === "") {
      const shown = text.trimStart();
      this.#blank += text.slice(0, text.length - shown.length);
      this.#buffered = shown;
    } else this.#buffered += text;
    if (this.#state === "start" && this.#buffered !== "") this.#readStart();
    if (this.#state === "inside") this.#readInside();
    if (this.#state === "after") this.#readAfter();
    if (this.#isPlain() && this.#buffered !== "") this.#sendText(this.#take());
  }

  flush(): void {
    const rest = this.#take();
    if (rest === "") return;
    if (this.#state === "inside") this.#sendReasoning(rest);
    else if (this.#state === "start") {
      this.#sendText(rest);
      if (rest.trim() !== "") this.#state = "plain";
    }
  }

  #readStart(): void {
    const text = this.#buffered;
    const name = tagNames.find((one) => text.startsWith(`<${one}>`));
    if (name !== undefined) {
      this.#state = "inside";
      this.#blank = "";
      this.#buffered = text.slice(name.length + 2);
      this.#closing = `</${name}>`;
    } else if (!tagNames.some((one) => `<${one}>`.startsWith(text))) this.#state = "plain";
  }

  #readInside(): void {
    const end = this.#buffered.indexOf(this.#closing);
    const sure = end === -1 ? this.#buffered.length - partialEnd(this.#buffered, this.#closing) : end;
    if (sure > 0) this.#sendReasoning(this.#buffered.slice(0, sure));
    this.#buffered = this.#buffered.slice(sure);
    if (end === -1) return;
    this.#buffered = this.#buffered.slice(this.#closing.length);
    this.#state = "after";
  }

  /** White space between the thinking and the answer is dropped. */
  #readAfter(): void {
    this.#buffered = this.#buffered.trimStart();
    if (this.#buffered !== "") this.#state = "plain";
  }

  #isPlain(): boolean {
    return this.#state === "plain";
  }

  #take(): string {
    const text = this.#blank + this.#buffered;
    this.#blank = this.#buffered = "";
    return text;
  }
}

/** The number of characters at the end of `text` that may be the beginning of `tag`. */
function partialEnd(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--) {
    if (tag.startsWith(text.slice(text.length - length))) return length;
  }
  return 0;
}

// Reads the fields other than text: thinking details that must be sent back unchanged, and sources.

/** The `data` of an opaque part of this family: written by the decoder, read by the request. */
interface ChatCompletionsOpaque {
  /** The field in which the thinking has to be sent back: only for answers with calls, and only `reasoning_content`. */
  readonly reasoningField?: string;
  /** The merged details, in order. */
  readonly reasoningDetails?: readonly JsonRecord[];
  /** `extra_content` of the message, and of its calls by `call`: thought signatures. */
  readonly extraContent?: JsonRecord;
  readonly callExtraContent?: Readonly<Record<string, unknown>>;
}

/** Fields whose fragments are joined. */
const joined = ["text", "summary", "data"];

/** Joins fragments of the same index, type and id to one detail: their texts are joined, and the last value of any other field counts. */
class ReasoningDetails {
  readonly #details: Record<string, unknown>[] = [];
  readonly #byKey = new Map<string, Record<string, unknown>>();

  get all(): readonly JsonRecord[] {
    return this.#details;
  }

  push(fragments: readonly unknown[]): void {
    for (const fragment of fragments) {
      const record = asRecord(fragment);
      if (record === undefined) continue;
      const index = asNumber(record["index"]);
      const key = index === undefined ? undefined : `${index}:${asText(record["type"]) ?? ""}`;
      const known = key === undefined ? undefined : this.#byKey.get(key);
      if (known === undefined || isAnother(known, record)) {
        const detail = { ...record };
        this.#details.push(detail);
        if (key !== undefined) this.#byKey.set(key, detail);
      } else mergeDetail(known, record);
    }
  }
}

/** Whether the fragment begins another detail: two signatures may have one index, each with the id of its own call. */
function isAnother(detail: JsonRecord, fragment: JsonRecord): boolean {
  const id = asText(fragment["id"]);
  return id !== undefined && asText(detail["id"]) !== undefined && id !== detail["id"];
}

function mergeDetail(detail: Record<string, unknown>, fragment: JsonRecord): void {
  for (const [name, value] of Object.entries(fragment)) {
    const before = detail[name];
    if (value === null || value === "") continue;
    const joins = joined.includes(name) && typeof before === "string" && typeof value === "string";
    detail[name] = joins ? before + value : value;
  }
}

/** The text of a detail, for servers that send the thinking there only. */
function readDetailText(fragments: readonly unknown[]): string {
  return fragments
    .map((fragment) => asText(asRecord(fragment)?.["text"]) ?? asText(asRecord(fragment)?.["summary"]) ?? "")
    .join("");
}

/** The sources in a chunk: annotations, and the lists that some servers repeat in each chunk. */
export function readSources(chunk: JsonRecord, delta: JsonRecord | undefined, sources: Sources): void {
  const { citations, search_results: results, web_search: found } = chunk;
  const annotations = delta?.["annotations"];
  // Hardly any chunk has one, and this runs for every chunk.
  if (citations === undefined && results === undefined && found === undefined && annotations === undefined) return;
  for (const list of [annotations, citations, results, found]) {
    for (const raw of asArray(list)) {
      const record = asRecord(raw);
      const citation = asRecord(record?.["url_citation"]) ?? record;
      const url = asText(raw) ?? asText(citation?.["url"]) ?? asText(citation?.["link"]);
      if (url !== undefined) sources.add({ url, title: asText(citation?.["title"]), raw });
    }
  }
}
