/** What is imported of undici by its own paths is what its index exports: an update of undici is checked here. */
import assert from "node:assert/strict";
import * as index from "undici";
import { Client, errors, Pool } from "../../../../../src/gateway/http/network/undici";

describe("undici by its paths", () => {
  it("C4: the classes are those of the index", () => {
    assert.equal(Client, index.Client);
    assert.equal(Pool, index.Pool);
    assert.equal(errors, index.errors);
  });

  it("C4: a dispatcher has the methods that we call", () => {
    for (const method of ["request", "connect", "compose", "close", "dispatch"] as const) {
      assert.equal(typeof Reflect.get(Pool.prototype, method), "function", method);
    }
  });
});
