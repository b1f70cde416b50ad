/** L3 on the wire: chat by hold and settlement, deposits, refunds. */
import assert from "node:assert/strict";
import { createMovedClock } from "../../support/movedClock";
import { errorCode, type GatewayUnderTest, startForTest } from "./support";

describe("local gateway: money on the wire", () => {
  let test: GatewayUnderTest;
  afterEach(() => test.end());

  const chat = (content: string, more: object = {}) =>
    test.ask("POST", "/v1/chat/completions", { model: "demo-chat", messages: [{ role: "user", content }], ...more });
  const price = (usage: Record<string, number>): number =>
    Math.ceil((usage["prompt_tokens"]! + usage["completion_tokens"]! * 4) / 100);
  const balance = async () => (await test.ask("GET", "/_local/balance")).json as Record<string, number>;
  const entries = async () =>
    (await test.ask("GET", "/_local/ledger")).json["entries"] as { type: string; amount?: number; holdId?: string }[];

  it("L3: an answer is held for by estimate and settled by its usage, streamed or not", async () => {
    test = await startForTest();
    const { json } = await chat("write 3 paragraphs");
    const cost = price(json["usage"] as Record<string, number>);
    assert.ok(cost > 1);
    assert.equal((await balance())["spent"], cost);
    await chat("write 3 paragraphs", { stream: true });
    assert.equal((await balance())["spent"], cost * 2);
    const [, hold, settle] = await entries();
    assert.deepEqual([hold!.type, settle!.type, settle!.holdId], ["hold", "settle", hold!.holdId]);
    assert.ok(hold!.amount! > settle!.amount!);
    assert.equal((await balance())["held"], 0);
  });

  it("L3: a client that hangs up pays for what was produced until then, and no more", async () => {
    test = await startForTest();
    const whole = price((await chat("write 30 paragraphs")).json["usage"] as Record<string, number>);
    await test.end();
    const clock = createMovedClock();
    test = await startForTest({ clock, tokensPerSecond: 100, firstTokenMs: 100 });
    const giveUp = new AbortController();
    const { url, key } = test.gateway;
    const answering = fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({
        model: "demo-chat",
        stream: true,
        messages: [{ role: "user", content: "write 30 paragraphs" }],
      }),
      signal: giveUp.signal,
    });
    const reader = (await answering).body!.getReader();
    assert.ok(test.gateway.balance.held > 0);
    let text = "";
    while (text.split("data: ").length <= 200) {
      await clock.advance(100);
      text += Buffer.from((await reader.read()).value).toString();
    }
    giveUp.abort();
    while (test.gateway.balance.held > 0) await new Promise((resolve) => setImmediate(resolve));
    const { spent, available, deposited } = test.gateway.balance;
    assert.ok(spent >= 7 && spent < whole / 2, `${spent} of ${whole}`);
    assert.equal(available + spent, deposited);
  });

  it("L3: 402 when the balance is too low, and nothing is begun; a deposit helps", async () => {
    test = await startForTest({ deposit: 10 });
    const refused = await chat("hello");
    assert.deepEqual([refused.status, errorCode(refused)], [402, "insufficient_balance"]);
    assert.deepEqual((await entries()).length, 1);
    for (const wrong of [{}, { amount: 0 }, { amount: -5 }, { amount: 1.5 }, { amount: 1e13 }]) {
      assert.equal((await test.ask("POST", "/_local/deposit", wrong)).status, 400);
    }
    const { json } = await test.ask("POST", "/_local/deposit", { amount: 500 });
    assert.deepEqual(json, { unit: "minor", deposited: 510, available: 510, held: 0, spent: 0 });
    assert.equal((await chat("hello")).status, 200);
  });

  it("L3: an upstream that fails before the first word costs nothing", async () => {
    test = await startForTest();
    test.gateway.faults.arm({ name: "http.status", times: 1, value: { status: 503 } });
    assert.equal((await chat("hello")).status, 503);
    assert.deepEqual(test.gateway.balance, { deposited: 100_000, available: 100_000, held: 0, spent: 0 });
  });

  it("L3: a refund leads to state 8, with its event, and returns the charge", async () => {
    const clock = createMovedClock();
    test = await startForTest({ clock });
    const taskId = await test.createTask();
    const refund = () => test.ask("POST", `/_local/tasks/${taskId}/refund`, { reason: "bad picture" });
    assert.deepEqual([(await refund()).status, errorCode(await refund())], [409, "task_not_refundable"]);
    await clock.advance(30_000);
    assert.ok((await balance())["spent"]! > 0);
    const { status, json } = await refund();
    assert.deepEqual([status, json["status"], json["result_assets_json"]], [200, 8, undefined]);
    assert.deepEqual(test.gateway.balance, { deposited: 100_000, available: 100_000, held: 0, spent: 0 });
    const listed = (await test.ask("GET", `/v1/tasks/${taskId}/events`)).json["task_events"] as object[];
    assert.equal((listed.at(-1) as Record<string, unknown>)["event_type"], "refunded");
    assert.equal((await refund()).status, 409);
    assert.equal((await test.ask("POST", "/_local/tasks/none/refund", {})).status, 404);
  });

  it("L2: another reference image makes another picture of the same words, the same one the same", async () => {
    const clock = createMovedClock();
    test = await startForTest({ clock });
    const picture = async (image?: string): Promise<string> => {
      const inputs = image === undefined ? {} : { input_assets_json: { image } };
      const taskId = await test.createTask({ metadata_json: { seed: 7 }, ...inputs });
      await clock.advance(30_000);
      const { json } = await test.ask("GET", `/v1/tasks/${taskId}`);
      const assets = JSON.parse(String(json["result_assets_json"])) as Record<string, unknown>;
      assert.equal(assets["seed"], 7);
      return Buffer.from(await (await fetch(String(assets["thumbnail_url"]))).arrayBuffer()).toString("base64");
    };
    const [none, first, again, other] = [await picture(), await picture("a"), await picture("a"), await picture("b")];
    assert.equal(first, again);
    assert.equal(new Set([none, first, other]).size, 3);
  });
});
