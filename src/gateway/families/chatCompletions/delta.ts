/** Reads the deltas of a chat completion: text, thinking, pictures, fragments of tool calls. A whole message is read as one delta. */
import { definedFields } from "../../../base/definedFields";
import { asArray, asNumber, asRecord, asText, isRecord, type JsonRecord } from "../../../base/jsonValue";
import type { Answer } from "../shared/answer";
import { CumulativeFilter, ThinkFilter } from "../shared/deltaText";
import type { ToolCallAssembly } from "../shared/toolCallAssembly";
import { type ChatCompletionsOpaque, readDetailText, readPicture, ReasoningDetails } from "./extras";

export class DeltaReader {
  readonly #answer: Answer;
  readonly #calls: ToolCallAssembly;
  readonly #details = new ReasoningDetails();
  readonly #think: ThinkFilter;
  readonly #content: CumulativeFilter;
  readonly #thinking: CumulativeFilter;
  #any = false;
  #refused = false;
  #reasoningField: string | undefined;
  #extraContent: JsonRecord | undefined;

  constructor(answer: Answer, calls: ToolCallAssembly) {
    this.#answer = answer;
    this.#calls = calls;
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
    if (images !== undefined) for (const image of asArray(images)) this.#readPart(image);
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
    const picture = readPicture(part);
    if (record?.["type"] === "thinking" || thoughts !== undefined) {
      const text = asText(thoughts) ?? joinTexts(asArray(thoughts));
      if (text !== "") this.#pushReasoning(text);
    } else if (picture !== undefined) {
      this.#interrupt();
      this.#calls.settle();
      this.#answer.emit({ type: "media", block: this.#answer.newBlock(), ...picture });
    } else this.#readContent(asText(part) ?? record?.["text"]);
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

function joinTexts(items: readonly unknown[]): string {
  return items.map((item) => asText(asRecord(item)?.["text"]) ?? "").join("");
}
