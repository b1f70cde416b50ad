/** What the fields of the form for media become: one task, or several that differ by seed and name. */
import assert from "node:assert/strict";
import type * as vscode from "vscode";
import { emptyMediaFields } from "../../../../../src/domain/task/mediaFields";
import { draftOfFields, emptyDraft, fieldsOfDraft, withCarried } from "../../../../../src/tasks/host/submit/taskDraft";

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

  it("T2: of a task a field has what it would send again as it was; everything else is carried over", () => {
    const before = {
      ...({ ...emptyDraft, type: "video", model: "m", prompts: ["a pier"], duplicatedFrom: "t" } as const),
      metadata: { size: "1280X720", duration: "5s", seed: 7, background: "blue", guidance: 4.5 },
      otherAssets: { mask: "https://x/m.png" },
    };
    const { fields: filled, carried } = fieldsOfDraft(before, undefined);
    assert.deepEqual([filled.size, filled.duration, filled.seed, filled.isTransparent], ["", "", "7", undefined]);
    assert.deepEqual(carried.metadata, { size: "1280X720", duration: "5s", background: "blue", guidance: 4.5 });
    const again = withCarried(draftOfFields(filled, [], undefined), carried);
    assert.deepEqual(again.metadata, before.metadata);
    assert.deepEqual([again.otherAssets, again.duplicatedFrom], [before.otherAssets, "t"]);
    const changed = withCarried(draftOfFields({ ...filled, size: "640x480", duration: "8" }, [], undefined), carried);
    assert.deepEqual([changed.metadata["size"], changed.metadata["duration"]], ["640x480", 8]);
  });

  it("T2: plain values go into their fields, and the place where it is in the form's folder", () => {
    const metadata = { size: "1280x720", duration: 5, seed: 7, background: "transparent" };
    const place = { root: { toString: () => "file:///project" } as vscode.Uri, path: "assets/pier-2" };
    const draft = { ...emptyDraft, type: "video", prompts: ["a pier"], metadata, destination: place } as const;
    const { fields: filled, carried } = fieldsOfDraft(draft, "file:///project");
    assert.deepEqual([filled.size, filled.duration, filled.seed, filled.isTransparent], ["1280x720", "5", "7", true]);
    assert.deepEqual([filled.isPlaced, filled.destination], [true, "assets/pier-2"]);
    assert.deepEqual(carried.metadata, {});
    assert.equal(carried.place, undefined);
    const elsewhere = fieldsOfDraft(draft, "file:///other");
    assert.equal(elsewhere.fields.isPlaced, false);
    assert.deepEqual(elsewhere.carried.place, { root: "file:///project", path: "assets/pier-2" });
  });
});
