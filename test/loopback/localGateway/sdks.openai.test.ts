/** L1: the official client of chat completions, unmodified but for address and key: streamed text, a tool loop with parallel calls, an image, its own errors. */
import assert from "node:assert/strict";
import OpenAI from "openai";
import { blackPng, cityOf, limit, prompt, toolText, weather } from "./sdkSupport";
import { type GatewayUnderTest, startForTest } from "./support";

describe("local gateway: openai", () => {
  let test: GatewayUnderTest;
  before(async () => {
    test = await startForTest();
  });
  after(() => test.end());
  afterEach(() => test.ask("DELETE", "/_local/faults"));

  const client = (apiKey = test.gateway.key): OpenAI =>
    new OpenAI({ baseURL: `${test.gateway.url}/v1`, apiKey, maxRetries: 0 });
  const tools: OpenAI.ChatCompletionTool[] = [
    {
      type: "function",
      function: {
        name: "get_weather",
        description: toolText,
        parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
      },
    },
  ];

  it("L1: streams text with usage", async () => {
    const stream = await client().chat.completions.create({
      model: "demo-chat",
      messages: [{ role: "user", content: "write 3 paragraphs" }],
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = "";
    let output = 0;
    let finish: string | undefined;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? "";
      finish = chunk.choices[0]?.finish_reason ?? finish;
      output = chunk.usage?.completion_tokens ?? output;
    }
    assert.equal(text.split("\n\n").length, 3);
    assert.equal(finish, "stop");
    assert.ok(output > 50, `${output}`);
  });

  it("L1: two rounds with parallel calls, by the helper that gathers a stream", async () => {
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: prompt }];
    const first = await client().chat.completions.stream({ model: "demo-chat", messages, tools }).finalChatCompletion();
    const asked = first.choices[0]!.message;
    assert.equal(first.choices[0]!.finish_reason, "tool_calls");
    assert.equal(asked.tool_calls?.length, 2);
    messages.push(asked);
    for (const call of asked.tool_calls) {
      messages.push({
        role: "tool",
        tool_call_id: call.id,
        content: weather[cityOf(JSON.parse(call.function.arguments))],
      });
    }
    const second = await client().chat.completions.create({ model: "demo-chat", messages, tools });
    assert.match(second.choices[0]!.message.content ?? "", /sunny, 21 degrees.*rain, 17 degrees/s);
  });

  it("L1: sends an image, gets JSON", async () => {
    const seen = await client().chat.completions.create({
      model: "demo-chat",
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "what is this?" },
            { type: "image_url", image_url: { url: `data:image/png;base64,${await blackPng(64, 48)}` } },
          ],
        },
      ],
    });
    assert.match(seen.choices[0]!.message.content ?? "", /a PNG of 64 × 48/);
    const schema = {
      type: "object",
      properties: { name: { type: "string" }, level: { type: "integer", minimum: 1, maximum: 3 } },
      required: ["name", "level"],
      additionalProperties: false,
    };
    const json = await client().chat.completions.create({
      model: "demo-chat",
      messages: [{ role: "user", content: "a gate, please" }],
      response_format: { type: "json_schema", json_schema: { name: "gate", schema, strict: true } },
    });
    const { name, level } = JSON.parse(json.choices[0]!.message.content!) as { name: unknown; level: unknown };
    assert.ok(typeof name === "string" && typeof level === "number" && level >= 1 && level <= 3);
  });

  it("L1: gets its own typed errors, and the list of models", async () => {
    const ask = (by: OpenAI, model = "demo-chat"): Promise<unknown> =>
      by.chat.completions.create({ model, messages: [{ role: "user", content: "hello" }] });
    await assert.rejects(ask(client("sk-wrong")), (error) => {
      assert.ok(error instanceof OpenAI.AuthenticationError);
      assert.deepEqual([error.status, error.code], [401, "invalid_api_key"]);
      return true;
    });
    await limit(test, "POST /v1/chat/completions");
    await assert.rejects(ask(client()), (error) => {
      assert.ok(error instanceof OpenAI.RateLimitError);
      assert.equal(error.headers.get("retry-after"), "7");
      return true;
    });
    for (const model of ["none", "demo-messages"]) {
      await assert.rejects(ask(client(), model), (error) => {
        assert.ok(error instanceof OpenAI.NotFoundError);
        assert.equal(error.code, "model_not_found");
        assert.match(error.requestID ?? "", /^req_/);
        return true;
      });
    }
    const ids = (await client().models.list()).data.map(({ id }) => id);
    assert.ok(ids.includes("demo-chat") && ids.includes("demo-video"));
    assert.equal((await client().models.retrieve("demo-chat")).id, "demo-chat");
  });
});
