/** What refusals for length say of sizes: each service puts its numbers elsewhere. */
import assert from "node:assert/strict";
import { readErrorResponse } from "../../../../src/gateway/http/serviceError";
import { otherLimits, overflowBodies } from "../../../fixtures/overflowBodies";

/** Tokens of the context, and of the refused prompt. */
const sizes: Readonly<Record<string, readonly [contextSize?: number, promptSize?: number]>> = {
  OpenAI: [8192, 10362],
  Anthropic: [200_000, 213_462],
  // The prompt alone is shorter.
  "Anthropic, with the answer": [200_000],
  Gemini: [1_048_575, 1_196_265],
  "Gemini, older": [32_768],
  "llama.cpp": [4096, 9001],
  "llama.cpp, with counts": [4096, 9001],
  vLLM: [4096, 5123],
  "vLLM, prompt alone": [4096, 5123],
  "vLLM, newest": [8192, 8193],
  SGLang: [4096, 5123],
  "SGLang, with the answer": [4096, 5123],
  "LM Studio, overflow": [4096, 4611],
  "text-generation-inference": [4097, 5001],
  "text-generation-inference, inputs": [1024, 1512],
  Cerebras: [8192, 9012],
  Mistral: [32_768, 40_123],
  "Cohere, prompt": [4081, 5012],
  DeepSeek: [65_536, 70_001],
  xAI: [131_072, 200_123],
  Moonshot: [8192],
  DashScope: [98_304],
  Fireworks: [32_767, 33_012],
  OpenRouter: [200_000, 251_234],
  Copilot: [128_000, 130_123],
  LiteLLM: [200_000, 213_462],
  Volcengine: [131_072, 131_073],
};

describe("sizes in refusals for length", () => {
  const read = ([status, body]: readonly [number, unknown]): ReturnType<typeof readErrorResponse> =>
    readErrorResponse({ status, headers: { get: () => undefined }, text: JSON.stringify(body), now: 0 });

  for (const [service, answered] of Object.entries(overflowBodies))
    it(`A6 (agent finding 2): ${service}`, () => {
      const { kind, contextSize, promptSize } = read(answered);
      const [context, prompt] = sizes[service] ?? [];
      assert.deepEqual(
        { kind, contextSize, promptSize },
        { kind: "too-large", contextSize: context, promptSize: prompt },
      );
    });

  it("A6: other refusals name no size of a context", () => {
    for (const answered of Object.values(otherLimits)) assert.equal(read(answered).contextSize, undefined);
  });
});
