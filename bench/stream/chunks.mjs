// Well-formed streams of any length, in the format of each family.

const words = [
  "The ",
  "quick ",
  "brown ",
  "fox ",
  "jumps ",
  "over ",
  "the ",
  "lazy ",
  "dog",
  ".\\n",
  "naïve ",
  "**bold** ",
].map((word) => word.replace("\\n", "\n"));

/** @param {string} family @param {number} count @returns {Generator<string>} */
export function* chunksOf(family, count) {
  const data = (/** @type {unknown} */ value) => `data: ${JSON.stringify(value)}\n\n`;
  const event = (/** @type {{ type: string }} */ value) => `event: ${value.type}\n${data(value)}`;
  if (family === "messages") {
    const usage = { input_tokens: 12, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 };
    const message = {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "m",
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    };
    yield event({ type: "message_start", ...{ message } });
    yield event({ type: "content_block_start", ...{ index: 0, content_block: { type: "text", text: "" } } });
    for (let at = 0; at < count; at++) {
      yield event({
        type: "content_block_delta",
        ...{ index: 0, delta: { type: "text_delta", text: words[at % words.length] } },
      });
    }
    yield event({ type: "content_block_stop", ...{ index: 0 } });
    yield event({
      type: "message_delta",
      ...{ delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: count } },
    });
    yield event({ type: "message_stop" });
  } else if (family === "generate-content") {
    for (let at = 0; at < count; at++) {
      const content = { parts: [{ text: words[at % words.length] }], role: "model" };
      const last = at === count - 1 ? { finishReason: "STOP" } : {};
      const usageMetadata = { promptTokenCount: 12, candidatesTokenCount: at + 1, totalTokenCount: at + 13 };
      yield data({ candidates: [{ content, ...last, index: 0 }], usageMetadata, modelVersion: "m", responseId: "r1" });
    }
  } else {
    const common = {
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      created: 1,
      model: "m",
      service_tier: "default",
      system_fingerprint: "fp",
    };
    for (let at = 0; at < count; at++) {
      const delta =
        at === 0 ? { role: "assistant", content: "", refusal: null } : { content: words[at % words.length] };
      const choices = [{ index: 0, delta, logprobs: null, finish_reason: null }];
      // Services pad their chunks, so that the length does not reveal the text.
      yield data({ ...common, choices, usage: null, obfuscation: "aB3dE5gH7jK".slice(at % 11) });
    }
    yield data({ ...common, choices: [{ index: 0, delta: {}, logprobs: null, finish_reason: "stop" }], usage: null });
    yield data({
      ...common,
      choices: [],
      usage: { prompt_tokens: 12, completion_tokens: count, total_tokens: count + 12 },
    });
    yield "data: [DONE]\n\n";
  }
}
