/** L1, finding 26: what the service's document shows, and what it leaves open, is taken as it is written there. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text as readText } from "node:stream/consumers";
import { type Answered, errorCode, type GatewayUnderTest, startForTest } from "./support";

describe("local gateway: against the document", () => {
  let test: GatewayUnderTest;
  before(async () => {
    test = await startForTest();
  });
  after(() => test.end());

  const chat = (messages: readonly object[], more: object = {}): Promise<Answered> =>
    test.ask("POST", "/v1/chat/completions", { model: "demo-chat", messages, ...more });
  const textOf = ({ json }: Answered): string => {
    const [choice] = json["choices"] as { message: { content: string } }[];
    return choice!.message.content;
  };

  it("L1 (finding 26): an unknown model of a task is named by the document's field", async () => {
    const { json, status } = await test.ask("POST", "/v1/tasks", { task_type: "video", public_model: "none" });
    const { param, message } = json["error"] as Record<string, string>;
    assert.deepEqual([status, param, message!.startsWith("public_model: ")], [404, "public_model", true]);
  });

  it("L1 (finding 26): a task without a model, by an empty id, and nulls for what is optional", async () => {
    const empty = { public_model: null, prompt: null, idempotency_key: null, input_assets_json: null };
    for (const fields of [{ public_model: "" }, { ...empty, metadata_json: null }]) {
      const created = await test.ask("POST", "/v1/tasks", { task_type: "async_image", ...fields });
      assert.equal(created.status, 202, created.text);
      const { json } = await test.ask("GET", `/v1/tasks/${String(created.json["task_id"])}`);
      assert.equal(json["public_model"], "demo-image");
      const cancelled = await test.ask("POST", `/v1/tasks/${String(created.json["task_id"])}/cancel`, { reason: null });
      assert.equal(cancelled.status, 200, cancelled.text);
    }
  });

  it("L1 (finding 26): nulls for what is optional, in all three families", async () => {
    const nothing = { tools: null, tool_choice: null, response_format: null, parallel_tool_calls: null };
    const messages = [
      { role: "user", content: "hello" },
      { role: "assistant", content: "hello", tool_calls: null },
      { role: "user", content: "again" },
    ];
    const tool = { type: "function", function: { name: "look", description: null, parameters: null } };
    assert.equal((await chat(messages, nothing)).status, 200);
    assert.equal((await chat(messages, { tools: [tool] })).status, 200);
    const message = { model: "demo-messages", max_tokens: 100, messages: [{ role: "user", content: "hello" }] };
    assert.equal((await test.ask("POST", "/v1/messages", { ...message, system: null, ...nothing })).status, 200);
    const contents = [{ role: "user", parts: [{ text: "hello" }] }];
    const generate = { contents, tools: null, systemInstruction: null, generationConfig: { seed: null } };
    assert.equal((await test.ask("POST", "/v1/models/demo-generate:generateContent", generate)).status, 200);
  });

  it("L1 (finding 26): tool results without an id are those of the calls in their order", async () => {
    const call = (path: string, id?: string): object => ({
      ...(id === undefined ? {} : { id }),
      function: { name: "read_file", arguments: JSON.stringify({ path }) },
    });
    const question = { role: "user", content: "read a.txt and b.txt" };
    const result = (content: string, more: object = {}): object => ({ role: "tool", content, ...more });
    const calls = { role: "assistant", content: null, tool_calls: [call("a.txt", "x"), call("b.txt", "y")] };
    const text = textOf(await chat([question, calls, result("alpha"), result("beta")]));
    assert.ok(/a\.txt[^]*alpha[^]*b\.txt[^]*beta/.test(text), text);
    const mixed = textOf(await chat([question, calls, result("beta", { tool_call_id: "y" }), result("alpha")]));
    assert.equal(mixed, text);
    // The document shows the calls without ids too.
    const plain = { ...calls, tool_calls: [call("a.txt"), call("b.txt")] };
    assert.equal(textOf(await chat([question, plain, result("alpha"), result("beta")])), text);
    for (const wrong of [[result("alpha")], [result("alpha"), result("beta"), result("gamma")]]) {
      assert.equal(errorCode(await chat([question, calls, ...wrong])), "invalid_request");
    }
    assert.equal((await chat([question, calls, result("alpha", { tool_call_id: "z" }), result("beta")])).status, 400);
  });

  it("L1 (finding 26): a tool result is taken where only its message is sent back", async () => {
    const text = textOf(
      await chat([
        { role: "user", content: "the weather?" },
        { role: "tool", content: "it rains" },
      ]),
    );
    assert.match(text, /it rains/);
  });

  it("L1 (finding 26): three reference images of 20 MB travel in one create request", async () => {
    const image = Buffer.from(`"data:image/png;base64,${"A".repeat(26_700_000)}"`);
    // Written in pieces: a client that makes one text of them takes longer than the gateway.
    const sent = request(`${test.gateway.url}/v1/tasks`, {
      method: "POST",
      headers: { authorization: `Bearer ${test.gateway.key}`, "content-type": "application/json" },
    });
    sent.write('{"task_type":"video","input_assets_json":{"images":[');
    for (const before of ["", ",", ","]) {
      sent.write(before);
      sent.write(image);
    }
    sent.end("]}}");
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    const said = await readText(response);
    assert.equal(response.statusCode, 202, said.slice(0, 200));
  });

  it("L1 (finding 26): the same estimate counts a prompt in both families, and it costs nothing", async () => {
    const spent = test.gateway.balance.spent;
    const text = "count these words, as the usage of an answer does";
    const messages = { model: "demo-messages", messages: [{ role: "user", content: text }] };
    const counted = await test.ask("POST", "/v1/messages/count_tokens", messages);
    const contents = [{ role: "user", parts: [{ text }] }];
    const path = "/v1/models/demo-generate";
    const generated = await test.ask("POST", `${path}:countTokens`, { contents });
    assert.equal(test.gateway.balance.spent, spent);
    assert.equal(counted.json["input_tokens"], generated.json["totalTokens"]);
    const answered = await test.ask("POST", "/v1/messages", { ...messages, max_tokens: 10 });
    const usage = answered.json["usage"] as Record<string, number>;
    assert.equal(usage["input_tokens"], counted.json["input_tokens"]);
    const nested = { generateContentRequest: { model: "models/demo-generate", contents } };
    assert.deepEqual((await test.ask("POST", `${path}:countTokens`, nested)).json, generated.json);
    const refused = [
      await test.ask("POST", "/v1/messages/count_tokens", { ...messages, model: "none" }),
      await test.ask("POST", "/v1/models/none:countTokens", { contents }),
      await test.ask("POST", `${path}:countTokens`, []),
    ];
    assert.deepEqual(
      refused.map(({ status }) => status),
      [404, 404, 400],
    );
  });

  it("L1 (finding 26): the word for stylized images can be another one, in requests, lists and errors", async () => {
    let word = "drawn";
    const other = await startForTest({ stylizedImageWord: () => word });
    const create = (type: string): Promise<Answered> => other.ask("POST", "/v1/tasks", { task_type: type });
    const refused = await create("stylized_image");
    assert.deepEqual([refused.status, refused.text.includes('\\"drawn\\"')], [400, true]);
    const created = await create("drawn");
    assert.equal(created.status, 202);
    const { json } = await other.ask("GET", `/v1/tasks/${String(created.json["task_id"])}`);
    assert.equal(json["task_type"], 1);
    const { text } = await other.ask("GET", "/v1/models");
    assert.ok(text.includes('"task_types":["drawn","async_image"]'), text);
    word = "";
    assert.equal((await create("stylized_image")).status, 202);
    await other.end();
  });
});
