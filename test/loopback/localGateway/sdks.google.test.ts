/** L1: the official client of generate content, unmodified but for address and key: streamed text, a tool loop with parallel calls, an image, its own errors. */
import assert from "node:assert/strict";
import { ApiError, type Content, GoogleGenAI, Type } from "@google/genai";
import { definedFields } from "../../../src/base/definedFields";
import { blackPng, cityOf, limit, prompt, toolText, weather } from "./sdkSupport";
import { type GatewayUnderTest, startForTest } from "./support";

describe("local gateway: @google/genai", () => {
  let test: GatewayUnderTest;
  before(async () => {
    test = await startForTest();
  });
  after(() => test.end());
  afterEach(() => test.ask("DELETE", "/_local/faults"));

  const client = (apiKey = test.gateway.key, apiVersion?: string): GoogleGenAI =>
    new GoogleGenAI({
      apiKey,
      httpOptions: { baseUrl: test.gateway.url, ...definedFields({ apiVersion }) },
    });
  const model = "demo-generate";
  const tools = [
    {
      functionDeclarations: [
        {
          name: "get_weather",
          description: toolText,
          parameters: { type: Type.OBJECT, properties: { city: { type: Type.STRING } }, required: ["city"] },
        },
      ],
    },
  ];

  it("L1: streams text under both versions of the path", async () => {
    for (const version of [undefined, "v1"]) {
      const stream = await client(undefined, version).models.generateContentStream({
        model,
        contents: "write 3 paragraphs",
      });
      let text = "";
      let last;
      for await (const chunk of stream) {
        text += chunk.text ?? "";
        last = chunk;
      }
      assert.equal(text.split("\n\n").length, 3);
      assert.equal(last?.candidates?.[0]?.finishReason, "STOP");
      assert.ok((last.usageMetadata?.candidatesTokenCount ?? 0) > 50);
    }
  });

  it("L1 (finding 26): counts the tokens of a prompt", async () => {
    const contents = "how many tokens are these words";
    for (const version of [undefined, "v1"]) {
      const { totalTokens = 0 } = await client(undefined, version).models.countTokens({ model, contents });
      const { usageMetadata } = await client(undefined, version).models.generateContent({ model, contents });
      assert.deepEqual([totalTokens > 5, totalTokens], [true, usageMetadata?.promptTokenCount]);
    }
  });

  it("L1: two rounds with parallel calls, the signature sent back on its part", async () => {
    const contents: Content[] = [{ role: "user", parts: [{ text: prompt }] }];
    const config = { tools, thinkingConfig: { includeThoughts: true } };
    const first = await client().models.generateContent({ model, contents, config });
    const calls = first.functionCalls ?? [];
    assert.equal(calls.length, 2);
    const asked = first.candidates![0]!.content!;
    assert.ok(asked.parts!.some(({ thought }) => thought === true));
    contents.push(asked, {
      role: "user",
      parts: calls.map(({ id, name, args }) => ({
        functionResponse: {
          name: name!,
          response: { output: weather[cityOf(args)] },
          ...definedFields({ id }),
        },
      })),
    });
    const second = await client().models.generateContent({ model, contents, config });
    assert.match(second.text ?? "", /sunny, 21 degrees.*rain, 17 degrees/s);
    contents[1] = { role: "model", parts: asked.parts!.map(({ thoughtSignature: _, ...part }) => part) };
    await assert.rejects(client().models.generateContent({ model, contents, config }), (error) => {
      assert.ok(error instanceof ApiError && error.status === 400);
      assert.match(error.message, /missing a thought_signature/);
      return true;
    });
  });

  it("L1: sends an image, gets JSON", async () => {
    const data = await blackPng(64, 48);
    const seen = await client().models.generateContent({
      model,
      contents: [{ role: "user", parts: [{ inlineData: { mimeType: "image/png", data } }, { text: "what?" }] }],
    });
    assert.match(seen.text ?? "", /a PNG of 64 × 48/);
    const json = await client().models.generateContent({
      model,
      contents: "a gate, please",
      config: {
        responseMimeType: "application/json",
        responseSchema: {
          type: Type.OBJECT,
          properties: { name: { type: Type.STRING }, open: { type: Type.BOOLEAN } },
          required: ["name", "open"],
        },
      },
    });
    const { name, open } = JSON.parse(json.text!) as { name: unknown; open: unknown };
    assert.deepEqual([typeof name, typeof open], ["string", "boolean"]);
  });

  it("L1: gets its own errors, and its list of models", async () => {
    const fails = async (by: GoogleGenAI, name: string, status: number, words: RegExp): Promise<void> => {
      await assert.rejects(by.models.generateContent({ model: name, contents: "hello" }), (error) => {
        assert.ok(error instanceof ApiError);
        assert.equal(error.status, status);
        assert.match(error.message, words);
        return true;
      });
    };
    await fails(client("wrong"), model, 400, /API_KEY_INVALID/);
    await limit(test, "POST /v1/models/{model}:generateContent");
    await fails(client(), model, 429, /RESOURCE_EXHAUSTED.*"retryDelay":"7s"/);
    for (const name of ["none", "demo-chat"]) await fails(client(), name, 404, /NOT_FOUND/);
    const names: (string | undefined)[] = [];
    for await (const one of await client().models.list()) names.push(one.name);
    assert.deepEqual(names, [`models/${model}`]);
  });
});
