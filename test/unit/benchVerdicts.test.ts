/** What a bench is held to: the table names what fails, and nothing that was not measured holds. */
import assert from "node:assert/strict";
import { atPace, holds, verdictTable } from "../../bench/verdicts.mjs";

describe("the verdicts of the benches", () => {
  const verdict = (today: number, limit = 10) => ({ what: "decoding", today, limit, unit: "ms" });

  /** The last column of the row below the header. */
  const wordsOf = (today: number, limit?: number): string | undefined =>
    verdictTable([["stream", [verdict(today, limit)]]])
      .split("\n")[1]
      ?.split(/ {2,}/)
      .at(-1);

  it("F1: a figure holds up to its limit", () => {
    assert.equal(holds(verdict(10)), true);
    assert.equal(wordsOf(10), "holds");
    assert.equal(holds(verdict(10.001)), false);
    assert.equal(wordsOf(10.001), "OVER");
  });

  it("F1: on a machine that is slower by half a limit of time is longer by half, and any other stays", () => {
    const missed = { goal: 4, why: "" };
    assert.deepEqual(atPace({ ...verdict(1), missed }, 1.5), { ...verdict(1, 15), missed: { goal: 6, why: "" } });
    const bytes = { ...verdict(1), unit: "KB/min" };
    assert.deepEqual(atPace(bytes, 1.5), bytes);
  });

  it("F1: a figure that was not measured fails", () => {
    for (const none of [NaN, Infinity]) {
      assert.equal(holds(verdict(none)), false);
      assert.equal(wordsOf(none), "NOT MEASURED");
    }
  });

  it("F1: a suite without verdicts is a row that fails, and the others keep theirs", () => {
    assert.deepEqual(
      verdictTable([
        ["start", []],
        ["stream", [verdict(6)]],
      ]).split("\n"),
      [
        "suite   what      goal     today  verdict",
        "start                             NOT MEASURED",
        "stream  decoding  ≤ 10 ms  6 ms   holds",
      ],
    );
  });

  it("F1: the table says which limit would not notice a cost twice as high", () => {
    assert.equal(wordsOf(5), "holds, doubled too");
    assert.equal(wordsOf(5.1), "holds");
    // A limit of 0 leaves no room.
    assert.equal(wordsOf(0, 0), "holds");
    assert.equal(wordsOf(1, 0), "OVER");
  });

  it("F1: a goal that is missed is said with its reason, and fails beyond the limit that keeps what is reached", () => {
    const missing = (today: number) => ({ ...verdict(today), missed: { goal: 6, why: "rows are read at once" } });
    const lines = (today: number): readonly string[] => verdictTable([["store", [missing(today)]]]).split("\n");
    assert.deepEqual(lines(8).slice(1), [
      "store  decoding  ≤ 6 ms  8 ms   missed, within 10",
      "",
      "goals that are missed:",
      "store, decoding: rows are read at once",
    ]);
    assert.equal(holds(missing(8)), true);
    assert.match(lines(11)[1] ?? "", /OVER$/);
    assert.deepEqual(lines(6).slice(1), ["store  decoding  ≤ 6 ms  6 ms   holds"]);
  });
});
