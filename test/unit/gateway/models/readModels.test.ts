/** The model list in the form of each family. */
import assert from "node:assert/strict";
import { readModels } from "../../../../src/gateway/readModels";

describe("modelList", () => {
  it("C5: reads the model list in each shape, with what the gateway says of itself", () => {
    const capabilities = {
      family: "chat-completions",
      tools: true,
      note: "made up",
      task_types: ["video", "painter", "x"],
    };
    assert.deepEqual(readModels({ object: "list", data: [{ id: "m", capabilities }, { id: "n" }, {}] }, "painter"), [
      { id: "m", family: "chat-completions", note: "made up", tools: true, taskTypes: ["video", "stylized-image"] },
      { id: "n", family: "chat-completions" },
    ]);
    assert.deepEqual(readModels({ models: [{ name: "models/g" }] }, "painter"), [
      { id: "g", family: "chat-completions" },
    ]);
    assert.deepEqual(readModels({ nothing: 1 }, "painter"), []);
  });

  it("C5, T15: reads which sizes, durations and prompts a model for tasks takes; what can't be one is left out", () => {
    const read = (given: Readonly<Record<string, unknown>>): unknown =>
      readModels([{ id: "m", capabilities: { task_types: ["video"], ...given } }], "painter")[0]?.taskOptions;
    const options = { sizes: ["640x480", "wide", 3], durations: [4, "x", -1], max_prompt_length: 900 };
    assert.deepEqual(read(options), { sizes: ["640x480"], durations: [4], promptLimit: 900 });
    assert.equal(read({ sizes: "640x480", durations: {}, max_prompt_length: "many" }), undefined);
    assert.equal(readModels([{ id: "m", sizes: ["640x480"] }], "painter")[0]?.taskOptions, undefined);
  });

  it("C5, R4: a size that no context has is none: each request would be preceded by a paid summary", () => {
    const read = (size: unknown): unknown => readModels([{ id: "m", context_length: size }], "painter")[0]?.contextSize;
    assert.deepEqual([1, 0, -4096, 999, 0.5, "1", 1e300].map(read), Array(7).fill(undefined));
    assert.deepEqual([1000, 4096, 1e12].map(read), [1000, 4096, 1e12]);
  });

  it("C5: reads whether a model thinks, and how long an answer it can give", () => {
    const read = (model: Readonly<Record<string, unknown>>): unknown => {
      const [{ thinking, outputSize } = {}] = readModels({ data: [{ id: "m", ...model }] }, "painter");
      return [thinking, outputSize];
    };
    assert.deepEqual(read({ capabilities: { thinking: true, max_output_tokens: 9000 } }), [true, 9000]);
    assert.deepEqual(read({ capabilities: { thinking: false } }), [false, undefined]);
    assert.deepEqual(read({ capabilities: ["thinking"], outputTokenLimit: 65_536 }), [true, 65_536]);
    assert.deepEqual(read({ type: "model", max_tokens: 64_000 }), [undefined, 64_000]);
    assert.deepEqual(read({ max_tokens: 200_000 }), [undefined, undefined], "the context, for all we know");
    assert.deepEqual(read({ outputTokenLimit: -1, capabilities: { thinking: "much" } }), [undefined, undefined]);
  });
});
