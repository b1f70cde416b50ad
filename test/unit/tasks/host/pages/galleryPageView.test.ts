/** The rows of the gallery, and what its page makes of them. */
import assert from "node:assert/strict";
import type { Task } from "../../../../../src/domain/task/task";
import {
  galleryActions,
  type GallerySnapshot,
  offersAction,
  reduceGallery,
} from "../../../../../src/tasks/contract/galleryPageContract";
import { galleryRow, resultsOf } from "../../../../../src/tasks/host/pages/galleryPageView";
import { accepted, makeTask } from "../../../../support/builders";

const folder = "/store/results";

function result(change: Parameters<typeof accepted>[1] = {}, intent: Partial<Task["intent"]> = {}): Task {
  return makeTask({
    intent: { type: "async-image", ...intent },
    submission: accepted({ state: "succeeded", rawStatus: "4" }, change),
  });
}

const saved = { mimeType: "image/png", size: 9, at: 0 };

describe("the rows of the gallery", () => {
  it("T15: a row has the addresses within the results folder, the marks and what is offered", () => {
    const task = result({
      saved: { ...saved, path: `${folder}/a b#1.png`, thumbnail: `${folder}/a.thumbnail.webp` },
      rating: 4,
      choice: "kept",
    });
    const row = galleryRow(task, folder);
    assert.deepEqual(
      { kind: row.kind, file: row.file, thumbnail: row.thumbnail, rating: row.rating, choice: row.choice },
      { kind: "image", file: "a%20b%231.png", thumbnail: "a.thumbnail.webp", rating: 4, choice: "kept" },
    );
    assert.equal(galleryRow(result({}, { variant: "style: ink" }), folder).variant, "style: ink");
    assert.deepEqual(
      galleryActions.filter((action) => offersAction(row, action)),
      [...galleryActions],
    );
  });

  it("T15: a file elsewhere is not addressed, one that can't be shown is named so, and one at the gateway has none", () => {
    assert.equal(galleryRow(result({ saved: { ...saved, path: "/elsewhere/a.png" } }), folder).file, "");
    assert.equal(galleryRow(result({ saved: { ...saved, path: `${folder}/a.bin` } }), folder).kind, "other");
    const remote = galleryRow(result(), folder);
    assert.deepEqual([remote.kind, "file" in remote], ["image", false]);
    assert.ok(offersAction(remote, "get-result"));
  });

  it("T15: only tasks with a result are rows, newest first, also one that was refunded later", () => {
    const failed = makeTask({ submission: accepted({ state: "failed", rawStatus: "5" }) });
    const refunded = makeTask({
      intent: { createdAt: 5 },
      submission: accepted({ state: "refunded", rawStatus: "8" }, { saved: { ...saved, path: `${folder}/a.png` } }),
    });
    const [old, young] = [result({}, { createdAt: 1 }), result({}, { createdAt: 9 })];
    assert.deepEqual(resultsOf([failed, old, refunded, young]), [young, refunded, old]);
  });

  it("T15: pages and changes are merged into the rows, and unchanged rows stay the same objects", () => {
    const [one, two] = ["1", "2"].map((number) =>
      galleryRow(result({}, { id: `${number.repeat(8)}-1111-4111-8111-111111111111` }), folder),
    );
    assert.ok(one && two);
    const before: GallerySnapshot = {
      subject: "gallery",
      base: "",
      folder: "",
      total: 2,
      isComplete: false,
      rows: [one],
    };
    const both = reduceGallery(before, { total: 2, isComplete: true, rows: [two], gone: [] });
    assert.deepEqual([both.rows[0], both.rows[1], both.isComplete], [one, two, true]);
    const rated = { ...two, rating: 3 };
    const after = reduceGallery(both, { total: 1, isComplete: true, rows: [rated], gone: [one.id] });
    assert.deepEqual([after.rows, after.total], [[rated], 1]);
    const of = { "2": [{ name: "seed", value: "2" }] };
    const earlier = { "1": [{ name: "seed", value: "1" }] };
    const read = [of, earlier].reduce(
      (state, options) => reduceGallery(state, { total: 1, isComplete: true, rows: [], gone: [], options }),
      after,
    );
    assert.deepEqual(read.options, { ...of, ...earlier }, "options that are read later");
  });
});
