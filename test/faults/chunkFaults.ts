/** Quirks Q-C: chat-completions chunks in other shapes. */
import {
  type ChatChunk,
  type ChunkDelta,
  onChunk,
  withChoice,
  withDelta,
  without,
  kind,
  nothing,
  oneOf,
  streamKind,
  type StreamFaultKind,
} from "./faultKind";
import type { FaultKind, StreamOutput, StreamFault, StreamInfo } from "../../src/localGateway/http/requestFaults";

/** Only the chat-completions family has these chunks. */
function chunkKind<T>(known: FaultKind<T>, open: (value: T, teller: StreamInfo) => StreamFault): StreamFaultKind {
  return streamKind(known, open, "chat-completions");
}

const hasText = ({ content }: ChunkDelta): boolean => typeof content === "string" && content !== "";

/** Adds a chunk with usage and empty choices at the end, also when the request did not ask for usage. */
function usageAtEnd(usage: () => unknown): StreamFault {
  let head: Record<string, unknown> = {};
  let hasUsage = false;
  return {
    event(event) {
      if (event.data === "[DONE]")
        return hasUsage ? [event] : [{ data: { ...head, choices: [], usage: usage() } }, event];
      if (typeof event.data === "object" && event.data !== null) {
        head = without({ ...event.data }, "choices");
        hasUsage ||= "usage" in event.data;
      }
      return [event];
    },
  };
}

/** Adds chunks without choices between the others. */
function choicesNull(): StreamFault {
  let passed = 0;
  return onChunk((chunk) => {
    passed += 1;
    const bare = without(chunk, "choices");
    return [{ data: passed % 2 === 1 ? { ...bare, choices: null } : bare }, { data: chunk }];
  });
}

function preamble(): StreamFault {
  let first = true;
  return onChunk((chunk) => {
    if (!first) return [{ data: chunk }];
    first = false;
    const filters = [{ prompt_index: 0, content_filter_results: {} }];
    return [{ data: { ...chunk, id: "", model: "", choices: [], prompt_filter_results: filters } }, { data: chunk }];
  });
}

function usageEach(form: "each" | "null" | "with-finish", usage: () => unknown): StreamFault {
  return onChunk((chunk, { finish_reason: finish }) => {
    if (form === "null") return [{ data: { ...chunk, usage: null } }];
    return [{ data: form === "each" || finish !== null ? { ...chunk, usage: usage() } : chunk }];
  });
}

function contentNull(form: "null" | "empty" | "missing" | "parts"): StreamFault {
  const hollow = { null: { content: null }, empty: { content: "" }, missing: {} };
  return onChunk((chunk, { delta }) => {
    if (!hasText(delta)) return [{ data: chunk }];
    if (form === "parts") return [withDelta(chunk, { ...delta, content: [{ type: "text", text: delta.content }] })];
    return [withDelta(chunk, hollow[form]), { data: chunk }];
  });
}

function reasoningAs(form: "reasoning" | "think" | "both"): StreamFault {
  let open = false;
  return onChunk((chunk, { delta, finish_reason: finish }) => {
    const { reasoning_content: text, ...others } = delta;
    if (form === "reasoning")
      return [text === undefined ? { data: chunk } : withDelta(chunk, { ...others, reasoning: text })];
    if (form === "both")
      return [text === undefined ? { data: chunk } : withDelta(chunk, { ...delta, reasoning: text })];
    if (text !== undefined) {
      const content = open ? text : `<think>${text}`;
      open = true;
      return [withDelta(chunk, { ...others, content })];
    }
    const ends = open && (hasText(delta) || delta.tool_calls !== undefined || finish !== null);
    if (!ends) return [{ data: chunk }];
    open = false;
    const close: StreamOutput = withChoice(chunk, { index: 0, delta: { content: "</think>" }, finish_reason: null });
    return [close, { data: chunk }];
  });
}

function cumulative(form: "both" | "reasoning" | "content"): StreamFault {
  let content = "";
  let reasoning = "";
  return onChunk((chunk, { delta }) => {
    content += delta.content ?? "";
    reasoning += delta.reasoning_content ?? "";
    const grown = {
      ...(form !== "reasoning" && hasText(delta) ? { content } : {}),
      ...(form !== "content" && delta.reasoning_content !== undefined ? { reasoning_content: reasoning } : {}),
    };
    return [withDelta(chunk, { ...delta, ...grown })];
  });
}

function noId(form: "missing" | "changing"): StreamFault {
  let passed = 0;
  return onChunk((chunk) => {
    passed += 1;
    if (form === "missing") return [{ data: without(chunk, "id", "object", "created", "model") }];
    return [{ data: { ...chunk, id: `gen-${passed}`, model: `vendor/model-${passed % 2}` } }];
  });
}

/** Adds an unrequested choice before the real one, or renames `delta` to `message`. */
function otherMessage(form: "message" | "choices"): StreamFault {
  return onChunk((chunk, choice) => {
    if (form === "message") return [withChoice(chunk, { ...without(choice, "delta"), message: choice.delta })];
    const other = { index: 1, delta: { content: "another answer " }, finish_reason: choice.finish_reason };
    return [{ data: { ...chunk, choices: [other, choice] } }];
  });
}

const addRole = (chunk: ChatChunk): StreamOutput => withDelta(chunk, { ...chunk.choices[0].delta, role: "assistant" });

export const chunkFaults: readonly StreamFaultKind[] = [
  chunkKind(
    kind("chunk.usage-empty-choices", "sends usage with empty choices at the end, asked for or not", nothing),
    (_, { usage }) => usageAtEnd(usage),
  ),
  chunkKind(kind("chunk.choices-null", "sends chunks with choices null or missing between the others", nothing), () =>
    choicesNull(),
  ),
  chunkKind(kind("chunk.preamble", "has no choices in the first chunk, but content filter results", nothing), () =>
    preamble(),
  ),
  chunkKind(
    kind(
      "chunk.usage-each",
      "has the usage so far on each chunk, null on each chunk, or all on the finish chunk",
      oneOf("each", "null", "with-finish"),
    ),
    (form, { usage }) => usageEach(form, usage),
  ),
  chunkKind(
    kind(
      "chunk.content-null",
      "sends chunks with content null, empty or missing between the others, or content as parts",
      oneOf("null", "empty", "missing", "parts"),
    ),
    (form) => contentNull(form),
  ),
  chunkKind(kind("chunk.role-repeat", "repeats the role on each chunk", nothing), () =>
    onChunk((chunk) => [addRole(chunk)]),
  ),
  chunkKind(
    kind(
      "chunk.reasoning",
      "has the thinking in reasoning, in <think> inside the content, or in both fields",
      oneOf("reasoning", "think", "both"),
    ),
    (form) => reasoningAs(form),
  ),
  chunkKind(
    kind(
      "chunk.cumulative",
      "sends the text so far instead of the new part: in both fields, reasoning or content",
      oneOf("both", "reasoning", "content"),
    ),
    (form) => cumulative(form),
  ),
  chunkKind(
    kind(
      "chunk.no-id",
      "leaves out id, object, created and model, or changes them midway",
      oneOf("missing", "changing"),
    ),
    (form) => noId(form),
  ),
  chunkKind(
    kind("chunk.message", "says message instead of delta, or adds a choice with index 1", oneOf("message", "choices")),
    (form) => otherMessage(form),
  ),
];
