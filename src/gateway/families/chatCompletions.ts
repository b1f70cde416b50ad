/** Chat-completion chunks to events (C, T, E, R). A complete reply is one chunk whose `message` is the delta. */
import type { Finish } from "../../domain/chat";
import type { GatewayError } from "../../domain/errors";
import type { Answer } from "../answer";
import { looksLikeError, readErrorValue, readMessage } from "../errorBody";
import { asArray, asNumber, asRecord, asText, isRecord, type JsonRecord } from "../jsonValue";
import { readFinish, readUsage } from "./chatCompletionsEnding";
import {
  type ChatCompletionsOpaque,
  createReasoningDetails,
  readDetailText,
  readPicture,
  readSources,
} from "./chatCompletionsExtras";
import type { FamilyDecoder } from "./decoder";
import { createCumulativeFilter, createThinkFilter } from "./deltaText";
import { createSources } from "./sources";
import { createToolCallAssembly } from "./toolCallAssembly";

export function createDecoder(answer: Answer): FamilyDecoder {
  const calls = createToolCallAssembly(answer);
  const sources = createSources(answer);
  const details = createReasoningDetails();
  const toText = (text: string): void => {
    calls.settle();
    answer.text(text);
  };
  const toReasoning = (text: string): void => {
    calls.settle();
    answer.reasoning(text);
  };
  const think = createThinkFilter(toText, toReasoning);
  const content = createCumulativeFilter((text) => think.push(text));
  const reasoning = createCumulativeFilter(toReasoning);

  let started = false;
  let choiceIndex: number | undefined;
  let hasDelta = false;
  let hasContent = false;
  let hasRefusal = false;
  let finishReason: string | undefined;
  /** What a choice says of its own failure, beside the finish reason. */
  let choiceError: JsonRecord | undefined;
  let usage: JsonRecord | undefined;
  let reasoningField: string | undefined;
  let extraContent: JsonRecord | undefined;
  /** The whole message that some servers send beside the deltas; counts only if no delta said anything. */
  let wholeMessage: JsonRecord | undefined;
  /** Words that came in place of an answer. */
  let words: JsonRecord | undefined;
  let serviceFailed = false;

  /** Only one of the filters holds something back at a time, so that the order of the parts stays. */
  const flush = (...filters: readonly { flush(): void }[]): void => filters.forEach((filter) => filter.flush());

  const fail = (error: GatewayError): void => {
    serviceFailed = true;
    answer.fail(error);
  };

  const readChunk = (chunk: JsonRecord, event: string | undefined): void => {
    if (!started) {
      started = true;
      answer.start(readIdentity(chunk));
    }
    const choices = asArray(chunk["choices"]);
    const choice = findChoice(choices);
    readUsageOf(chunk, choice);
    if (choice !== undefined) readChoice(choice);
    // One message in two choices: its text in the first, its calls in the second.
    if (choices.length > 1)
      for (const other of choices)
        if (other !== choice && isRecord(other) && indexOf(other) === choiceIndex) readChoice(other);
    readSources(chunk, asRecord(choice?.["delta"]) ?? asRecord(choice?.["message"]), sources);
    const isSuspect = choice === undefined || chunk["error"] !== undefined || chunk["object"] === "error";
    if (event === "error" || ((isSuspect || chunk["type"] !== undefined) && looksLikeError(chunk))) {
      flush(reasoning, content, think);
      fail(readErrorValue(chunk));
    } else if (choiceIndex === undefined && readMessage(chunk) !== undefined) words = chunk;
  };

  const readChoice = (choice: JsonRecord): void => {
    const message = asRecord(choice["message"]);
    const delta = asRecord(choice["delta"]);
    if (delta !== undefined) {
      hasDelta = true;
      wholeMessage = message ?? wholeMessage;
      readDelta(delta);
    } else if (message !== undefined) {
      if (hasDelta) wholeMessage = message;
      else readDelta(message);
    } else if (typeof choice["text"] === "string") readDelta({ content: choice["text"] });
    const reason = asText(choice["finish_reason"]);
    if (reason === undefined || reason === "null") return;
    finishReason = reason;
    choiceError = asRecord(choice["error"]);
  };

  /** One answer is asked for. It has index 0 or none; a server that counts otherwise is followed from its first chunk on. */
  const findChoice = (choices: readonly unknown[]): JsonRecord | undefined => {
    if (choiceIndex === undefined) {
      const indices = choices.filter(isRecord).map(indexOf);
      choiceIndex = indices.includes(0) ? 0 : indices[0];
    }
    for (const choice of choices) if (isRecord(choice) && indexOf(choice) === choiceIndex) return choice;
    return undefined;
  };

  const readUsageOf = (chunk: JsonRecord, choice: JsonRecord | undefined): void => {
    const found =
      asRecord(chunk["usage"]) ?? asRecord(choice?.["usage"]) ?? asRecord(asRecord(chunk["x_groq"])?.["usage"]);
    if (found === undefined) return;
    // A row of zeros is a place holder: it says nothing against what was said before.
    if (usage === undefined || Object.values(found).some(isCount)) usage = found;
  };

  const readDelta = (delta: JsonRecord): void => {
    readReasoning(delta);
    readContent(delta["content"]);
    const refusal = asText(delta["refusal"]);
    if (refusal !== undefined) {
      flush(reasoning, content, think);
      hasContent = hasRefusal = true;
      calls.settle();
      answer.text(refusal, true);
    }
    if (delta["images"] !== undefined) asArray(delta["images"]).forEach(readPart);
    const { extra_content: extra, tool_calls: fragments, function_call: legacy } = delta;
    // A mark of thinking says what the text of this chunk is; it is no signature.
    if (isRecord(extra) && asRecord(extra["google"])?.["thought"] !== true)
      extraContent = { ...extraContent, ...extra };
    if (fragments !== undefined) readFragments(isRecord(fragments) ? [fragments] : asArray(fragments));
    if (isRecord(legacy)) readFragment({ function: legacy }, 0);
  };

  const readReasoning = (delta: JsonRecord): void => {
    const { reasoning_content: content, reasoning, reasoning_details: fragments } = delta;
    noteField("reasoning_content", content);
    noteField("reasoning", reasoning);
    if (fragments !== undefined) details.push(asArray(fragments));
    const text =
      asText(content) ??
      asText(reasoning) ??
      asText(delta["reasoning_text"]) ??
      (fragments === undefined ? "" : readDetailText(asArray(fragments)));
    if (text !== "") onReasoning(text);
  };

  const noteField = (field: string, value: unknown): void => {
    if (typeof value !== "string" || (reasoningField !== undefined && value === "")) return;
    reasoningField = reasoningField === "reasoning_content" ? reasoningField : field;
  };

  const onReasoning = (text: string): void => {
    flush(content, think);
    hasContent = true;
    reasoning.push(text);
  };

  const readContent = (value: unknown): void => {
    const text = asText(value);
    if (text === undefined) (isRecord(value) ? [value] : asArray(value)).forEach(readPart);
    else {
      reasoning.flush();
      hasContent = true;
      content.push(text);
    }
  };

  const readPart = (part: unknown): void => {
    const record = asRecord(part);
    const thinking = record?.["thinking"] ?? record?.["summary"];
    const picture = readPicture(part);
    if (record?.["type"] === "thinking" || thinking !== undefined) {
      const text =
        asText(thinking) ??
        asArray(thinking)
          .map((item) => asText(asRecord(item)?.["text"]) ?? "")
          .join("");
      if (text !== "") onReasoning(text);
    } else if (picture !== undefined) {
      flush(reasoning, content, think);
      calls.settle();
      hasContent = true;
      answer.emit({ type: "media", block: answer.newBlock(), ...picture });
    } else readContent(asText(part) ?? record?.["text"]);
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
    flush(reasoning, content, think);
    hasContent = true;
    calls.push({ index: asNumber(fragment["index"]) ?? place, id, name, arguments: called["arguments"], extra });
  };

  const endCalls = (done: boolean): boolean => {
    const finish = finishReason === undefined ? undefined : readFinish(finishReason);
    const isDone = done && !calls.isOpen();
    const cut = finishReason === undefined && !isDone;
    const stopped = cut
      ? "The answer ended before the call was complete."
      : finish === "error"
        ? "The service broke off the answer."
        : undefined;
    const finished = finish === "stop" || finish === "tool-calls" || finish === "unknown";
    calls.end({ cut, stopped, finished });
    return cut;
  };

  const toOpaque = (): ChatCompletionsOpaque => {
    const callExtraContent = calls.extras();
    return {
      ...(reasoningField === "reasoning_content" && calls.any ? { reasoningField } : {}),
      ...(details.all.length === 0 ? {} : { reasoningDetails: details.all }),
      ...(extraContent === undefined ? {} : { extraContent }),
      ...(Object.keys(callExtraContent).length === 0 ? {} : { callExtraContent }),
    };
  };

  const toFinish = (done: boolean): Finish => {
    if (calls.any) return "tool-calls";
    if (finishReason === undefined) return answer.failed && !done ? "error" : "unknown";
    const finish = readFinish(finishReason);
    return hasRefusal && finish === "stop" ? "refusal" : finish;
  };

  return {
    // The body's [DONE] says so in this family.
    done: false,
    get hasReason() {
      return finishReason !== undefined;
    },
    chunk(value, event) {
      if (isRecord(value)) readChunk(value, event);
      else if (Array.isArray(value)) for (const item of value as unknown[]) this.chunk(item, event);
      else answer.malformed("A chunk is not an object.", JSON.stringify(value));
    },
    end(ending) {
      answer.start();
      if (!hasContent && wholeMessage !== undefined) readDelta(wholeMessage);
      flush(reasoning, content, think);
      calls.settle();
      if (choiceIndex === undefined && words !== undefined) fail(readErrorValue(words));
      const failedReason = finishReason !== undefined && readFinish(finishReason) === "error";
      if (failedReason)
        answer.fail(
          choiceError === undefined
            ? { kind: "unavailable", message: "The service broke off the answer.", code: finishReason ?? "" }
            : readErrorValue({ error: choiceError }),
        );
      sources.end();
      const done = ending.done && !serviceFailed;
      const cut = endCalls(done);
      const opaque = toOpaque();
      if (Object.keys(opaque).length > 0) {
        answer.emit({ type: "opaque", block: answer.newBlock(), family: "chat-completions", data: opaque });
      }
      if (usage !== undefined) answer.emit({ type: "usage", ...readUsage(usage) });
      const raw = finishReason === undefined ? {} : { raw: finishReason };
      answer.emit({ type: "message-end", finish: toFinish(done), ...raw, cut });
    },
  };
}

function indexOf(choice: JsonRecord): number {
  return asNumber(choice["index"]) ?? 0;
}

function readIdentity(chunk: JsonRecord): { id?: string; model?: string } {
  const id = asText(chunk["id"]);
  const model = asText(chunk["model"]);
  return { ...(id === undefined ? {} : { id }), ...(model === undefined ? {} : { model }) };
}

function isCount(value: unknown): boolean {
  const number = asNumber(value);
  return number !== undefined && number > 0;
}
