/** What the fields of the form for media become: one task, or several that differ by seed and name. */
import assert from "node:assert/strict";
import type * as vscode from "vscode";
import { emptyMediaFields } from "../../../../../src/domain/task/mediaFields";
import { draftOfFields } from "../../../../../src/tasks/host/submit/taskDraft";

const fields = { ...emptyMediaFields("async-image", " model-x "), prompt: "  a pier\n", size: "512X512" };
const references = [{ name: "a.png", url: "https://x/a.png" }];
const root = { path: "/project" } as vscode.Uri;
const destination = { root, path: "assets/pier" };

describe("the draft of the form for media", () => {
  it("T15: one task has the seed, the size and the destination for itself", () => {
    const draft = draftOfFields({ ...fields, seed: "7" }, references, destination);
    const { type, model, prompts, metadata, each } = draft;
    assert.deepEqual([type, model, prompts], ["async-image", "model-x", ["a pier"]]);
    assert.deepEqual(metadata, { size: "512x512", seed: 7 });
    assert.equal(draft.destination, destination);
    assert.equal(draft.references, references);
    assert.equal(each, undefined);
  });

  it("T15: several are variants with seeds that follow each other, each with a place of its own", () => {
    const draft = draftOfFields({ ...fields, seed: "7", count: 3 }, [], destination);
    assert.deepEqual(draft.prompts, ["a pier", "a pier", "a pier"]);
    assert.deepEqual(draft.metadata, { size: "512x512" });
    assert.deepEqual(
      draft.each,
      [7, 8, 9].map((seed) => ({ words: `seed: ${seed}`, metadata: { seed }, destination })),
    );
  });

  it("T15: without a seed none is sent, and no variant names one", () => {
    const { each } = draftOfFields({ ...fields, count: 2 }, [], undefined);
    assert.deepEqual(each, [
      { words: "", metadata: {} },
      { words: "", metadata: {} },
    ]);
  });
});
