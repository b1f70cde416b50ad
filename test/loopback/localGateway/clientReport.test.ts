/** L6: the client report reports each broken rule of a client, and nothing of a client that keeps them. */
import assert from "node:assert/strict";
import { until } from "../../support/builders";
import { createMovedClock, type MovedClock } from "../../support/movedClock";
import { type GatewayUnderTest, startForTest } from "./support";

describe("local gateway: the client report", () => {
  let test: GatewayUnderTest;
  let clock: MovedClock;
  beforeEach(async () => {
    clock = createMovedClock();
    test = await startForTest({ clock });
  });
  afterEach(() => test.end());

  const found = (): string[] => test.gateway.clientReport.findings.map(({ rule, detail }) => `${rule}: ${detail}`);
  const wanted = { task_type: "async_image", prompt: "a hill", idempotency_key: "k1" };
  const create = (change: object = {}) => test.ask("POST", "/v1/tasks", { ...wanted, ...change });
  const read = (taskId: string) => test.ask("GET", `/v1/tasks/${taskId}`);
  const cancel = (taskId: string) => test.ask("POST", `/v1/tasks/${taskId}/cancel`, { reason: "" });
  const made = async (change: object = {}): Promise<string> => String((await create(change)).json["task_id"]);
  const headers = (more: Record<string, string>) => ({ headers: more });

  it("L6: a well-behaved client has no finding", async () => {
    const taskId = await made();
    for (let status; status !== 4;) {
      await clock.advance(2_000);
      status = (await read(taskId)).json["status"];
    }
    await test.ask("GET", `/v1/tasks/${taskId}/events`);
    await clock.advance(60_000);
    await read(taskId);
    test.gateway.faults.arm({ name: "http.status", times: 1, value: { status: 429, headers: { "retry-after": "3" } } });
    await test.ask("GET", "/v1/models");
    await clock.advance(3_000);
    await test.ask("GET", "/v1/models");
    test.gateway.faults.arm({ name: "task.lost-202", times: 1 });
    await assert.rejects(create({ prompt: "a lake", idempotency_key: "k2" }));
    await create({ prompt: "a lake", idempotency_key: "k2" });
    // Twice the same wish, each answered: a person may want that.
    await create({ prompt: "a sea", idempotency_key: "k3" });
    await create({ prompt: "a sea", idempotency_key: "k4" });
    await cancel(await made({ idempotency_key: "k5" }));
    const messages = [{ role: "user", content: "hello" }];
    await test.ask("POST", "/v1/chat/completions", { model: "demo-chat", stream: true, messages });
    assert.deepEqual(found(), []);
    assert.ok(test.gateway.clientReport.requests > 10);
    assert.equal((await test.ask("GET", "/_local/client-report")).json["verdict"], "good");
  });

  it("L6: polling faster than every 2 seconds, per task", async () => {
    const [first, second] = [await made(), await made({ idempotency_key: "k2", prompt: "a lake" })];
    await read(first);
    await read(second);
    await clock.advance(400);
    await read(first);
    assert.deepEqual(found(), ["polled-too-fast: after 400 ms"]);
    assert.equal(test.gateway.clientReport.findings[0]!.taskId, first);
  });

  it("L6: an ignored Retry-After, in seconds, milliseconds and as a date, on the same route", async () => {
    const date = new Date(Date.now() + 60_000).toUTCString();
    for (const limits of [{ "retry-after": "5" }, { "retry-after-ms": "5000" }, { "retry-after": date }]) {
      test.gateway.clientReport.clear();
      test.gateway.faults.arm({ name: "http.status", times: 1, value: { status: 429, headers: limits } });
      await test.ask("GET", "/v1/models");
      await test.ask("GET", "/v1/tasks/none");
      assert.deepEqual(found(), [], "another route");
      await clock.advance(1_000);
      await test.ask("GET", "/v1/models");
      assert.match(found().join(), /^ignored-retry-after: \d+ ms too early$/);
      await clock.advance(120_000);
    }
  });

  it("L6 (finding 10): a success of another request of the route does not end a Retry-After", async () => {
    const taskId = await made();
    test.gateway.faults.arm({ name: "task.slow-read", times: 1, value: 3_000 });
    const late = read(taskId);
    await until(() => test.gateway.faults.armed.length === 0);
    const value = { status: 429, headers: { "retry-after": "30" } };
    test.gateway.faults.arm({ name: "http.status", times: 1, value });
    await read("another");
    await clock.advance(4_000);
    assert.equal((await late).status, 200);
    assert.deepEqual(found(), []);
    await clock.advance(10_000);
    await read(taskId);
    assert.match(found().join(), /^ignored-retry-after: \d+ ms too early$/);
  });

  it("L6: a task sent again without a key, or under another one while its outcome is not known", async () => {
    test.gateway.faults.arm({ name: "task.lost-202", times: 1 });
    await assert.rejects(create());
    await create({ idempotency_key: "k2" });
    assert.deepEqual(found(), ["resubmitted-with-another-key: the same body, whose outcome the client did not know"]);
    await create({ idempotency_key: undefined });
    assert.equal(found()[1], "resubmitted-without-key: the same body");
  });

  it("L6: a cancel of a task whose end was told, but not one that came too late", async () => {
    const taskId = await made();
    await read(taskId);
    await clock.advance(60_000);
    assert.equal((await cancel(taskId)).status, 409);
    assert.deepEqual(found(), [], "it could not know");
    await read(taskId);
    await cancel(taskId);
    assert.deepEqual(found(), ["cancelled-after-end: a read had returned its end"]);
  });

  it("L6: reads after the end, beyond one later look and one for a fresh link", async () => {
    const taskId = await made();
    await clock.advance(60_000);
    for (let reads = 0; reads < 4; reads += 1) {
      await read(taskId);
      await clock.advance(5_000);
    }
    assert.deepEqual(found(), ["read-after-end: 3 reads after its end"]);
  });

  it("L6: requests with a key that was replaced, after the client was told", async () => {
    const old = headers({ authorization: `Bearer ${test.gateway.key}` });
    test.gateway.faults.arm({ name: "task.key-rotated", times: 1, value: "sk-local-new" });
    assert.equal((await test.ask("GET", "/v1/models", undefined, old)).status, 401);
    assert.equal((await test.ask("GET", "/v1/models")).status, 200);
    assert.deepEqual(found(), []);
    assert.equal((await test.ask("GET", "/v1/models", undefined, old)).status, 401);
    assert.deepEqual(found(), ["asked-after-401: the same key again"]);
    assert.ok(!JSON.stringify(test.gateway.clientReport.findings).includes("sk-local"));
  });

  it("L6 (finding S9): a key that was never right is nobody's fault", async () => {
    const wrong = headers({ authorization: "Bearer sk-wrong" });
    for (let round = 0; round < 3; round += 1) await test.ask("GET", "/v1/models", undefined, wrong);
    assert.deepEqual([found(), test.gateway.clientReport.requests, test.gateway.refused], [[], 0, 3]);
  });

  it("L6: fields that the service does not have", async () => {
    await create({ size: "large", n: 2 });
    const messages = [{ role: "user", content: "hello" }];
    await test.ask("POST", "/v1/chat/completions", { model: "demo-chat", messages, max_output_tokens: 5 });
    assert.deepEqual(found(), ["unknown-field: size, n", "unknown-field: max_output_tokens"]);
  });

  it("L6: the key where it does not belong", async () => {
    const { key } = test.gateway;
    await test.ask("GET", `/v1/tasks/none/events?key=${key}`);
    await test.ask("GET", `/v1/tasks/none?api_key=${key}`);
    await test.ask("GET", "/v1/tasks/none", undefined, headers({ "x-api-key": key }));
    await test.ask("GET", "/v1/tasks/none", undefined, headers({ cookie: `key=${key}` }));
    await create({ prompt: `my key is ${key}` });
    const own = found().filter((text) => text.startsWith("key"));
    assert.deepEqual(own, [
      "key-in-wrong-place: in the query of another family's route",
      "key-in-wrong-place: in the query",
      "key-in-wrong-place: x-api-key on another family's route",
      "key-in-wrong-place: in the header cookie",
      "key-in-wrong-place: in the body",
    ]);
    assert.ok(!JSON.stringify(test.gateway.clientReport.findings).includes(key));
  });

  it("L6: the report as JSON needs the key, counts by rule, and can be begun anew", async () => {
    const taskId = await made();
    await read(taskId);
    await read(taskId);
    assert.equal(
      (await test.ask("GET", "/_local/client-report", undefined, headers({ authorization: "" }))).status,
      401,
    );
    const { json } = await test.ask("GET", "/_local/client-report");
    assert.equal(json["verdict"], "found");
    const rules = json["rules"] as { rule: string; count: number }[];
    assert.deepEqual(
      rules.filter(({ count }) => count > 0),
      [{ rule: "polled-too-fast", says: "read the same task again within 2 seconds", count: 1 }],
    );
    const [finding] = json["findings"] as Record<string, unknown>[];
    assert.deepEqual([finding!["task_id"], finding!["route"]], [taskId, "GET /v1/tasks/{task_id}"]);
    assert.equal((await test.ask("DELETE", "/_local/client-report")).json["verdict"], "good");
  });

  it("L6: the page opens once by its link, holds no key and runs nothing; without the link it tells nothing", async () => {
    const { url, key } = test.gateway;
    await create({ "<script>alert(1)</script>": 1 });
    for (const path of ["/_local/", "/_local/client-report.html", "/_local/client-report.html?once=guess"]) {
      const closed = await fetch(url + path);
      assert.equal(closed.status, 403);
      const text = await closed.text();
      assert.ok(!text.includes("unknown-field") && !text.includes("deposited") && !text.includes(key));
    }
    assert.equal((await test.ask("POST", "/_local/page", {}, headers({ authorization: "" }))).status, 401);
    const link = String((await test.ask("POST", "/_local/page", {})).json["url"]);
    const opened = await fetch(link);
    assert.equal(opened.status, 200);
    const policy = opened.headers.get("content-security-policy") ?? "";
    assert.match(policy, /^default-src 'none'; style-src 'sha256-[^']+'; .*frame-ancestors 'none'$/);
    assert.equal(opened.headers.get("referrer-policy"), "no-referrer");
    const text = await opened.text();
    assert.match(text, /unknown-field/);
    assert.match(text, /&lt;script&gt;alert\(1\)/);
    assert.ok(!text.includes("<script") && !text.includes(key));
    assert.equal((await fetch(link)).status, 403, "only once");
    const [, next] = /href="([^"]+)"/.exec(text) ?? [];
    assert.equal((await fetch(url + next!)).status, 200, "the link on the page is the next one");
    const late = String((await test.ask("POST", "/_local/page", {})).json["url"]);
    await clock.advance(10 * 60_000);
    assert.equal((await fetch(late)).status, 403, "after its time");
  });
});
