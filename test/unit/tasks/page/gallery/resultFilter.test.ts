/** Which results the gallery shows, and in which order. */
import assert from "node:assert/strict";
import type { GalleryRow } from "../../../../../src/tasks/contract/galleryPageContract";
import {
  firstChoices,
  readChoices,
  arrangeResults,
  countFilters,
  facetsOf,
  noResultFilter,
  type ResultFilter,
  type ResultOrder,
} from "../../../../../src/tasks/page/gallery/resultFilter";
import { assertLinear } from "../../../../support/growth";

const day = (date: number, hour = 12): number => new Date(2026, 10, date, hour).getTime();

function row(id: string, at: number, change: Partial<GalleryRow> = {}): GalleryRow {
  return { id, at, prompt: id, type: "async-image", model: "m", gateway: "g", kind: "image", offers: 0, ...change };
}

const rows = [
  row("crane", day(24), { prompt: "A harbour crane, Café", model: "z", rating: 3 }),
  row("ferry", day(23), { prompt: "A ferry in the fog", batch: "b1", choice: "kept" }),
  row("gull", day(22), { prompt: "A gull", type: "video", batch: "b1", choice: "rejected", rating: 5 }),
  row("tower", day(20, 0), { prompt: "A tower", gateway: "other", rating: 5 }),
];

function shown(filter: Partial<ResultFilter>, order: ResultOrder = "newest"): string {
  return arrangeResults(rows, { ...noResultFilter, ...filter }, order)
    .map(({ id }) => id)
    .join(" ");
}

describe("the filter of the gallery", () => {
  it("T15: rejected results are hidden unless they are asked for", () => {
    assert.equal(shown({}), "crane ferry tower");
    assert.equal(shown({ marks: "rejected" }), "gull");
    assert.equal(shown({ marks: "all" }), "crane ferry gull tower");
    assert.equal(shown({ marks: "kept" }), "ferry");
    assert.equal(shown({ marks: "rated" }), "crane tower");
    assert.equal(shown({ marks: "unrated" }), "ferry");
  });

  it("T15: by type, model, gateway, batch and the words of the prompt, all together", () => {
    assert.equal(shown({ type: "video", marks: "all" }), "gull");
    assert.equal(shown({ model: "z" }), "crane");
    assert.equal(shown({ gateway: "other" }), "tower");
    assert.equal(shown({ batch: "b1" }), "ferry");
    assert.equal(shown({ text: "CAFE harb" }), "crane");
    assert.equal(shown({ text: "a", model: "z", gateway: "other" }), "");
    assert.equal(countFilters({ ...noResultFilter, text: "a", model: "z", marks: "all" }), 2);
  });

  it("T15: by whether the project uses them, once that is known", () => {
    const used = (use: ResultFilter["use"], ids?: readonly string[]): string =>
      arrangeResults(rows, { ...noResultFilter, use }, "newest", ids && new Set(ids))
        .map(({ id }) => id)
        .join(" ");
    assert.equal(used("used", ["tower", "gull"]), "tower");
    assert.equal(used("unused", ["tower", "gull"]), "crane ferry");
    assert.equal(used("", ["tower"]), "crane ferry tower");
    assert.equal(used("used"), "crane ferry tower");
    assert.equal(countFilters({ ...noResultFilter, use: "used" }), 1);
  });

  it("T20: by what became of their files, by sluice.lock, and placeholders by themselves", () => {
    const placeholder = row("sketch", day(25), { isRehearsed: true });
    const by = (use: ResultFilter["use"]): string =>
      arrangeResults([placeholder, ...rows], { ...noResultFilter, use }, "newest", new Set(), {
        stale: ["tower"],
        foreign: ["crane", "ferry"],
      })
        .map(({ id }) => id)
        .join(" ");
    assert.deepEqual([by("rehearsed"), by("stale"), by("foreign")], ["sketch", "tower", "crane ferry"]);
  });

  it("T15: by days, the first and the last one included; what is no day filters nothing", () => {
    assert.equal(shown({ from: "2026-11-23" }), "crane ferry");
    assert.equal(shown({ to: "2026-11-20" }), "tower");
    assert.equal(shown({ from: "2026-11-20", to: "2026-11-23" }), "ferry tower");
    assert.equal(shown({ from: "soon" }), "crane ferry tower");
  });

  it("T15: newest, oldest, best rated or by model first; what is equal is newest first", () => {
    assert.equal(shown({ marks: "all" }, "oldest"), "tower gull ferry crane");
    assert.equal(shown({ marks: "all" }, "rating"), "gull tower crane ferry");
    assert.equal(shown({ marks: "all" }, "model"), "ferry gull tower crane");
  });

  it("T15: results of a batch are in the order of what they differ by, numbers by their value", () => {
    const batch = [
      row("a", 5, { prompt: "Poster 10" }),
      row("c", 5, { prompt: "Poster 2" }),
      row("d", 5, { prompt: "Poster", variant: "seed: 10" }),
      row("b", 5, { prompt: "Poster", variant: "seed: 9" }),
      row("e", 5, { prompt: "Poster 2" }),
    ];
    for (const order of ["newest", "oldest"] as const) {
      const shownIds = arrangeResults(batch, noResultFilter, order).map(({ id }) => id);
      assert.deepEqual(shownIds, ["c", "e", "a", "b", "d"]);
    }
  });

  it("T15: the values to filter by are counted, the most frequent first, batches by their time", () => {
    assert.deepEqual(
      facetsOf(rows, "model", 9).map(({ value, count }) => [value, count]),
      [
        ["m", 3],
        ["z", 1],
      ],
    );
    assert.deepEqual(facetsOf(rows, "batch", 9), [{ value: "b1", count: 2, prompt: "A ferry in the fog" }]);
    assert.equal(facetsOf(rows, "gateway", 1).length, 1);
  });

  it("T15: what VS Code kept is read back, and anything else is as at first", () => {
    const choices = { ...firstChoices, order: "rating" as const, size: 96, filter: { ...noResultFilter, text: "fog" } };
    assert.deepEqual(readChoices({ subject: "gallery", choices }), choices);
    for (const foreign of [undefined, null, 3, { choices: { filter: 1, order: "worst", size: 1e9 } }])
      assert.deepEqual(readChoices(foreign), firstChoices);
  });

  it("T15: ten thousand results are filtered and sorted in a time that grows as their number does", async () => {
    const filter = { ...noResultFilter, text: "lighthouse 99" };
    const many = (length: number): ReturnType<typeof row>[] =>
      Array.from({ length }, (_, index) =>
        row(`r${index}`, day(1) + index, {
          prompt: `A poster of a lighthouse, number ${index}`,
          rating: (index % 5) + 1,
        }),
      );
    assert.equal(arrangeResults(many(10_000), filter, "rating").length, 280);
    await assertLinear(1_250, (length) => {
      const rows = many(length);
      return () => arrangeResults(rows, filter, "rating");
    });
  });
});
