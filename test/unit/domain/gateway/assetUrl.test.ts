/** Addresses of results as gateways write them. */
import assert from "node:assert/strict";
import { assetUrlOf } from "../../../../src/domain/gateway/assetUrl";

describe("addresses of results", () => {
  it("T8 (field 16a): relative addresses begin at the gateway's own one, and one without a scheme has the gateway's", () => {
    const at = (text: string, gateway = "https://gate.example/api/v1"): string | undefined =>
      assetUrlOf(text, new URL(gateway))?.href;
    assert.equal(at("/v1/files/a.png"), "https://gate.example/v1/files/a.png");
    assert.equal(at("files/a.png"), "https://gate.example/api/v1/files/a.png");
    assert.equal(at("./a.png"), "https://gate.example/api/v1/a.png");
    assert.equal(at("a.png?x=1"), "https://gate.example/api/v1/a.png?x=1");
    assert.equal(at("//cdn.example/a.png"), "https://cdn.example/a.png");
    assert.equal(at("cdn.example/a.png"), "https://cdn.example/a.png");
    assert.equal(at("cdn.example:8443/a.png"), "https://cdn.example:8443/a.png");
    assert.equal(at("localhost:3000/a.png", "http://localhost:3000/"), "http://localhost:3000/a.png");
    assert.equal(at(" https://cdn.example/a b.png\n"), "https://cdn.example/a%20b.png");
    assert.equal(at("HTTPS://cdn.example/a.png"), "https://cdn.example/a.png");
    assert.equal(at(""), undefined);
    assert.equal(
      at("javascript:alert(1)"),
      "javascript:alert(1)",
      "what is no web address is refused where it is fetched",
    );
  });
});
