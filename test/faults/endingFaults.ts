/** Quirks Q-E: streams that end too early, too late or with another finish reason. */
import * as z from "zod/mini";
import {
  onChunk,
  withChoice,
  withDelta,
  type ChatChunk,
  count,
  kind,
  nothing,
  oneOf,
  hasContent,
  isFinish,
  streamKind,
  type StreamFaultKind,
} from "./faultKind";
import type { StreamOutput, StreamFault, StreamEvent } from "../../src/localGateway/http/requestFaults";
import type { Family } from "../../src/domain/chat/chatEvent";

/** Replaces everything after the nth event with content, or the finish of a shorter answer. */
function afterContent(limit: number, instead: () => readonly StreamOutput[]): StreamFault {
  let seen = 0;
  return {
    event(event) {
      const isContent = hasContent(event);
      if (isFinish(event) || event.data === "[DONE]" || (isContent && seen >= limit)) return instead();
      if (isContent) seen += 1;
      return [event];
    },
  };
}

const done: StreamOutput = { data: "[DONE]" };
const close: StreamOutput = { ending: "close" };

/** Delays the last chunk with text until the finish chunk. */
function lateContent(form: "with-finish" | "after" | "twice"): StreamFault {
  let kept: ChatChunk | undefined;
  return onChunk((chunk, choice) => {
    if (choice.finish_reason === null) {
      if (typeof choice.delta.content !== "string" || choice.delta.content === "") return [{ data: chunk }];
      const passed = kept;
      kept = chunk;
      return passed === undefined ? [] : [{ data: passed }];
    }
    const last = kept === undefined ? [] : [{ data: kept }];
    if (form === "twice") return [...last, { data: chunk }, { data: chunk }];
    if (form === "after") return [{ data: chunk }, ...last];
    return [withDelta(chunk, kept?.choices[0].delta ?? {})];
  });
}

export const endingFaults: readonly StreamFaultKind[] = [
  streamKind(kind("end.cut", "cuts the line of a stream after so many content chunks", count(3)), (limit) =>
    afterContent(limit, () => [{ ending: "cut" }]),
  ),
  streamKind(kind("end.eof", "ends a stream after so many content chunks as if that were all", count(3)), (limit) =>
    afterContent(limit, () => [close]),
  ),
  streamKind(
    kind("end.fake-done", "ends a stream after so many content chunks with [DONE] and no finish reason", count(3)),
    (limit) => afterContent(limit, () => [done, close]),
    "chat-completions",
  ),
  streamKind(
    kind("end.no-finish", "ends a stream with [DONE] but gives no finish reason", nothing),
    () => ({ event: (event) => (isFinish(event) ? [] : [event]) }),
    "chat-completions",
  ),
  streamKind(
    kind("end.empty-finish", 'has finish_reason "" on ordinary chunks', nothing),
    () => onChunk((chunk, choice) => [withChoice(chunk, { ...choice, finish_reason: choice.finish_reason ?? "" })]),
    "chat-completions",
  ),
  streamKind(
    kind("end.variant", "gives this finish reason, whatever the answer was", z._default(z.string(), "stop")),
    (reason) =>
      onChunk((chunk, choice) => [
        choice.finish_reason === null ? { data: chunk } : withChoice(chunk, { ...choice, finish_reason: reason }),
      ]),
    "chat-completions",
  ),
  streamKind(
    kind(
      "end.late-content",
      "has content in the finish chunk, content after it, or the finish twice",
      oneOf("with-finish", "after", "twice"),
    ),
    lateContent,
    "chat-completions",
  ),
  streamKind(
    kind("end.no-message-stop", "ends a messages stream without message_stop", nothing),
    () => ({ event: (event) => (event.name === "message_stop" ? [] : [event]) }),
    "messages",
  ),
  streamKind(
    kind("end.no-done", "ends a stream without [DONE]", nothing),
    () => ({ event: (event) => (event.data === "[DONE]" ? [] : [event]) }),
    "chat-completions",
  ),
];

/** Quirks Q-R: errors inside a stream that began with status 200. */
const message = "The upstream of this model failed.";

/** The family's error event. */
function errorEvent(family: Family): StreamEvent {
  switch (family) {
    case "chat-completions":
      return { data: { error: { message, type: "server_error", code: "upstream_error", param: null } } };
    case "messages":
      return { name: "error", data: { type: "error", error: { type: "overloaded_error", message } } };
    case "generate-content":
      return { data: { error: { code: 503, message, status: "UNAVAILABLE" } } };
  }
}

/** The family's regular end of a stream. */
const properEnd = (family: Family): readonly StreamOutput[] =>
  family === "chat-completions" ? [{ data: "[DONE]" }, close] : [close];

const textForms = {
  line: `upstream error: ${message}\n\n`,
  field: `error: ${JSON.stringify({ detail: message })}\n\n`,
  object: `${JSON.stringify({ error: { code: 503, message, status: "UNAVAILABLE" } }, null, 2)}\n`,
} as const;

const chat = "chat-completions";

export const errorFaults: readonly StreamFaultKind[] = [
  streamKind(
    kind("err.in-stream", "sends an error beside empty choices after so many content chunks, then ends", count(0)),
    (limit) => {
      const { data } = errorEvent(chat);
      const error = typeof data === "object" ? data : {};
      return afterContent(limit, () => [{ data: { id: "", choices: [], ...error } }, ...properEnd(chat)]);
    },
    chat,
  ),
  streamKind(
    kind("err.event", "sends an event named error after so many content chunks, then ends", count(2)),
    (limit, { family }) => afterContent(limit, () => [{ name: "error", data: errorEvent(family).data }, close]),
  ),
  streamKind(
    kind("err.number-code", "sends an error whose code is this number after two content chunks, then ends", count(502)),
    (code) => {
      const data = { error: { message, code, metadata: { provider_name: "local" } } };
      return afterContent(2, () => [{ data }, ...properEnd(chat)]);
    },
    chat,
  ),
  streamKind(
    kind("err.finish-reason", 'gives the finish reason "error" and no error', nothing),
    () =>
      onChunk((chunk, choice) => [
        choice.finish_reason === null ? { data: chunk } : withChoice(chunk, { ...choice, finish_reason: "error" }),
      ]),
    chat,
  ),
  streamKind(
    kind("err.after-text", "sends an error after so many content chunks, then the family's ordinary end", count(5)),
    (limit, { family }) => afterContent(limit, () => [errorEvent(family), ...properEnd(family)]),
  ),
  streamKind(
    kind("err.no-done", "sends an error after so many content chunks and ends without [DONE]", count(2)),
    (limit) => afterContent(limit, () => [errorEvent(chat), close]),
    chat,
  ),
  streamKind(kind("err.first", "sends an error as the first event, then ends", nothing), (_, { family }) => ({
    event: () => [errorEvent(family), close],
  })),
  streamKind(
    kind(
      "err.text",
      "sends an error that is no event after two content chunks: a line, a field, or a bare JSON object",
      oneOf("line", "field", "object"),
    ),
    (form) => afterContent(2, () => [{ raw: textForms[form] }, close]),
  ),
];

/** Quirks Q-E9, Q-E10 and Q-R10: answers that end in order, but before they are whole. */
const record = z.record(z.string(), z.unknown());
const chunkSchema = z.looseObject({ choices: z.tuple([z.looseObject({ delta: record })]) });
const blockSchema = z.looseObject({
  type: z.enum(["content_block_start", "content_block_delta", "content_block_stop"]),
  index: z.int(),
});
const deltaSchema = z.looseObject({ type: z.literal("message_delta"), delta: record });
const candidateSchema = z.looseObject({ candidates: z.tuple([record]) });

/** The word of each family for the end of an answer. */
type Reasons = Readonly<Record<Family, string>>;

const atLimit: Reasons = { "chat-completions": "length", messages: "max_tokens", "generate-content": "MAX_TOKENS" };
const inOrder: Reasons = { "chat-completions": "stop", messages: "end_turn", "generate-content": "STOP" };

/** Leaves out what comes after so many events with content, thinking too, and gives that reason for the end. */
function endAfter(limit: number, reason: string): StreamFault {
  let seen = 0;
  /** Blocks of the messages family that were begun before. */
  const begun = new Set<number>();
  return {
    event(event): readonly StreamOutput[] {
      if (isFinish(event)) return [withReason(event, reason, seen >= limit)];
      const block = blockSchema.safeParse(event.data);
      if (block.success && block.data.type === "content_block_stop") return begun.has(block.data.index) ? [event] : [];
      if (seen >= limit && (block.success || isPart(event))) return [];
      if (block.success) begun.add(block.data.index);
      if (hasContent(event)) seen += 1;
      return [event];
    },
  };
}

/** Content or thinking in the two families without blocks; the first chunk of an answer, with nothing but a role, is none. */
function isPart({ data }: StreamEvent): boolean {
  const chunk = chunkSchema.safeParse(data);
  if (chunk.success) return Object.keys(chunk.data.choices[0].delta).some((name) => name !== "role");
  return candidateSchema.safeParse(data).success;
}

/** `isEmptied`: what the event has beside it comes after the end. */
function withReason({ name, data }: StreamEvent, reason: string, isEmptied: boolean): StreamEvent {
  const named = name === undefined ? {} : { name };
  const delta = deltaSchema.safeParse(data);
  if (delta.success) return { ...named, data: { ...delta.data, delta: { ...delta.data.delta, stop_reason: reason } } };
  const chunk = chunkSchema.safeParse(data);
  if (chunk.success) {
    const [choice] = chunk.data.choices;
    const kept = isEmptied ? { ...choice, delta: {} } : choice;
    return { ...named, data: { ...chunk.data, choices: [{ ...kept, finish_reason: reason }] } };
  }
  const body = candidateSchema.parse(data);
  const [candidate] = body.candidates;
  const kept = isEmptied ? { ...candidate, content: { parts: [], role: "model" } } : candidate;
  return { ...named, data: { ...body, candidates: [{ ...kept, finishReason: reason }] } };
}

export const finishFaults: readonly StreamFaultKind[] = [
  streamKind(
    kind("end.length", "ends a stream after so many content chunks as if the output limit were reached", count(3)),
    (limit, { family }) => endAfter(limit, atLimit[family]),
  ),
  streamKind(kind("end.empty", "ends a stream in order, without any content", nothing), (_, { family }) =>
    endAfter(0, inOrder[family]),
  ),
  streamKind(
    kind("err.malformed-call", "ends a stream without content, because the model's call could not be read", nothing),
    () => endAfter(0, "MALFORMED_FUNCTION_CALL"),
    "generate-content",
  ),
];
