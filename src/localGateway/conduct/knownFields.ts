/** The known top-level fields of request bodies, by route. */

const chat =
  "model messages stream stream_options tools tool_choice parallel_tool_calls response_format max_completion_tokens " +
  "max_tokens temperature top_p presence_penalty frequency_penalty seed stop reasoning_effort verbosity user " +
  "safety_identifier prompt_cache_key metadata service_tier n logprobs top_logprobs logit_bias functions function_call " +
  "thinking enable_thinking reasoning store modalities prediction web_search_options";
const responses =
  "model input instructions previous_response_id stream stream_options store include tools tool_choice parallel_tool_calls " +
  "max_tool_calls max_output_tokens temperature top_p top_logprobs reasoning text truncation user safety_identifier " +
  "prompt_cache_key prompt_cache_retention metadata client_metadata service_tier background conversation prompt context_management";
const messages =
  "model messages max_tokens system stream tools tool_choice thinking output_config temperature top_p top_k " +
  "stop_sequences metadata service_tier cache_control container context_management mcp_servers";
const generate =
  "contents systemInstruction system_instruction tools toolConfig tool_config generationConfig generation_config " +
  "safetySettings safety_settings cachedContent cached_content continuationToken model";

const byRoute: Readonly<Record<string, string>> = {
  "POST /v1/tasks": "task_type public_model prompt idempotency_key input_assets_json metadata_json",
  "POST /v1/tasks/{task_id}/cancel": "reason",
  "POST /v1/chat/completions": chat,
  "POST /v1/responses": responses,
  "POST /v1/messages": messages,
  "POST /v1/messages/count_tokens": messages,
  "POST /v1/models/{model}:countTokens": `${generate} generateContentRequest`,
  "POST /v1/models/{model}:generateContent": generate,
  "POST /v1/models/{model}:streamGenerateContent": generate,
};

export function unknownFields(route: string, body: unknown): readonly string[] {
  const known = byRoute[route]?.split(" ");
  if (known === undefined || typeof body !== "object" || body === null || Array.isArray(body)) return [];
  return Object.keys(body).filter((name) => !known.includes(name));
}
