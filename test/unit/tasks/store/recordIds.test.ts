/** Ids of intents become parts of file names: one of another form is none. */
import assert from "node:assert/strict";
import { readTaskRecord } from "../../../../src/tasks/store/importJournal";
import { makeIntent } from "../../../support/builders";

const id = "22222222-2222-4222-8222-222222222222";

describe("ids of intents", () => {
  it("T8 (finding S15): an intent of a journal has an id of the form that is written, or it is no intent", () => {
    const line = (intentId: string): unknown => ({ type: "task-intended", intent: makeIntent({ id: intentId }) });
    assert.ok(readTaskRecord(line(id)));
    for (const odd of [
      "../../../x",
      "..",
      "",
      "1",
      "22222222-2222-4222-8222-22222222222/",
      `${id}\n`,
      id.toUpperCase().replace("2", "A"),
      `x${id}`,
    ]) {
      assert.equal(readTaskRecord(line(odd)), undefined, odd);
    }
  });
});
