/** L1: the official client of messages, unmodified but for address and key: streamed text, a tool loop with parallel calls, an image, its own errors. */
import assert from "node:assert/strict";
import Anthropic from "@anthropic-ai/sdk";
import { blackPng, cityOf, limit, prompt, toolText, weather } from "./sdkSupport";
import { type GatewayUnderTest, startForTest } from "./support";

describe("local gateway: @anthropic-ai/sdk", () => {
  let test: GatewayUnderTest;
  before(async () => {
    test = await startForTest();
  });
  after(() => test.end());
  afterEach(() => test.ask("DELETE", "/_local/faults"));

  const client = (apiKey = test.gateway.key): Anthropic =>
    new Anthropic({ baseURL: test.gateway.url, apiKey, maxRetries: 0 });
  const tools: Anthropic.Tool[] = [
    {
      name: "get_weather",
      description: toolText,
      input_schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    },
  ];
  const model = "demo-messages";

  it("L1: streams text and thinking", async () => {
    const stream = client().messages.stream({
      model,
      max_tokens: 4_000,
      thinking: { type: "enabled", budget_tokens: 1_024 },
      messages: [{ role: "user", content: "think about rain and write 3 paragraphs" }],
    });
    let text = "";
    stream.on("text", (delta) => (text += delta));
    const message = await stream.finalMessage();
    const [thinking, answer] = message.content;
    assert.ok(thinking?.type === "thinking" && thinking.thinking !== "" && thinking.signature !== "");
    assert.ok(answer?.type === "text");
    assert.equal(answer.text, text);
    assert.equal(text.split("\n\n").length, 3);
    assert.equal(message.stop_reason, "end_turn");
    assert.ok(message.usage.output_tokens > 50);
  });

  it("L1 (finding 26): counts the tokens of a prompt", async () => {
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: "how many tokens are these words" }];
    const { input_tokens: counted } = await client().messages.countTokens({ model, messages, system: "be brief" });
    const { usage } = await client().messages.create({ model, messages, system: "be brief", max_tokens: 10 });
    assert.deepEqual([counted > 10, counted], [true, usage.input_tokens]);
  });

  it("L1: two rounds with parallel calls, thinking sent back with its signature", async () => {
    const body = {
      model,
      max_tokens: 4_000,
      thinking: { type: "enabled", budget_tokens: 1_024 },
      tools,
    } as const satisfies Partial<Anthropic.MessageCreateParams>;
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: prompt }];
    const first = await client()
      .messages.stream({ ...body, tools, messages })
      .finalMessage();
    assert.equal(first.stop_reason, "tool_use");
    assert.equal(first.content[0]?.type, "thinking");
    const calls = first.content.filter((block) => block.type === "tool_use");
    assert.equal(calls.length, 2);
    messages.push(
      { role: "assistant", content: first.content },
      {
        role: "user",
        content: calls.map(({ id, input }) => ({
          type: "tool_result" as const,
          tool_use_id: id,
          content: weather[cityOf(input)],
        })),
      },
    );
    const second = await client().messages.create({ ...body, tools, messages });
    const text = second.content.map((block) => (block.type === "text" ? block.text : "")).join("");
    assert.match(text, /sunny, 21 degrees.*rain, 17 degrees/s);
    const forged = first.content.map((block) =>
      block.type === "thinking" ? { ...block, thinking: `${block.thinking}!` } : block,
    );
    messages[1] = { role: "assistant", content: forged };
    await assert.rejects(client().messages.create({ ...body, tools, messages }), (error) => {
      assert.ok(error instanceof Anthropic.BadRequestError);
      assert.match(error.message, /cannot be modified/);
      return true;
    });
  });

  it("L1: sends an image, obeys max_tokens", async () => {
    const data = await blackPng(64, 48);
    const seen = await client().messages.create({
      model,
      max_tokens: 1_000,
      messages: [
        {
          role: "user",
          content: [
            { type: "image", source: { type: "base64", media_type: "image/png", data } },
            { type: "text", text: "what is this?" },
          ],
        },
      ],
    });
    assert.ok(seen.content[0]?.type === "text");
    assert.match(seen.content[0].text, /a PNG of 64 × 48/);
    const short = await client().messages.create({
      model,
      max_tokens: 7,
      messages: [{ role: "user", content: "write 3 paragraphs" }],
    });
    assert.deepEqual([short.stop_reason, short.usage.output_tokens], ["max_tokens", 7]);
  });

  it("L1: gets its own typed errors, and its list of models", async () => {
    const ask = (by: Anthropic, name = model): Promise<unknown> =>
      by.messages.create({ model: name, max_tokens: 100, messages: [{ role: "user", content: "hello" }] });
    await assert.rejects(ask(client("wrong")), (error) => {
      assert.ok(error instanceof Anthropic.AuthenticationError);
      assert.deepEqual([error.status, error.type], [401, "authentication_error"]);
      assert.match(error.requestID ?? "", /^req_/);
      return true;
    });
    await limit(test, "POST /v1/messages");
    await assert.rejects(ask(client()), (error) => {
      assert.ok(error instanceof Anthropic.RateLimitError);
      assert.deepEqual([error.type, error.headers.get("retry-after")], ["rate_limit_error", "7"]);
      return true;
    });
    for (const name of ["none", "demo-chat"]) {
      await assert.rejects(ask(client(), name), (error) => {
        assert.ok(error instanceof Anthropic.NotFoundError);
        assert.equal(error.type, "not_found_error");
        return true;
      });
    }
    const list = await client().models.list();
    assert.deepEqual(
      list.data.map(({ id, type }) => [id, type]),
      [[model, "model"]],
    );
  });
});
