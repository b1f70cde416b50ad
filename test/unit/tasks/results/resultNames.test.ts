/** The names of a result's files. */
import assert from "node:assert/strict";
import { fileStem } from "../../../../src/tasks/results/resultNames";
import { makeTask } from "../../../support/builders";

describe("the name of a result's file", () => {
  it("M19, T8: two tasks of one prompt whose ids begin with the same eight digits have files of their own", () => {
    const [one, other] = ["3f9a1c22-0000-4000-8000-000000000001", "3f9a1c22-0000-4001-8000-000000000001"].map((id) =>
      fileStem(makeTask({ intent: { id, prompt: "A lighthouse" } })),
    );
    assert.equal(one, "a-lighthouse-3f9a1c2200004000");
    assert.notEqual(one, other);
  });
});
