/** Quirks Q-R: errors inside a stream that began with status 200. */
import type { Family } from "../../src/domain/chat/chatEvent";
import { onChunk, withChoice } from "./chatChunk";
import { afterContent } from "./endingFaults";
import { count, kind, nothing, oneOf } from "./faultKind";
import { streamKind, type StreamFaultKind } from "./streamFaultKind";
import type { StreamOutput, StreamEvent } from "../../src/localGateway/http/requestFaults";

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

const close: StreamOutput = { ending: "close" };
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
