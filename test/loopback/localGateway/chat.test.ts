/** L4 on the wire: chat completions, streaming and not, as the family does it; and the faults of the stream. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { createMovedClock } from "../../support/movedClock";
import { type Answered, dataLines, errorCode, type GatewayUnderTest, startForTest } from "./support";

interface Chunk {
  readonly id: string;
  readonly object: string;
  readonly choices: readonly {
    readonly index: number;
    readonly delta: {
      readonly role?: string;
      readonly content?: string | null;
      readonly reasoning_content?: string;
      readonly tool_calls?: readonly {
        readonly index: number;
        readonly id?: string;
        readonly function: { readonly name?: string; readonly arguments: string };
      }[];
    };
    readonly finish_reason: string | null;
  }[];
  readonly usage?: {
    readonly prompt_tokens: number;
    readonly completion_tokens: number;
    readonly total_tokens: number;
  };
}

const readTool = {
  type: "function",
  function: {
    name: "read_file",
    description: "Reads a file",
    parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  },
};

const chunksOf = (text: string): readonly Chunk[] =>
  dataLines(text)
    .filter((line) => line !== "[DONE]")
    .map((line) => JSON.parse(line) as Chunk);

describe("local gateway: chat on the wire", () => {
  let test: GatewayUnderTest;
  beforeEach(async () => {
    test = await startForTest();
  });
  afterEach(() => test.end());

  const chat = (prompt: string, more: Record<string, unknown> = {}): Promise<Answered> =>
    test.ask("POST", "/v1/chat/completions", {
      model: "demo-chat",
      messages: [{ role: "user", content: prompt }],
      ...more,
    });
  const arm = (fault: Record<string, unknown>): Promise<Answered> => test.ask("POST", "/_local/faults", fault);

  it("L4: streams role, text, finish reason, usage when asked for, and [DONE]", async () => {
    const { headers, text } = await chat("write 2 paragraphs", {
      stream: true,
      stream_options: { include_usage: true },
    });
    assert.match(headers.get("content-type") ?? "", /^text\/event-stream/);
    assert.equal(dataLines(text).at(-1), "[DONE]");
    const chunks = chunksOf(text);
    assert.deepEqual(chunks[0]!.choices[0]!.delta, { role: "assistant", content: "" });
    assert.equal(new Set(chunks.map(({ id }) => id)).size, 1);
    const [finish, usage] = chunks.slice(-2);
    assert.deepEqual(finish!.choices, [{ index: 0, delta: {}, finish_reason: "stop" }]);
    assert.deepEqual(usage!.choices, []);
    assert.equal(usage!.usage!.total_tokens, usage!.usage!.prompt_tokens + usage!.usage!.completion_tokens);
    const whole = await chat("write 2 paragraphs");
    const [choice] = whole.json["choices"] as { message: { content: string }; finish_reason: string }[];
    assert.equal(chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join(""), choice!.message.content);
    assert.equal(choice!.finish_reason, "stop");
    assert.ok(!(await chat("hello", { stream: true })).text.includes('"usage"'));
  });

  it("L4: streams reasoning and parallel tool calls by index, with arguments in fragments", async () => {
    const { text } = await chat("read src/app.ts and src/b.ts", { stream: true, tools: [readTool] });
    const deltas = chunksOf(text).map(({ choices }) => choices[0]!.delta);
    assert.ok(deltas.some(({ reasoning_content }) => reasoning_content !== undefined));
    const fragments = deltas.flatMap((delta) => delta.tool_calls ?? []);
    assert.ok(fragments.length > 4, "the arguments come in pieces");
    const calls = [0, 1].map((index) => {
      const own = fragments.filter((fragment) => fragment.index === index);
      assert.ok(own[0]!.id!.startsWith("call_") && own.slice(1).every(({ id }) => id === undefined));
      return [own[0]!.function.name, own.map((fragment) => fragment.function.arguments).join("")];
    });
    assert.deepEqual(calls, [
      ["read_file", '{"path":"src/app.ts"}'],
      ["read_file", '{"path":"src/b.ts"}'],
    ]);
    assert.equal(chunksOf(text).at(-1)!.choices[0]!.finish_reason, "tool_calls");
  });

  it("L4: a tool's result is used in the next answer, not streamed", async () => {
    const first = await chat("read src/app.ts", { tools: [readTool] });
    const [asked] = first.json["choices"] as { message: { content: string; tool_calls: { id: string }[] } }[];
    const messages = [
      { role: "user", content: "read src/app.ts" },
      asked!.message,
      { role: "tool", tool_call_id: asked!.message.tool_calls[0]!.id, content: "const answer = 42;" },
    ];
    const second = await chat("", { messages, tools: [readTool] });
    const [choice] = second.json["choices"] as { message: { content: string } }[];
    assert.match(choice!.message.content, /const answer = 42;/);
  });

  it("L4: is strict about the request, as the service may be", async () => {
    const wrong: [Record<string, unknown>, number, string][] = [
      [{ model: "none" }, 404, "model_not_found"],
      [{ model: "demo-video" }, 400, "invalid_request"],
      [{ tools: [] }, 400, "invalid_request"],
      [{ messages: [] }, 400, "invalid_request"],
      [{ messages: [{ role: "robot", content: "x" }] }, 400, "invalid_request"],
      [{ messages: [{ role: "tool", tool_call_id: "a", content: "x" }] }, 400, "invalid_request"],
      [
        {
          messages: [
            { role: "user", content: "x" },
            {
              role: "assistant",
              content: null,
              tool_calls: [{ id: "a", type: "function", function: { name: "f", arguments: "{}" } }],
            },
            { role: "user", content: "y" },
          ],
        },
        400,
        "invalid_request",
      ],
    ];
    for (const [more, status, code] of wrong) {
      const refused = await chat("x", more);
      assert.deepEqual([refused.status, errorCode(refused)], [status, code], JSON.stringify(more));
    }
  });

  it("L4: stops at the limit of tokens and says so", async () => {
    const { text } = await chat("write 5 paragraphs", { stream: true, max_tokens: 7 });
    const chunks = chunksOf(text);
    assert.equal(chunks.filter(({ choices }) => choices[0]!.delta.content).length, 7);
    assert.equal(chunks.at(-1)!.choices[0]!.finish_reason, "length");
  });

  it("L4: keeps the pace that was set, and stops when the client hangs up", async () => {
    const clock = createMovedClock();
    await test.end();
    test = await startForTest({ clock, tokensPerSecond: 10, firstTokenMs: 500 });
    const body = { model: "demo-chat", stream: true, messages: [{ role: "user", content: "write 9 paragraphs" }] };
    const sent = httpRequest(`${test.gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${test.gateway.key}`, "content-type": "application/json" },
    });
    sent.end(JSON.stringify(body));
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    let text = "";
    response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    response.on("error", () => undefined);
    const arrived = async (count: number): Promise<void> => {
      while (chunksOf(text.slice(0, text.lastIndexOf("\n") + 1)).length < count) await once(response, "data");
    };
    await clock.advance(499);
    assert.equal(text, "", "nothing before the time to first token");
    await clock.advance(1);
    await arrived(2);
    for (let token = 1; token <= 20; token += 1) await clock.advance(100);
    await arrived(20);
    const count = chunksOf(text).length;
    assert.ok(count >= 20 && count <= 24, `${count} chunks after two seconds`);
    const closed = new Promise((resolve) => response.on("close", resolve));
    sent.destroy();
    await closed;
    while (clock.waiting > 1) await new Promise((resolve) => setImmediate(resolve));
    const seen = test.gateway.requests.at(-1)!;
    assert.equal(seen.aborted, true);
  });

  it("L5: end.cut breaks the stream after so many chunks, once", async () => {
    await arm({ name: "end.cut", route: "POST /v1/chat/completions", times: 1, value: 2 });
    const response = await fetch(`${test.gateway.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${test.gateway.key}`, "content-type": "application/json" },
      body: JSON.stringify({
        model: "demo-chat",
        stream: true,
        messages: [{ role: "user", content: "write 2 paragraphs" }],
      }),
    });
    let text = "";
    await assert.rejects(async () => {
      for await (const chunk of response.body!) text += Buffer.from(chunk).toString();
    });
    assert.equal(chunksOf(text).filter(({ choices }) => choices[0]!.delta.content).length, 2);
    assert.ok(!text.includes("[DONE]"));
    assert.equal(dataLines((await chat("hello", { stream: true })).text).at(-1), "[DONE]");
  });

  it("L5: end.no-done leaves [DONE] out, sse.drip sends byte for byte the same text", async () => {
    const plain = chunksOf((await chat("write 1 paragraphs", { stream: true })).text).map(({ choices }) => choices);
    await arm({ name: "end.no-done", times: 1 });
    const { text } = await chat("write 1 paragraphs", { stream: true });
    assert.deepEqual(
      chunksOf(text).map(({ choices }) => choices),
      plain,
    );
    assert.ok(!text.includes("[DONE]"));
    await arm({ name: "sse.drip", times: 1 });
    const dripped = await chat("write 1 paragraphs", { stream: true });
    assert.deepEqual(
      chunksOf(dripped.text).map(({ choices }) => choices),
      plain,
    );
  });

  it("L5: http.status answers with any status, headers and body, and nothing is done", async () => {
    await arm({
      name: "http.status",
      route: "POST /v1/tasks",
      times: 2,
      value: { status: 429, headers: { "retry-after": "7" } },
    });
    const limited = await test.ask("POST", "/v1/tasks", { task_type: "video" });
    assert.deepEqual(
      [limited.status, errorCode(limited), limited.headers.get("retry-after")],
      [429, "rate_limited", "7"],
    );
    assert.equal((await test.ask("GET", "/v1/models")).status, 200, "another route");
    await test.ask("POST", "/v1/tasks", { task_type: "video" });
    assert.equal((await test.ask("POST", "/v1/tasks", { task_type: "video" })).status, 202, "used up");
    assert.equal(test.gateway.openHolds, 1);
    await arm({ name: "http.status", value: { status: 502, body: "<html><h1>Bad gateway</h1></html>" } });
    const page = await test.ask("GET", "/v1/models");
    assert.deepEqual([page.status, page.headers.get("content-type")], [502, "text/html; charset=utf-8"]);
    await test.ask("DELETE", "/_local/faults");
    assert.equal((await test.ask("GET", "/v1/models")).status, 200);
  });

  it("L5: http.empty-200 sends no byte, http.hang never answers", async () => {
    await arm({ name: "http.empty-200", times: 1 });
    const empty = await chat("hello");
    assert.deepEqual([empty.status, empty.text], [200, ""]);
    await arm({ name: "http.hang", times: 1 });
    const giveUp = new AbortController();
    const hanging = test.ask("GET", "/v1/models", undefined, { signal: giveUp.signal });
    while (!test.gateway.requests.some(({ path, status }) => path === "/v1/models" && status === undefined)) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal((await test.ask("GET", "/v1/models")).status, 200, "others are served meanwhile");
    giveUp.abort();
    await assert.rejects(hanging, { name: "AbortError" });
  });

  it("L5: task.lost-202 makes the task and cuts the line; the same key finds it again", async () => {
    await arm({ name: "task.lost-202", times: 1 });
    const body = { task_type: "video", prompt: "sea", idempotency_key: "k" };
    await assert.rejects(test.ask("POST", "/v1/tasks", body));
    assert.equal(test.gateway.openHolds, 1);
    const again = await test.ask("POST", "/v1/tasks", body);
    assert.deepEqual([again.status, again.headers.get("idempotent-replayed")], [202, "true"]);
    assert.equal(test.gateway.openHolds, 1);
    const [lost] = test.gateway.requests.filter(({ path }) => path === "/v1/tasks");
    assert.deepEqual([lost!.status, lost!.aborted], [undefined, true]);
  });

  it("L5: unknown faults and values that don't fit are refused", async () => {
    for (const fault of [
      { name: "nothing" },
      {},
      { name: "end.cut", value: -1 },
      { name: "http.status" },
      { name: "end.cut", times: 0 },
    ]) {
      assert.equal((await arm(fault)).status, 400, JSON.stringify(fault));
    }
    assert.deepEqual(test.gateway.faults.armed, []);
  });
});
