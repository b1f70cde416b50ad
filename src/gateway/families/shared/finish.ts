/** The finish reason, as the many servers write it (Q-E6). */
import type { Finish } from "../../../domain/chat/chatEvent";

const finishes: Readonly<Record<string, Finish>> = {
  stop: "stop",
  end_turn: "stop",
  eos: "stop",
  eos_token: "stop",
  stop_sequence: "stop",
  complete: "stop",
  completed: "stop",
  length: "length",
  max_tokens: "length",
  max_output_tokens: "length",
  model_length: "length",
  tool_calls: "tool-calls",
  tool_call: "tool-calls",
  tool_use: "tool-calls",
  function_call: "tool-calls",
  content_filter: "content-filter",
  content_filtered: "content-filter",
  safety: "content-filter",
  sensitive: "content-filter",
  refusal: "refusal",
  pause_turn: "pause",
  model_context_window_exceeded: "context-window",
  context_length_exceeded: "context-window",
  function_call_filter: "error",
  error: "error",
  network_error: "error",
  insufficient_system_resource: "error",
  abort: "error",
};

/** An unlisted reason is `unknown`, and is shown raw. */
export function readFinish(reason: string): Finish {
  // `content_filter: SAFETY`: the kind, then a detail.
  const name = reason.toLowerCase().replaceAll("-", "_").replace(/:.*$/s, "").trim();
  return Object.hasOwn(finishes, name) ? (finishes[name] ?? "unknown") : "unknown";
}
