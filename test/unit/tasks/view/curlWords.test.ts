/** What is said of a copied request. */
import assert from "node:assert/strict";
import { describeCopiedKey } from "../../../../src/tasks/view/requestWords";
import { makeTask } from "../../../support/builders";

describe("a request that was copied", () => {
  it("M19, T7: it is said that it carries the key, and until when that makes no second task; not of one that only reads", () => {
    assert.match(describeCopiedKey(makeTask())!, /^Copied with the idempotency key .* Within 24 hours .* paid one/);
    assert.equal(describeCopiedKey(makeTask({ intent: { isWatched: true } })), undefined);
  });
});
