/** Q-K8, Q-K11, Q-K18: results and their links: each switch with what shows it. */
import assert from "node:assert/strict";
import type { MovedClock } from "../../../support/movedClock";
import { type GatewayUnderTest } from "../support";
import { read, done, fields, type GatewayCase, gatewayCases } from "./gatewayCase";

const parsed = (given: unknown): Record<string, unknown> => JSON.parse(String(given)) as Record<string, unknown>;
const assets = (value: string, check: (given: unknown) => void): GatewayCase =>
  fields(done, value, (json) => check(json["result_assets_json"]));
const imageUrl = async (test: GatewayUnderTest, clock: MovedClock): Promise<string> => {
  const { json } = await read(test, await done(test, clock));
  return String(parsed(json["result_assets_json"])["image_url"]);
};
const asset = (value: string, check: (response: Response, url: string) => unknown): GatewayCase => ({
  value,
  before: imageUrl,
  shows: async (_test, url) => check(await fetch(url, { redirect: "manual" }), url),
});

export const assetCases = gatewayCases({
  "task.assets-form": [
    assets("empty", (given) => assert.equal(given, "{}")),
    assets("malformed", (given) => assert.throws(() => JSON.parse(String(given)))),
    assets("missing", (given) => assert.equal(given, undefined)),
    assets("object", (given) => assert.equal(typeof given, "object")),
    assets("extra", (given) => assert.ok("x-cost" in parsed(given))),
    assets("list", (given) => assert.ok(Array.isArray(parsed(given)["image_url"]))),
    assets("seed-text", (given) => assert.equal(typeof parsed(given)["seed"], "string")),
    assets("data-url", (given) => assert.match(String(parsed(given)["image_url"]), /^data:image\/png;base64,iVBOR/)),
  ],
  "task.asset-lost": [
    fields(done, undefined, (json) => {
      assert.deepEqual([json["status"], json["error_code"]], [5, "asset_lost"]);
      assert.equal(json["result_assets_json"], undefined);
    }),
  ],
  "task.asset-form": [
    asset("forbidden", (response) => assert.equal(response.status, 403)),
    asset("gone", (response) => assert.equal(response.status, 410)),
    asset("wrong-type", ({ headers }) => assert.equal(headers.get("content-type"), "application/octet-stream")),
    asset("html", async (response) => assert.match(await response.text(), /^<!doctype html>/)),
    asset("truncated", async (response) => {
      assert.ok(Number(response.headers.get("content-length")) > 1_000);
      await assert.rejects(response.arrayBuffer());
    }),
    {
      value: "other-part",
      before: imageUrl,
      async shows(_test, url) {
        const response = await fetch(url, { headers: { range: "bytes=1000-" } });
        assert.deepEqual([response.status, response.headers.get("etag")], [206, null]);
        const part = Buffer.from(await response.arrayBuffer());
        const own = Buffer.from(await (await fetch(url, { headers: { range: "bytes=1000-" } })).arrayBuffer());
        assert.ok(part.length > 1_000 && part.length === own.length + 7 && part[0] !== own[0]);
      },
    },
    asset("other-half", async (response) => {
      assert.equal(response.headers.get("etag"), '"other"');
      await assert.rejects(response.arrayBuffer());
    }),
    {
      value: "no-range",
      before: imageUrl,
      async shows(_test, url) {
        const response = await fetch(url, { headers: { range: "bytes=0-9" } });
        assert.deepEqual([response.status, response.headers.get("accept-ranges")], [200, null]);
        assert.ok((await response.arrayBuffer()).byteLength > 1_000);
      },
    },
    asset("redirect", async (response, url) => {
      assert.equal(response.status, 302);
      assert.equal(response.headers.get("location"), url.replace("127.0.0.1", "localhost"));
      assert.equal((await fetch(url)).status, 200);
    }),
  ],
  "task.link-life": [
    {
      value: 5_000,
      before: done,
      async shows(test, taskId, clock) {
        const url = String(parsed((await read(test, taskId)).json["result_assets_json"])["image_url"]);
        assert.equal((await fetch(url, { method: "HEAD" })).status, 200);
        await clock.advance(5_000);
        assert.equal((await fetch(url, { method: "HEAD" })).status, 410);
      },
    },
  ],
});
