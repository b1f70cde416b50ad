/** C2 (strangers C4): headers of the person's own, for one gateway each. */
import assert from "node:assert/strict";
import { readHeaderSecrets, readRequestHeaders } from "../../../../src/domain/gateway/networkSettings";

describe("headers for a gateway", () => {
  const at = (gateway: string, headers: unknown): object => ({ gateway, headers });
  const read = (entries: unknown, url = "https://a.example/v1/models", environment = {}): Record<string, string> => ({
    ...readRequestHeaders(entries, environment, new URL(url)),
  });

  it("C2 (strangers C4): go to the origin of their gateway and to no other", () => {
    const entries = [
      at("https://a.example/v1", { "x-portkey-provider": "openai" }),
      at("https://b.example", { "x-b": "1" }),
    ];
    assert.deepEqual(read(entries), { "x-portkey-provider": "openai" });
    assert.deepEqual(read(entries, "https://a.example/v1beta/models"), { "x-portkey-provider": "openai" });
    for (const url of ["https://a.example:8443/v1", "http://a.example/v1", "https://a.example.evil.example/v1"]) {
      assert.deepEqual(read(entries, url), {});
    }
  });

  it("C2 (strangers C4): take a variable of the environment, and are left out without it", () => {
    const entries = [at("https://a.example", { "x-key": "${env:MY_KEY}", "x-other": "a ${env:NONE}" })];
    assert.deepEqual(read(entries, undefined, { MY_KEY: "secret" }), { "x-key": "secret" });
  });

  it("C2: secret are values from the environment, and those of headers that are named after a secret", () => {
    const headers = {
      "x-portkey-provider": "openai",
      "x-portkey-virtual-key": "one",
      "x-author": "me",
      "cf-access-client-secret": "two",
      "helicone-auth": "Bearer three",
      "x-tenant": "a ${env:TENANT}",
      "x-gone-token": "${env:NONE}",
    };
    assert.deepEqual(
      readHeaderSecrets([at("https://a.example", headers)], { TENANT: "four" }, new URL("https://a.example/v1")),
      ["one", "two", "Bearer three", "three", "a four", "four"],
    );
    assert.deepEqual(readHeaderSecrets([at("https://a.example", headers)], {}, new URL("https://b.example/v1")), []);
  });

  it("C2, A4 (strangers C4): none carries the key in another's place, frames the request or ends a header", () => {
    const names = [
      "Authorization",
      "x-api-key",
      "Host",
      "Content-Length",
      "transfer-encoding",
      "Cookie",
      "proxy-x",
      "a b",
      "",
    ];
    const headers = Object.fromEntries(names.map((name) => [name, "x"]));
    assert.deepEqual(read([at("https://a.example", { ...headers, ok: "1", line: "a\r\nb", wide: "ä" })]), { ok: "1" });
    for (const entries of [undefined, {}, [1], [at("no address", { a: "b" })], [at("https://a.example", { a: 1 })]]) {
      assert.deepEqual(read(entries), {});
    }
  });
});
