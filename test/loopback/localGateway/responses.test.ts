/** L1 (strangers L3): the responses API, by the official client as it comes: text, tools, pictures, references to earlier answers, and what Codex sends. */
import assert from "node:assert/strict";
import OpenAI from "openai";
import { startFakeOllama } from "../../support/fakeOllama";
import { blackPng, cityOf, prompt, toolText, weather } from "./sdkSupport";
import { dataLines, type GatewayUnderTest, startForTest } from "./support";

type Input = OpenAI.Responses.ResponseInputItem;

const tools: OpenAI.Responses.Tool[] = [
  {
    type: "function",
    name: "get_weather",
    description: toolText,
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    strict: false,
  },
];

describe("local gateway: responses", () => {
  let test: GatewayUnderTest;
  before(async () => {
    test = await startForTest();
  });
  after(() => test.end());
  afterEach(() => test.ask("DELETE", "/_local/faults"));

  const client = (): OpenAI =>
    new OpenAI({ baseURL: `${test.gateway.url}/v1`, apiKey: test.gateway.key, maxRetries: 0 });
  const post = (body: object): ReturnType<GatewayUnderTest["ask"]> =>
    test.ask("POST", "/v1/responses", { model: "demo-chat", ...body });
  const results = (calls: readonly OpenAI.Responses.ResponseFunctionToolCall[]): Input[] =>
    calls.map((call) => ({
      type: "function_call_output",
      call_id: call.call_id,
      output: weather[cityOf(JSON.parse(call.arguments))],
    }));
  const callsOf = (response: OpenAI.Responses.Response): readonly OpenAI.Responses.ResponseFunctionToolCall[] =>
    response.output.filter((item) => item.type === "function_call");

  it("L1 (strangers L3): streams text with numbered events and usage, which the client gathers into one response", async () => {
    const stream = client().responses.stream({ model: "demo-chat", input: "write 3 paragraphs" });
    const types = new Set<string>();
    const numbers: number[] = [];
    for await (const event of stream) {
      types.add(event.type);
      numbers.push(event.sequence_number);
    }
    const response = await stream.finalResponse();
    assert.equal(response.output_text.split("\n\n").length, 3);
    assert.equal(response.status, "completed");
    assert.ok(response.usage && response.usage.output_tokens > 50 && response.usage.input_tokens > 0);
    assert.deepEqual(
      numbers,
      numbers.map((_, index) => index),
    );
    for (const type of ["created", "output_item.added", "content_part.added", "output_text.done", "completed"]) {
      assert.ok(types.has(`response.${type}`), type);
    }
  });

  it("L1 (strangers L3): two rounds with parallel calls, with the items sent back, streamed and whole", async () => {
    for (const isStreamed of [true, false]) {
      const body = { model: "demo-chat", tools, store: false } as const;
      const ask = (input: Input[]): Promise<OpenAI.Responses.Response> =>
        isStreamed
          ? client()
              .responses.stream({ ...body, input })
              .finalResponse()
          : client().responses.create({ ...body, input });
      const input: Input[] = [{ role: "user", content: prompt }];
      const first = await ask(input);
      assert.equal(callsOf(first).length, 2);
      const second = await ask([...input, ...first.output, ...results(callsOf(first))] as Input[]);
      assert.match(second.output_text, /sunny, 21 degrees.*rain, 17 degrees/s);
    }
  });

  it("L1 (strangers L3): an earlier answer is referred to by its id, as a whole or by its items; of another account it is none", async () => {
    const first = await client().responses.create({ model: "demo-chat", input: prompt, tools });
    const next = await client().responses.create({
      model: "demo-chat",
      previous_response_id: first.id,
      input: results(callsOf(first)),
      tools,
    });
    assert.match(next.output_text, /sunny, 21 degrees.*rain, 17 degrees/s);
    const byItems = await client().responses.create({
      model: "demo-chat",
      input: [
        { role: "user", content: prompt },
        ...first.output.map(({ id }) => ({ type: "item_reference", id: id ?? "" }) as const),
        ...results(callsOf(first)),
      ],
      tools,
    });
    assert.match(byItems.output_text, /sunny, 21 degrees.*rain, 17 degrees/s);
    const unkept = await client().responses.create({ model: "demo-chat", input: "hello", store: false });
    for (const previous of [unkept.id, "resp_none"]) {
      const refused = await post({ input: "and?", previous_response_id: previous });
      assert.equal(refused.status, 400);
      assert.match(refused.text, /Previous response with id .* not found/);
    }
    const { json: account } = await test.ask("POST", "/_local/accounts", { name: "Second" });
    const foreign = await test.ask(
      "POST",
      "/v1/responses",
      { model: "demo-chat", input: "and?", previous_response_id: first.id },
      { headers: { authorization: `Bearer ${String(account["key"])}` } },
    );
    assert.equal(foreign.status, 400, foreign.text);
  });

  it("L1 (strangers L3): sees pictures in messages and results, answers in JSON, stops at the limit", async () => {
    const image_url = `data:image/png;base64,${await blackPng(64, 48)}`;
    const seen = await client().responses.create({
      model: "demo-chat",
      input: [
        {
          role: "user",
          content: [
            { type: "input_text", text: "what is this?" },
            { type: "input_image", image_url, detail: "auto" },
          ],
        },
      ],
    });
    assert.match(seen.output_text, /a PNG of 64 × 48/);
    const schema = { type: "object", properties: { level: { type: "integer" } }, required: ["level"] };
    const json = await client().responses.create({
      model: "demo-chat",
      input: "a gate, please",
      text: { format: { type: "json_schema", name: "gate", schema } },
    });
    assert.equal(typeof (JSON.parse(json.output_text) as { level: unknown }).level, "number");
    const cut = await client().responses.create({
      model: "demo-chat",
      input: "write 3 paragraphs",
      reasoning: { effort: "none" },
      max_output_tokens: 5,
    });
    assert.equal(cut.status, "incomplete");
    assert.equal(cut.incomplete_details?.reason, "max_output_tokens");
  });

  it("L1 (strangers L3): what Codex declares is taken: spaces of names, tools with a text as input, tools that a service runs", async () => {
    const declared = [
      { type: "namespace", name: "mcp__notes", tools: [{ type: "function", name: "add", parameters: {} }] },
      { type: "custom", name: "apply_patch", description: "Applies a patch.", format: { type: "grammar" } },
      { type: "web_search", external_web_access: false },
    ];
    const ask = async (text: string): Promise<Record<string, unknown>[]> => {
      const { json, text: body } = await post({
        input: [
          { type: "message", role: "developer", content: [{ type: "input_text", text: "Be brief." }] },
          { type: "message", role: "user", content: [{ type: "input_text", text }] },
        ],
        tools: declared,
        tool_choice: "auto",
        include: ["reasoning.encrypted_content"],
        store: false,
      });
      assert.ok(Array.isArray(json["output"]), body);
      return json["output"] as Record<string, unknown>[];
    };
    const spaced = (await ask('call mcp__notes__add with {"text":"a"}')).find(({ type }) => type === "function_call");
    assert.deepEqual([spaced?.["namespace"], spaced?.["name"]], ["mcp__notes", "add"]);
    const custom = (await ask('call apply_patch with {"input":"*** Begin Patch"}')).find(
      ({ type }) => type === "custom_tool_call",
    );
    assert.deepEqual([custom?.["name"], custom?.["input"]], ["apply_patch", "*** Begin Patch"]);
    const next = await post({
      input: [
        { role: "user", content: "patch it" },
        { type: "reasoning", summary: [], encrypted_content: "abc" },
        spaced,
        { type: "function_call_output", call_id: spaced?.["call_id"], output: "noted" },
        custom,
        {
          type: "custom_tool_call_output",
          call_id: custom?.["call_id"],
          output: [{ type: "input_text", text: "done" }],
        },
      ],
      tools: declared,
    });
    assert.equal(next.status, 200, next.text);
  });

  it("L1 (strangers L3): what can't be had is refused by its name, in the client's own errors", async () => {
    const cases: readonly (readonly [object, RegExp])[] = [
      [{ input: "a", background: true }, /background/],
      [{ input: [{ type: "computer_call", id: "c" }] }, /input\.0/],
      [{ input: [{ role: "user", content: [{ type: "input_file", file_id: "f" }] }] }, /input\.0\.content/],
      [{ input: [{ type: "function_call_output", call_id: "c", output: "x" }] }, /answers no call/],
    ];
    for (const [body, expected] of cases) {
      const { status, text } = await post(body);
      assert.equal(status, 400, text);
      assert.match(text, expected);
    }
    await assert.rejects(client().responses.create({ model: "none", input: "hello" }), OpenAI.NotFoundError);
    await test.ask("POST", "/_local/faults", {
      name: "http.status",
      route: "POST /v1/responses",
      times: 1,
      value: { status: 429 },
    });
    await assert.rejects(client().responses.create({ model: "demo-chat", input: "a" }), OpenAI.RateLimitError);
  });

  it("L1, A14 (strangers L3): a model of an Ollama answers in the same form", async () => {
    const ollama = await startFakeOllama([
      { name: "qwen3:8b", contextLength: 40_960, capabilities: ["completion", "tools"] },
    ]);
    const relayed = await startForTest({ relay: { ollama: ollama.port, lmStudio: 1, llamaCpp: 1, probeMs: 10_000 } });
    try {
      const body = {
        model: "qwen3:8b",
        instructions: "The secret word is harbour.",
        input: [{ role: "user", content: "and?" }],
        tools,
      };
      const whole = await relayed.ask("POST", "/v1/responses", body);
      assert.match(JSON.stringify(whole.json["output"]), /The secret word is harbour/);
      const { text } = await relayed.ask("POST", "/v1/responses", { ...body, stream: true });
      const last = JSON.parse(dataLines(text).at(-1) ?? "") as { type: string; response: unknown };
      assert.equal(last.type, "response.completed");
      assert.match(JSON.stringify(last.response), /The secret word is harbour/);
      assert.match(text, /^event: response\.output_text\.delta$/m);
      assert.equal(ollama.requests.at(-1)?.tools?.length, 1);
    } finally {
      await relayed.end();
      await ollama.close();
    }
  });
});
