/** The finish reason and the usage of a chat completion, as the many servers write them (Q-E6). */
import { definedFields } from "../../../base/definedFields";
import type { Finish, Usage } from "../../../domain/chat";
import { asCount, asRecord, type JsonRecord } from "../../jsonValue";

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

/** Tokens. `output` includes the thinking also where a server counts it separately, which shows in the total. */
export function readUsage(raw: JsonRecord): Usage {
  const input = asCount(raw["prompt_tokens"]) ?? asCount(raw["input_tokens"]);
  const completion = asCount(raw["completion_tokens"]) ?? asCount(raw["output_tokens"]);
  const total = asCount(raw["total_tokens"]);
  const inputDetails = asRecord(raw["prompt_tokens_details"]) ?? asRecord(raw["input_tokens_details"]);
  const outputDetails = asRecord(raw["completion_tokens_details"]) ?? asRecord(raw["output_tokens_details"]);
  const beyond = total !== undefined && input !== undefined && total > input + (completion ?? 0);
  const output = beyond ? total - input : completion;
  const reasoning = asCount(outputDetails?.["reasoning_tokens"]) ?? asCount(raw["reasoning_tokens"]);
  const cacheRead =
    asCount(inputDetails?.["cached_tokens"]) ??
    asCount(raw["prompt_cache_hit_tokens"]) ??
    asCount(raw["cached_tokens"]);
  const cacheWrite = asCount(inputDetails?.["cache_write_tokens"]);
  return {
    ...definedFields({ input, output, reasoning, cacheRead, cacheWrite }),
    raw,
  };
}
