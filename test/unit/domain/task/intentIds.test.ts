/** Ids of intents become parts of file names: one of another form is none. */
import assert from "node:assert/strict";
import { taskIntentSchema } from "../../../../src/domain/task/taskSchema";
import { makeIntent } from "../../../support/builders";

const id = "22222222-2222-4222-8222-222222222222";

describe("ids of intents", () => {
  it("T8 (finding S15): an intent that is read has an id of the form that is written, or it is no intent", () => {
    const isIntent = (intentId: string): boolean => taskIntentSchema.safeParse(makeIntent({ id: intentId })).success;
    assert.ok(isIntent(id));
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
      assert.ok(!isIntent(odd), odd);
    }
  });
});
