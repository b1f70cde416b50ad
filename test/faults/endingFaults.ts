/** Quirks Q-E: streams that end too early, too late or with another finish reason. */
import * as z from "zod/mini";
import { onChunk, withChoice, withDelta, type ChatChunk } from "./chatChunk";
import { count, kind, nothing, oneOf } from "./faultKind";
import { hasContent, isFinish } from "./eventContent";
import { streamKind, type StreamFaultKind } from "./streamFaultKind";
import type { StreamOutput, StreamFault } from "../../src/localGateway/http/requestFaults";

/** Replaces everything after the nth event with content, or the finish of a shorter answer. */
export function afterContent(limit: number, instead: () => readonly StreamOutput[]): StreamFault {
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
