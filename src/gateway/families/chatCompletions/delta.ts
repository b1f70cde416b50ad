/** What one delta of a chat completion says: text, thinking, pictures, pieces of tool calls. A whole message is read the same way. */
import { definedFields } from "../../../base/definedFields";
import type { Answer } from "../shared/answer";
import { asArray, asNumber, asRecord, asText, isRecord, type JsonRecord } from "../../http/jsonValue";
import { type ChatCompletionsOpaque, createReasoningDetails, readDetailText, readPicture } from "./extras";
import { createCumulativeFilter, createThinkFilter } from "../shared/deltaText";
import type { ToolCallAssembly } from "../shared/toolCallAssembly";

export interface DeltaReader {
  /** Gives the text in it, if that is all that it says and stands there as it is. */
  push(delta: JsonRecord): string | undefined;
  /** Another delta that differs from the last one in that text only. */
  goOn(text: string): void;
  /** Nothing follows at once: what was held back is let go. */
  flush(): void;
  /** What the model wants back with the answer. */
  tellOpaque(): void;
  /** A delta has said something. */
  readonly any: boolean;
  readonly refused: boolean;
}

export function createDeltaReader(answer: Answer, calls: ToolCallAssembly): DeltaReader {
  const details = createReasoningDetails();
  const think = createThinkFilter(
    (text) => {
      calls.settle();
      answer.text(text);
    },
    (text) => toThinking(text),
  );
  const toThinking = (text: string): void => {
    calls.settle();
    answer.reasoning(text);
  };
  const content = createCumulativeFilter((text) => think.push(text));
  const thinking = createCumulativeFilter(toThinking);

  let any = false;
  let refused = false;
  let reasoningField: string | undefined;
  let extraContent: JsonRecord | undefined;
  /** How many things the delta said; the text, if it stood there as it is, and where it went. */
  let said = 0;
  let plain: string | undefined;
  let filter = content;

  /** Only one of the filters holds something back at a time, so that the order of the parts stays. */
  const flush = (): void => [thinking, content, think].forEach((held) => held.flush());
  const begin = (): void => {
    any = true;
    said += 1;
  };

  const readReasoning = (delta: JsonRecord): void => {
    const { reasoning_content: own, reasoning, reasoning_details: fragments } = delta;
    noteField("reasoning_content", own);
    noteField("reasoning", reasoning);
    const text = asText(own) ?? asText(reasoning) ?? asText(delta["reasoning_text"]);
    if (text !== undefined) {
      toReasoning(text);
      plain = text;
      filter = thinking;
    }
    if (fragments === undefined) return;
    said += 1;
    details.push(asArray(fragments));
    const detail = text === undefined ? readDetailText(asArray(fragments)) : "";
    if (detail !== "") toReasoning(detail);
  };

  const noteField = (field: string, value: unknown): void => {
    if (typeof value !== "string" || (reasoningField !== undefined && value === "")) return;
    reasoningField = reasoningField === "reasoning_content" ? reasoningField : field;
  };

  const toReasoning = (text: string): void => {
    content.flush();
    think.flush();
    begin();
    thinking.push(text);
  };

  const readContent = (value: unknown): void => {
    const text = asText(value);
    if (text === undefined) {
      if (typeof value === "object") (isRecord(value) ? [value] : asArray(value)).forEach(readPart);
      return;
    }
    thinking.flush();
    begin();
    content.push(text);
    plain = text;
    filter = content;
  };

  const readPart = (part: unknown): void => {
    const record = asRecord(part);
    const thoughts = record?.["thinking"] ?? record?.["summary"];
    const picture = readPicture(part);
    if (record?.["type"] === "thinking" || thoughts !== undefined) {
      const text =
        asText(thoughts) ??
        asArray(thoughts)
          .map((item) => asText(asRecord(item)?.["text"]) ?? "")
          .join("");
      if (text !== "") toReasoning(text);
    } else if (picture !== undefined) {
      flush();
      calls.settle();
      begin();
      answer.emit({ type: "media", block: answer.newBlock(), ...picture });
    } else readContent(asText(part) ?? record?.["text"]);
  };

  const readRefusal = (text: string): void => {
    flush();
    begin();
    refused = true;
    calls.settle();
    answer.text(text, true);
  };

  /** Where several come at once without an index, their place in the list is the index (T1). */
  const readFragments = (fragments: readonly unknown[]): void =>
    fragments.forEach((fragment, at) => readFragment(asRecord(fragment), fragments.length > 1 ? at : undefined));

  const readFragment = (fragment: JsonRecord | undefined, place: number | undefined): void => {
    if (fragment === undefined) return;
    const called = asRecord(fragment["function"]) ?? fragment;
    const id = asText(fragment["id"]);
    const name = asText(called["name"]);
    const extra = asRecord(fragment["extra_content"]);
    // Some servers fill in the fields of a call where there is none (T4).
    if ((id ?? name ?? extra) === undefined && (called["arguments"] ?? "") === "") return;
    flush();
    begin();
    calls.push({ index: asNumber(fragment["index"]) ?? place, id, name, arguments: called["arguments"], extra });
  };

  return {
    push(delta) {
      said = 0;
      plain = undefined;
      readReasoning(delta);
      readContent(delta["content"]);
      const refusal = asText(delta["refusal"]);
      if (refusal !== undefined) readRefusal(refusal);
      const { images, extra_content: extra, tool_calls: fragments, function_call: legacy } = delta;
      if (images !== undefined) asArray(images).forEach(readPart);
      // A mark of thinking says what the text of this chunk is; it is no signature.
      if (isRecord(extra) && asRecord(extra["google"])?.["thought"] !== true)
        extraContent = { ...extraContent, ...extra };
      if (fragments !== undefined) readFragments(isRecord(fragments) ? [fragments] : asArray(fragments));
      if (isRecord(legacy)) readFragment({ function: legacy }, 0);
      return said === 1 ? plain : undefined;
    },
    goOn: (text) => filter.push(text),
    flush,
    tellOpaque() {
      const callExtraContent = calls.extras();
      const data: ChatCompletionsOpaque = {
        ...(reasoningField === "reasoning_content" && calls.any ? { reasoningField } : {}),
        ...(details.all.length === 0 ? {} : { reasoningDetails: details.all }),
        ...definedFields({ extraContent }),
        ...(Object.keys(callExtraContent).length === 0 ? {} : { callExtraContent }),
      };
      if (Object.keys(data).length === 0) return;
      answer.emit({ type: "opaque", block: answer.newBlock(), family: "chat-completions", data });
    },
    get any() {
      return any;
    },
    get refused() {
      return refused;
    },
  };
}
