import assert from "node:assert/strict";
import { retryRefused } from "../../../../src/base/async/retryRefused";

describe("what is refused for a moment", () => {
  const refusing = (times: number): { readonly attempt: () => Promise<boolean>; readonly tries: () => number } => {
    let tries = 0;
    return { attempt: () => Promise.resolve((tries += 1) > times), tries: () => tries };
  };

  it("T8: is tried again until it is taken, five times at most", async () => {
    const twice = refusing(2);
    assert.equal(await retryRefused(twice.attempt), true);
    assert.equal(twice.tries(), 3);
    const always = refusing(Infinity);
    assert.equal(await retryRefused(always.attempt), false);
    assert.equal(always.tries(), 5);
  });
});
