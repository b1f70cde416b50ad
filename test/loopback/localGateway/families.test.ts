/** L1 on the wire: the messages and generate-content families byte by byte, who may ask them, and what the log keeps of it. */
import assert from "node:assert/strict";
import { type Answered, dataLines, type GatewayUnderTest, request, startForTest } from "./support";

const user = { role: "user", content: "write 2 paragraphs" };
const contents = [{ role: "user", parts: [{ text: "write 2 paragraphs" }] }];

describe("local gateway: messages and generate content on the wire", () => {
  let test: GatewayUnderTest;
  beforeEach(async () => {
    test = await startForTest();
  });
  afterEach(() => test.end());

  const message = (more: Record<string, unknown> = {}, init: RequestInit = {}): Promise<Answered> =>
    test.ask("POST", "/v1/messages", { model: "demo-messages", max_tokens: 3_000, messages: [user], ...more }, init);
  const generate = (action: string, body: unknown = { contents }, init: RequestInit = {}): Promise<Answered> =>
    test.ask("POST", `/v1/models/demo-generate:${action}`, body, init);
  const errorOf = ({ json }: Answered): Record<string, unknown> => json["error"] as Record<string, unknown>;

  it("L1: messages: each event has its name, a ping is among them, and the text is that of the whole answer", async () => {
    const { headers, text } = await message({ stream: true });
    assert.match(headers.get("content-type") ?? "", /^text\/event-stream/);
    assert.match(headers.get("request-id") ?? "", /^req_/);
    const names = [...text.matchAll(/^event: (.+)$/gm)].map(([, name]) => name);
    const data = dataLines(text).map((line) => JSON.parse(line) as { type: string; delta?: { text?: string } });
    assert.deepEqual(
      data.map(({ type }) => type),
      names,
    );
    assert.ok(names.includes("ping"));
    assert.equal(names.at(-1), "message_stop");
    const whole = await message();
    const [block] = whole.json["content"] as { text: string }[];
    assert.equal(data.map(({ delta }) => delta?.text ?? "").join(""), block!.text);
    assert.equal(whole.json["stop_reason"], "end_turn");
  });

  it("L1: messages: a marked prompt is written to the cache and then read from it", async () => {
    const system = [{ type: "text", text: "Be brief. ".repeat(100), cache_control: { type: "ephemeral" } }];
    const usages = [await message({ system }), await message({ system })].map(
      ({ json }) => json["usage"] as Record<string, number>,
    );
    const [first, second] = usages.map((usage) => [
      usage["cache_creation_input_tokens"],
      usage["cache_read_input_tokens"],
    ]);
    assert.deepEqual(
      [first, second],
      [
        [254, 0],
        [0, 254],
      ],
    );
  });

  it("L1: generate content: events end in CRLF without [DONE]; without alt=sse one JSON array comes", async () => {
    const { headers, text } = await generate("streamGenerateContent?alt=sse");
    assert.match(headers.get("content-type") ?? "", /^text\/event-stream/);
    assert.ok(!text.includes("[DONE]") && !/[^\r]\n/.test(text) && text.endsWith("\r\n\r\n"));
    const textOf = (chunks: readonly unknown[]): string =>
      (chunks as { candidates: { content: { parts: { text?: string }[] } }[] }[])
        .flatMap(({ candidates }) => candidates[0]!.content.parts.map((part) => part.text ?? ""))
        .join("");
    const events = text
      .split("\r\n\r\n")
      .flatMap((part) => (part === "" ? [] : [JSON.parse(part.slice(6)) as unknown]));
    const array = await generate("streamGenerateContent");
    assert.match(array.headers.get("content-type") ?? "", /^application\/json/);
    const elements = JSON.parse(array.text) as unknown[];
    assert.equal(elements.length, events.length);
    assert.equal(textOf(elements), textOf(events));
    const whole = await generate("generateContent");
    assert.equal(textOf([whole.json]), textOf(events));
  });

  it("L1: generate content: the other prefix, an encoded name, an unknown action", async () => {
    const ask = (path: string): Promise<Answered> => test.ask("POST", path, { contents });
    assert.equal((await ask("/v1beta/models/demo-generate:generateContent")).status, 200);
    assert.equal((await ask("/v1/models/demo%2Dgenerate:generateContent")).status, 200);
    const slash = await ask("/v1/models/vendor%2Fmodel:generateContent");
    assert.deepEqual([slash.status, errorOf(slash)["status"]], [404, "NOT_FOUND"]);
    assert.equal((await ask("/v1beta/models/demo-generate:dream")).status, 405);
  });

  it("L1: each family takes its key where its clients put it, and says no in its own words", async () => {
    const { gateway } = test;
    const body = { model: "demo-messages", max_tokens: 9, messages: [user] };
    const ask = (path: string, headers: Record<string, string>, sent: unknown): Promise<Answered> =>
      request(gateway, "POST", path, sent, { headers: { authorization: "", ...headers } });
    const path = "/v1/models/demo-generate:generateContent";
    const good: [string, Record<string, string>, unknown][] = [
      ["/v1/messages", { "x-api-key": gateway.key }, body],
      ["/v1/messages", { authorization: `Bearer ${gateway.key}` }, body],
      [path, { "x-goog-api-key": gateway.key }, { contents }],
      [path, { authorization: `Bearer ${gateway.key}` }, { contents }],
      [`${path}?key=${gateway.key}`, {}, { contents }],
    ];
    for (const [at, headers, sent] of good) assert.equal((await ask(at, headers, sent)).status, 200, at);
    const none = await ask("/v1/messages", {}, body);
    assert.equal(none.status, 401);
    assert.equal(none.json["type"], "error");
    assert.equal(errorOf(none)["type"], "authentication_error");
    assert.equal(none.json["request_id"], none.headers.get("request-id"));
    assert.equal(none.headers.get("x-should-retry"), "false");
    const bad: [string, Record<string, string>, number, string][] = [
      [path, {}, 403, "PERMISSION_DENIED"],
      [path, { authorization: "Bearer x" }, 401, "UNAUTHENTICATED"],
      [path, { "x-goog-api-key": "x" }, 400, "INVALID_ARGUMENT"],
      [`${path}?key=x`, { authorization: `Bearer ${gateway.key}` }, 400, "INVALID_ARGUMENT"],
    ];
    for (const [at, headers, status, name] of bad) {
      const refused = await ask(at, headers, { contents });
      assert.deepEqual([refused.status, errorOf(refused)["code"], errorOf(refused)["status"]], [status, status, name]);
    }
    const { details } = errorOf(await ask(path, { "x-goog-api-key": "x" }, {})) as { details: { reason: string }[] };
    assert.equal(details[0]!.reason, "API_KEY_INVALID");
    const other = await ask("/v1/chat/completions", { "x-api-key": gateway.key }, {});
    assert.equal(other.status, 401, "only Bearer for chat completions");
  });

  it("L1: a key in the address is not in the list of requests", async () => {
    const path = `/v1beta/models/demo-generate:generateContent?key=${test.gateway.key}&alt=json`;
    assert.equal((await request(test.gateway, "POST", path, { contents })).status, 200);
    const kept = JSON.stringify(test.gateway.requests);
    assert.match(kept, /demo-generate:generateContent\?key=/);
    assert.ok(!kept.includes(test.gateway.key));
    assert.ok(!(await test.ask("GET", "/_local/requests")).text.includes(test.gateway.key));
  });

  it("L1: the list of models in the shape of who asks", async () => {
    const ask = async (path: string, headers: Record<string, string> = {}): Promise<Record<string, unknown>> =>
      (await test.ask("GET", path, undefined, { headers })).json;
    const plain = await ask("/v1/models");
    assert.equal((plain["data"] as unknown[]).length, 5);
    const messages = await ask("/v1/models", { "anthropic-version": "2023-06-01" });
    assert.deepEqual([messages["has_more"], messages["first_id"]], [false, "demo-messages"]);
    const google = (await ask("/v1beta/models"))["models"] as Record<string, unknown>[];
    assert.deepEqual(google[0]!["name"], "models/demo-generate");
    assert.equal((await ask("/v1beta/models/demo-generate"))["name"], "models/demo-generate");
    assert.equal((await test.ask("GET", "/v1/models/none")).status, 404);
  });

  it("L3: all three families are paid by what they said; a request that is refused is not", async () => {
    const { spent } = test.gateway.balance;
    await message({ max_tokens: 0 });
    assert.equal(test.gateway.balance.spent, spent);
    await message({ stream: true });
    await generate("streamGenerateContent?alt=sse");
    await test.gateway.flushed();
    const { spent: after, held } = test.gateway.balance;
    assert.ok(after >= spent + 2, `${spent} ${after}`);
    assert.deepEqual([held, test.gateway.openHolds], [0, 0]);
  });

  it("L5: a made-up status comes in the shape of the family", async () => {
    const arm = (status: number): Promise<Answered> =>
      test.ask("POST", "/_local/faults", { name: "http.status", times: 1, value: { status } });
    await arm(529);
    assert.equal(errorOf(await message())["type"], "overloaded_error");
    await arm(503);
    assert.equal(errorOf(await generate("generateContent"))["status"], "UNAVAILABLE");
  });
});
