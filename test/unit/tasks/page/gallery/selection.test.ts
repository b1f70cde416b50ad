/** The selection in the gallery. */
import assert from "node:assert/strict";
import {
  extendTo,
  keepPresent,
  keptIds,
  moveTo,
  noSelection,
  readSelected,
  selectAll,
  selectedOf,
  selectKept,
  type Selection,
  selectNone,
  selectOnly,
  targetsOf,
  toggle,
} from "../../../../../src/tasks/page/gallery/selection";

const order = ["a", "b", "c", "d", "e"];
const selected = (selection: Selection): string => [...selection.selected].sort().join("");

describe("the selection in the gallery", () => {
  it("T15: a click selects one, with Ctrl one more or less, with Shift all from the last one on", () => {
    const one = selectOnly("b");
    assert.equal(selected(one), "b");
    const two = toggle(one, "d");
    assert.equal(selected(two), "bd");
    assert.equal(selected(toggle(two, "b")), "d");
    const range = extendTo(two, order, "a");
    assert.equal(selected(range), "abcd");
    // The range begins where it began, also the next time.
    assert.equal(range.anchor, "d");
    assert.equal(selected(extendTo(selectOnly("c"), order, "e")), "cde");
    assert.equal(selected(extendTo(noSelection, order, "c")), "c");
  });

  it("T15: keys move the focus without selecting; all and none select without moving it", () => {
    const moved = moveTo(selectOnly("a"), "c");
    assert.deepEqual([selected(moved), moved.active], ["a", "c"]);
    assert.deepEqual([selected(selectAll(moved, order)), selectAll(moved, order).active], ["abcde", "c"]);
    assert.deepEqual([selected(selectNone(moved)), selectNone(moved).active], ["", "c"]);
  });

  it("T15: a key is for the selected results in their order, or for the one with the focus beside them; the bar for the selected ones", () => {
    const two = toggle(selectOnly("d"), "b");
    assert.deepEqual(targetsOf(two, order), ["b", "d"]);
    assert.deepEqual(targetsOf(moveTo(two, "e"), order), ["e"]);
    assert.deepEqual(selectedOf(moveTo(two, "e"), order), ["b", "d"]);
    assert.deepEqual(targetsOf(noSelection, order), []);
    assert.deepEqual(selectedOf(moveTo(noSelection, "a"), order), []);
  });

  it("T15: what VS Code kept of the selection is selected as its results come", () => {
    const waiting = readSelected({ selected: ["d", "b", 3, "z"] });
    const first = selectKept(noSelection, ["a", "b"], waiting);
    assert.deepEqual([selected(first), first.active, keptIds(first, waiting)], ["b", "b", ["b", "d", "z"]]);
    const all = selectKept(first, order, waiting);
    assert.deepEqual([selected(all), all.active, [...waiting]], ["bd", "b", ["z"]]);
    for (const foreign of [undefined, null, 3, { selected: "a" }]) assert.equal(readSelected(foreign).size, 0);
  });

  it("T15: when the result with the focus goes, the one in its place has the focus", () => {
    const two = toggle(selectOnly("b"), "c");
    const after = keepPresent(two, order, ["a", "b", "d"]);
    assert.deepEqual([selected(after), after.active], ["b", "d"]);
    assert.equal(keepPresent(selectOnly("e"), order, ["a", "b"]).active, "b");
    assert.equal(keepPresent(selectOnly("e"), order, []).active, undefined);
    assert.equal(keepPresent(selectOnly("a"), order, ["new", ...order]).active, "a");
  });
});
