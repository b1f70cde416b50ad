/** Addresses of gateways as people type them. */
import assert from "node:assert/strict";
import { withScheme } from "../../../../src/domain/gateway/address";

describe("a typed address", () => {
  it("C1 (newuser M16): gets the scheme that was left out: https, and http on this machine", () => {
    for (const [typed, meant] of [
      ["gateway.example", "https://gateway.example"],
      [" gateway.example/v1 ", "https://gateway.example/v1"],
      ["gateway.example:8443/v1", "https://gateway.example:8443/v1"],
      ["localhost:3000", "http://localhost:3000"],
      ["127.0.0.1:11434/v1", "http://127.0.0.1:11434/v1"],
      ["10.0.0.1/v1", "https://10.0.0.1/v1"],
      ["http://gateway.example", "http://gateway.example"],
      ["HTTPS://gateway.example", "HTTPS://gateway.example"],
      ["ftp://gateway.example", "ftp://gateway.example"],
      ["gateway", "gateway"],
      ["", ""],
      ["me@gateway.example", "me@gateway.example"],
    ] as const)
      assert.equal(withScheme(typed), meant, typed);
  });
});
