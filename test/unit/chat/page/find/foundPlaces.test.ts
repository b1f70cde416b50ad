/** The places of Find in Chat: every one is reached once, and a place keeps its number as others come. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { countPlaces, indexFrom, indexOfPlace, placeAt } from "../../../../../src/chat/page/foundPlaces";

const counts = fc.array(fc.array(fc.nat(3), { minLength: 1, maxLength: 4 }), { maxLength: 6 });
const hitsOf = (parts: readonly (readonly number[])[]) =>
  parts.map((one, index) => ({ entry: `e${index}`, parts: one })).filter((hit) => hit.parts.some((count) => count > 0));

describe("places of what was found", () => {
  it("P4: each number is one place, in order, and each place has its number", () => {
    fc.assert(
      fc.property(counts, (parts) => {
        const hits = hitsOf(parts);
        const expected = hits.flatMap(({ entry, parts: its }) =>
          its.flatMap((count, part) => Array.from({ length: count }, (_, occurrence) => ({ entry, part, occurrence }))),
        );
        const places = expected.map((_, index) => placeAt(hits, index));
        assert.deepEqual(places, expected);
        assert.equal(countPlaces(hits), expected.length);
        assert.deepEqual(
          expected.map((place) => indexOfPlace(hits, place)),
          expected.map((_, index) => index),
        );
        assert.equal(placeAt(hits, expected.length), undefined);
        assert.equal(placeAt(hits, -1), undefined);
      }),
    );
  });

  it("P4: a place that is gone gives way to the last one of its entry; without its entry there is none", () => {
    const hits = [
      { entry: "a", parts: [2] },
      { entry: "b", parts: [1, 1] },
    ];
    assert.equal(indexOfPlace(hits, { entry: "b", part: 1, occurrence: 5 }), 3);
    assert.equal(indexOfPlace(hits, { entry: "c", part: 0, occurrence: 0 }), -1);
  });

  it("P4: the first place is the first in view or below, else the last of all", () => {
    const hits = [
      { entry: "older", parts: [3] },
      { entry: "b", parts: [2] },
    ];
    assert.equal(indexFrom(hits, ["a", "b", "c"], "a"), 3);
    assert.equal(indexFrom(hits, ["a", "b", "c"], "b"), 3);
    assert.equal(indexFrom(hits, ["a", "b", "c"], "c"), 4);
    assert.equal(indexFrom([], ["a"], "a"), -1);
  });
});
