/** What a person set for a model, in the words of each family; and what is sent where nothing is set: nothing. */
import assert from "node:assert/strict";
import type { Family } from "../../../../src/domain/chat/chatEvent";
import type { ChatRequest } from "../../../../src/domain/chat/message";
import type { ModelOptions } from "../../../../src/domain/chat/modelOptions";
import { familyDefinitions } from "../../../../src/gateway/families/familyDefinitions";
import { writeRoute } from "../../../../src/gateway/stream/streamChat";
import type { AnyVariant } from "../families/histories";

const families: readonly Family[] = ["chat-completions", "messages", "generate-content"];

/** What the options add to the body. */
function added(
  family: Family,
  options: ModelOptions,
  { model = "m", variant = {} }: { model?: string; variant?: Partial<AnyVariant> } = {},
): Record<string, unknown> {
  const request: ChatRequest = {
    family,
    model,
    messages: [{ role: "user", parts: [{ type: "text", text: "Hi" }] }],
    tools: [],
  };
  const body = (of: ChatRequest): Record<string, unknown> =>
    JSON.parse(writeRoute(of, { ...familyDefinitions[of.family].firstVariant, ...variant }).body) as Record<
      string,
      unknown
    >;
  const plain = body(request);
  const whole = body({ ...request, options });
  for (const name of Object.keys(plain)) assert.ok(name in whole, name);
  return Object.fromEntries(
    Object.entries(whole).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(plain[name])),
  );
}

describe("requestOptions", () => {
  it("C5: what is not set is not sent, and neither is that a model can think", () => {
    for (const family of families) assert.deepEqual(added(family, {}), {});
    for (const family of ["chat-completions", "messages"] as const) {
      for (const thinking of [true, false]) assert.deepEqual(added(family, { thinking }), {});
    }
    assert.deepEqual(added("generate-content", { thinking: false }), {});
  });

  it("C5: chat completions: effort, temperature, and the limit by the name that the model knows", () => {
    const options = { thinking: "high", temperature: 0, maxOutputTokens: 9 } as const;
    assert.deepEqual(added("chat-completions", options), { reasoning_effort: "high", temperature: 0, max_tokens: 9 });
    assert.deepEqual(added("chat-completions", { thinking: "off" }), { reasoning_effort: "none" });
    for (const model of ["o3", "vendor/o4-mini", "gpt-5", "openai/gpt-6-x"]) {
      assert.deepEqual(added("chat-completions", { maxOutputTokens: 9 }, { model }), { max_completion_tokens: 9 });
    }
    for (const model of ["gpt-4o", "demo-o3", "foo3"]) {
      assert.deepEqual(added("chat-completions", { maxOutputTokens: 9 }, { model }), { max_tokens: 9 });
    }
    const variant = { limitField: "max_tokens" } as const;
    assert.deepEqual(added("chat-completions", { maxOutputTokens: 9 }, { model: "o3", variant }), { max_tokens: 9 });
  });

  it("C5: messages: effort for models that think as they need to, tokens for those before them", () => {
    assert.deepEqual(added("messages", { thinking: "low" }), {
      max_tokens: 12_288,
      thinking: { type: "adaptive", display: "summarized" },
      output_config: { effort: "low" },
    });
    const variant = { thinkingBudget: true };
    assert.deepEqual(added("messages", { thinking: "high" }, { variant }), {
      max_tokens: 32_768,
      thinking: { type: "enabled", budget_tokens: 24_576 },
    });
    assert.deepEqual(added("messages", { thinking: "off" }), { thinking: { type: "disabled" } });
    assert.deepEqual(added("messages", { temperature: 0.5 }), { temperature: 0.5 });
  });

  it("C5: messages: the limit is always there: the one that is set, else what the model can do, else 8192", () => {
    assert.deepEqual(added("messages", { maxOutputTokens: 100, outputSize: 64_000 }), { max_tokens: 100 });
    assert.deepEqual(added("messages", { outputSize: 64_000 }), { max_tokens: 64_000 });
    assert.deepEqual(added("messages", { outputSize: 4096 }), {});
  });

  it("C5: messages: a budget leaves room for the answer, and is none where there is no room", () => {
    const variant = { thinkingBudget: true };
    const budget = (maxOutputTokens: number): unknown =>
      added("messages", { thinking: "high", maxOutputTokens }, { variant })["thinking"];
    assert.deepEqual(budget(5000), { type: "enabled", budget_tokens: 3976 });
    assert.deepEqual(budget(2048), { type: "enabled", budget_tokens: 1024 });
    assert.equal(budget(2047), undefined);
  });

  it("C5: generate content: a level from version 3 on, tokens before, thoughts shown", () => {
    const config = (options: ModelOptions, model: string): unknown =>
      added("generate-content", options, { model })["generationConfig"];
    assert.deepEqual(config({ thinking: true }, "m"), { thinkingConfig: { includeThoughts: true } });
    assert.deepEqual(config({ thinking: "medium", maxOutputTokens: 9, temperature: 1 }, "gemini-3-pro"), {
      maxOutputTokens: 9,
      temperature: 1,
      thinkingConfig: { includeThoughts: true, thinkingLevel: "MEDIUM" },
    });
    assert.deepEqual(config({ thinking: "low" }, "vendor/gemini-2.5-flash"), {
      thinkingConfig: { includeThoughts: true, thinkingBudget: 4096 },
    });
    assert.deepEqual(config({ thinking: "off" }, "gemini-2.5-flash"), { thinkingConfig: { thinkingBudget: 0 } });
    assert.deepEqual(config({ thinking: "off" }, "m"), { thinkingConfig: { thinkingLevel: "MINIMAL" } });
  });

  it("C5: extra fields go over everything else, into objects and in place of lists", () => {
    assert.deepEqual(added("chat-completions", { extraBody: { enable_thinking: true, stream_options: { x: 1 } } }), {
      enable_thinking: true,
      stream_options: { include_usage: true, x: 1 },
    });
    const extraBody = { generationConfig: { topK: 3, temperature: 1 }, contents: [] };
    assert.deepEqual(added("generate-content", { temperature: 0, maxOutputTokens: 9, extraBody }), {
      generationConfig: { maxOutputTokens: 9, temperature: 1, topK: 3 },
      contents: [],
    });
    assert.deepEqual(added("messages", { extraBody: { max_tokens: 5 } }), { max_tokens: 5 });
  });

  it("C5: extra fields with odd names are fields and nothing else", () => {
    const extraBody = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"x":1}}') as Record<string, unknown>;
    const body = JSON.stringify(added("chat-completions", { extraBody }));
    assert.match(body, /"constructor":\{"x":1\}/);
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  });
});
