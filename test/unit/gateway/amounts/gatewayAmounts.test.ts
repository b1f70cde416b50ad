/** What gateways state: answers written from the public documentation of six of them, with invented values, and what can't be an amount. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { asArray, asRecord, asText, isRecord } from "../../../../src/base/jsonValue";
import { families } from "../../../../src/domain/chat/family";
import type { Price, PriceList } from "../../../../src/domain/prices/priceList";
import { GatewayAmounts } from "../../../../src/gateway/amounts/gatewayAmounts";
import { balancePlaceOf, dialects, type StatedAmount } from "../../../../src/gateway/amounts/dialects";
import { readModels } from "../../../../src/gateway/readModels";
import { decodeStream } from "../../../../src/gateway/stream/decodeStream";

const fixtures = "test/fixtures";

const answered = { headers: z.record(z.string(), z.string()), body: z.string(), cost: z.string() };
const recording = z.object({
  baseUrl: z.string(),
  name: z.string(),
  models: z.unknown(),
  prices: z.record(z.string(), z.string()),
  answers: z.array(z.object({ ...answered, family: z.enum(families), contentType: z.string() })),
  task: z.optional(z.object({ ...answered, body: z.unknown() })),
  balances: z.array(
    z.object({
      path: z.string(),
      body: z.record(z.string(), z.unknown()),
      balance: z.string(),
      spent: z.optional(z.string()),
    }),
  ),
});

const recordings = globSync(join(fixtures, "amounts/*.json"))
  .sort()
  .map((path) => recording.parse(JSON.parse(readFileSync(path, "utf8"))));

function headersOf(headers: Readonly<Record<string, string>>): { get(name: string): string | undefined } {
  return { get: (name) => (Object.hasOwn(headers, name) ? headers[name] : undefined) };
}

async function usageOf(family: (typeof families)[number], body: string, contentType: string): Promise<unknown> {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(new TextEncoder().encode(body));
  }
  let raw: unknown;
  for await (const event of decodeStream(family, bytes(), { contentType })) if (event.type === "usage") raw = event.raw;
  return raw;
}

/** *0.00061 USD*; empty for what is not known. The source is always the gateway. */
function words(price: Price | undefined): string {
  if (price === undefined) return "";
  assert.equal(price.source, "gateway");
  return `${price.amount.toFixed(10).replace(/\.?0+$/, "")} ${price.currency}`;
}

function listWords(list: PriceList | undefined): string {
  if (list === undefined) return "";
  assert.equal(list.source, "gateway-list");
  const { model: _, ...entry } = list.entries[0]!;
  return [list.currency, ...Object.entries(entry).map(([name, price]) => `${name} ${price}`)].join(" ");
}

describe("amounts of gateways", () => {
  it("T18: there are recorded answers of six gateways", () => assert.equal(recordings.length, 6));

  for (const { baseUrl, name, models, prices, answers, task, balances } of recordings) {
    it(`T18: ${name} states each cost, price and balance where its documentation says, and nothing else is one`, async () => {
      const amounts = new GatewayAmounts(baseUrl);
      for (const { family, contentType, headers: given, body, cost } of answers) {
        const headers = headersOf(given);
        amounts.learn({ headers });
        const usage = await usageOf(family, body, contentType);
        assert.equal(words(amounts.costOf({ headers, contentType }, usage)), cost, body.slice(0, 60));
      }
      assert.equal(amounts.name, name);
      const listed = readModels(models, "", (model, id) => amounts.pricesOf(model, id));
      assert.deepEqual(Object.fromEntries(listed.map((model) => [model.id, listWords(model.prices)])), prices);
      if (task !== undefined) {
        const of = { headers: headersOf(task.headers), contentType: "application/json" };
        assert.equal(words(amounts.costOfTask(of, task.body)), task.cost);
      }
      const places = dialects.filter((one) => one.name === name).flatMap((one) => one.balances ?? []);
      for (const { path, body, balance, spent } of balances) {
        const place = places.find((one) => one.path === path);
        const listed = (all: readonly StatedAmount[] = []): string =>
          all.map((one) => words({ ...one, source: "gateway" })).join(", ");
        assert.equal(listed(place?.read(body)), balance, path);
        if (spent !== undefined) assert.equal(listed(place?.spent?.(body)), spent, path);
      }
      assert.equal(amounts.balancePlace?.path, places[0]?.path);
      places.forEach(() => amounts.skipBalancePlace());
      assert.equal(amounts.balancePlace, undefined, "a place that states nothing is not asked again");
    });
  }

  it("T18: fields alone show a gateway at an address that nobody knows, and headers come before them", () => {
    for (const { name, models } of recordings) {
      const amounts = new GatewayAmounts("http://127.0.0.1:1/v1");
      const listed = asArray(asRecord(models)?.["data"]).flatMap((one) => (isRecord(one) ? [one] : []));
      for (const model of listed) amounts.pricesOf(model, asText(model["id"]) ?? "");
      const isShown = ["OpenRouter", "Vercel AI Gateway", "Requesty"].includes(name);
      assert.equal(amounts.name, isShown ? name : undefined);
      amounts.learn({ headers: headersOf({ "x-litellm-version": "1" }) });
      assert.equal(amounts.name, "LiteLLM");
      amounts.learn({ headers: headersOf({ "x-new-api-version": "1" }) });
      assert.equal(amounts.name, "LiteLLM", "the first one stays");
    }
  });

  it("T18: the places of a gateway that fields alone have shown do not count as asked for the one that headers show", () => {
    const amounts = new GatewayAmounts("http://127.0.0.1:1/v1");
    amounts.costOf({ headers: headersOf({}) }, { cost: 1, is_byok: false });
    assert.equal(amounts.balancePlace?.path, "/key");
    amounts.skipBalancePlace();
    amounts.learn({ headers: headersOf({ "x-litellm-version": "1" }) });
    assert.equal(amounts.balancePlace?.path, "/key/info");
    amounts.skipBalancePlace();
    amounts.learn({ headers: headersOf({ "x-litellm-version": "1" }) });
    assert.equal(amounts.balancePlace, undefined);
  });

  it("T18: a gateway that states nothing itself passes on what the one behind it states", () => {
    const amounts = new GatewayAmounts("https://gateway.ai.cloudflare.com/v1/a/b");
    const headers = headersOf({ "cf-aig-log-id": "1" });
    amounts.learn({ headers });
    assert.equal(words(amounts.costOf({ headers }, { cost: 0.5, cost_details: {} })), "0.5 USD");
    assert.equal(words(amounts.costOf({ headers }, { cost: 0.5 })), "", "a cost in no known shape is no amount");
    assert.equal(amounts.name, "Cloudflare AI Gateway");
    assert.equal(amounts.balancePlace, undefined);
  });

  it("T18: what is no amount is not known, and never 0", () => {
    const amounts = new GatewayAmounts("https://openrouter.ai/api/v1");
    const headers = headersOf({});
    const odd: readonly unknown[] = [
      JSON.parse("1e309"),
      "1e309",
      -1,
      "-1",
      "NaN",
      "１２",
      "٣",
      null,
      {},
      [1],
      true,
      "",
      "1,5",
    ];
    for (const cost of odd) {
      assert.equal(amounts.costOf({ headers }, { cost, is_byok: false }), undefined, String(cost));
      const model = { pricing: { prompt: cost, completion: cost } };
      assert.equal(amounts.pricesOf(model, "m"), undefined, String(cost));
      for (const { balances = [] } of dialects)
        for (const { read } of balances)
          for (const body of bodiesWith(cost)) assert.deepEqual(read(body), [], JSON.stringify(body));
    }
    const litellm = new GatewayAmounts("https://l.example.com");
    for (const cost of odd.filter((one) => !Array.isArray(one)).map(String)) {
      const given = headersOf({ "x-litellm-version": "1", "x-litellm-response-cost": cost });
      litellm.learn({ headers: given });
      assert.equal(litellm.costOf({ headers: given }, {}), undefined, cost);
    }
  });

  it("R6: a usage of any size and depth costs no time", () => {
    const amounts = new GatewayAmounts("https://openrouter.ai/api/v1");
    const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`f${index}`, index]));
    assert.equal(amounts.costOf({ headers: headersOf({}) }, { ...wide, cost: 1 }), undefined);
    const path = `${"a.".repeat(100)}b`;
    assert.deepEqual(balancePlaceOf({ path: "/x", field: path, currency: "USD" }).read({ a: {} }), []);
    const place = balancePlaceOf({ path: "/x", field: "data.0.left", currency: "credits" });
    assert.deepEqual(place.read({ data: [{ left: "12.5" }] }), [{ amount: 12.5, currency: "credits" }]);
    assert.deepEqual(place.read({ data: { constructor: 1 } }), []);
    assert.deepEqual(balancePlaceOf({ path: "/x", field: "constructor.length", currency: "USD" }).read({}), []);
  });

  it("T18: none of the recorded streams states an amount", async () => {
    const paths = globSync(join(fixtures, "{chat-completions,messages,generate-content}/*.{sse,json}"));
    assert.ok(paths.length > 200, String(paths.length));
    const stating: string[] = [];
    for (const path of paths) {
      const family = families.find((one) => path.includes(`/${one}/`)) ?? "messages";
      const usage = await usageOf(family, readFileSync(path, "utf8"), "text/event-stream");
      const amounts = new GatewayAmounts("https://gateway.example.com/v1");
      if (amounts.costOf({ headers: headersOf({}) }, usage)) stating.push(path);
    }
    assert.deepEqual(stating, []);
  });
});

/** Bodies in which every field that a dialect reads is that value. */
function bodiesWith(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  const fields = { limit_remaining: value, total_credits: value, total_usage: value, total_available: value };
  const data = { ...fields, available_balance: value, unlimited_quota: false };
  const infos = [{ currency: "USD", total_balance: value }];
  return [{ data, info: { max_budget: value, spend: value }, balance: value, balance_infos: infos }];
}
