/** What is wrong with the fields of the form for media, and the options that they make. */
import assert from "node:assert/strict";
import { emptyMediaFields, optionsOf, problemsOf } from "../../../../src/domain/task/mediaFields";

const fields = { ...emptyMediaFields("video", "model-x"), prompt: "a pier" };

describe("the fields of the form for media", () => {
  it("T15: a prompt and a model are enough; each other field is right, empty or named", () => {
    assert.deepEqual(problemsOf(fields), {});
    assert.deepEqual(problemsOf({ ...fields, model: " ", prompt: "\n" }), { model: "no-model", prompt: "no-prompt" });
    const wrong = { size: "wide", duration: "long", seed: "1.5", isPlaced: true, destination: "../hero" };
    const named = { size: "no-size", duration: "no-duration", seed: "no-seed", destination: "no-path" };
    assert.deepEqual(problemsOf({ ...fields, ...wrong }), named);
    assert.deepEqual(problemsOf({ ...fields, size: " 1280X720 ", duration: "6 s", seed: " -7 " }), {});
  });

  it("T15: what isn't sent is not checked: a destination that is off, a duration of a picture", () => {
    assert.deepEqual(problemsOf({ ...fields, destination: "../hero" }), {});
    const picture = { ...fields, type: "async-image", duration: "long" } as const;
    assert.deepEqual(problemsOf(picture), {});
    assert.equal(optionsOf({ ...picture, duration: "6" }).duration, undefined);
  });

  it("T15: the limit counts characters as a person does, without blanks around the prompt", () => {
    assert.deepEqual(problemsOf({ ...fields, prompt: " 🌊🌊🌊 " }, 3), {});
    assert.deepEqual(problemsOf({ ...fields, prompt: "🌊🌊🌊🌊" }, 3), { prompt: "too-long" });
  });

  it("T15: a seed leaves room for those that follow it", () => {
    const seed = String(Number.MAX_SAFE_INTEGER);
    assert.deepEqual(problemsOf({ ...fields, seed }), {});
    assert.deepEqual(problemsOf({ ...fields, seed, count: 2 }), { seed: "no-seed" });
  });

  it("T15: options are sent as a gateway reads them", () => {
    assert.deepEqual(optionsOf({ ...fields, size: "1280X720", duration: "6s", seed: "07" }), {
      size: "1280x720",
      duration: 6,
      seed: 7,
    });
    assert.deepEqual(optionsOf(fields), {});
  });
});
