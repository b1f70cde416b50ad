/** What VS Code gets of a model, and how tokens are estimated. */
import assert from "node:assert/strict";
import { estimatePartTokens, modelInformation } from "../../../../src/agents/models/modelInformation";
import { home } from "../../../support/builders";

describe("modelInformation", () => {
  const sizes = (model: Parameters<typeof modelInformation>[0]): unknown => {
    const { maxInputTokens, maxOutputTokens } = modelInformation(model, { home, local: false });
    return [maxInputTokens, maxOutputTokens];
  };
  const model = { id: "vendor/m-1", family: "messages" } as const;

  it("V1, C5: sizes come from the gateway's list or the settings, capabilities that are not known are tried", () => {
    assert.deepEqual(sizes({ ...model, contextSize: 200_000, outputSize: 64_000 }), [136_000, 64_000]);
    assert.deepEqual(
      sizes({ ...model, contextSize: 200_000, outputSize: 64_000, maxOutputTokens: 1000 }),
      [199_000, 1000],
    );
    assert.deepEqual(sizes(model), [91_808, 8192]);
    assert.deepEqual(sizes({ ...model, contextSize: 2 }), [1, 1]);
    const of = (known: object): unknown => {
      const { tools, images } = modelInformation({ ...model, ...known }, { home, local: false });
      return [tools, images];
    };
    assert.deepEqual(
      [of({}), of({ tools: false, toolsRefused: true }), of({ images: false })],
      [
        [true, true],
        [false, true],
        [true, false],
      ],
    );
  });

  it("V1: it says which gateway the model is of, and that the local one is a demo model", () => {
    const { detail, tooltip, family } = modelInformation({ ...model, note: "made up" }, { home, local: false });
    assert.deepEqual([detail, family], ["gateway.example", "m-1"]);
    assert.match(tooltip, /vendor\/m-1 of gateway\.example.*\nmade up/);
    assert.match(modelInformation(model, { home, local: true }).detail, /demo model/);
  });

  it("V1: tokens are counted by length, pictures as services count them, what only its sender reads not at all", () => {
    const png = { type: "data" as const, mimeType: "image/png", data: new Uint8Array(9999) };
    const call = { type: "tool-call" as const, id: "x", name: "read", input: { a: 1 } };
    const result = {
      type: "tool-result" as const,
      id: "x",
      content: [{ type: "text" as const, text: "12345678" }, png],
      isError: false,
    };
    const count = (...parts: Parameters<typeof estimatePartTokens>[0]): number => estimatePartTokens(parts);
    assert.deepEqual(
      [
        count({ type: "text", text: "12345678" }),
        count(png),
        count(call),
        count(result),
        count({ ...png, mimeType: "stateful_marker" }),
      ],
      [2, 1200, 3, 1202, 0],
    );
  });
});
