/** The arithmetic of the gallery's grid. */
import assert from "node:assert/strict";
import fc from "fast-check";
import {
  anchorAt,
  cellGap,
  drawnRange,
  indexAfterKey,
  layoutGrid,
  scrollToAnchor,
  scrollToShow,
} from "../../../../../src/tasks/page/gallery/gridLayout";

const sizes = fc.record({
  count: fc.integer({ min: 1, max: 20_000 }),
  width: fc.integer({ min: 1, max: 4000 }),
  size: fc.integer({ min: 96, max: 320 }),
  height: fc.integer({ min: 100, max: 2000 }),
  scrolled: fc.double({ min: 0, max: 1, noNaN: true }),
});

describe("the grid of the gallery", () => {
  it("T15: the cells of a row fill its width, and none is narrower than asked where there is room for two", () => {
    fc.assert(
      fc.property(sizes, ({ count, width, size }) => {
        const { columns, cell } = layoutGrid(count, width, size, 34);
        assert.ok(columns === 1 || cell >= size);
        const used = columns * cell + (columns - 1) * cellGap;
        assert.ok(used <= Math.max(width, 1) && width - used < columns);
      }),
    );
  });

  it("T15: what is drawn covers the view, and is a few rows more than that, however many results there are", () => {
    fc.assert(
      fc.property(sizes, ({ count, width, size, height, scrolled }) => {
        const layout = layoutGrid(count, width, size, 34);
        const scrollTop = scrolled * Math.max(0, layout.height - height);
        const { first, end, top } = drawnRange(layout, scrollTop, height);
        assert.ok(first === 0 || top <= scrollTop);
        assert.equal(top, (first / layout.columns) * layout.rowHeight);
        const bottom = top + Math.ceil((end - first) / layout.columns) * layout.rowHeight;
        assert.ok(end === count || bottom >= scrollTop + height);
        assert.ok((end - first) / layout.columns <= height / layout.rowHeight + 6);
      }),
    );
  });

  it("T15: a result that is to be shown is in view afterwards, and the view moves no further than it must", () => {
    fc.assert(
      fc.property(sizes, ({ count, width, size, height, scrolled }) => {
        const layout = layoutGrid(count, width, size, 34);
        const index = Math.floor(scrolled * (count - 1));
        const top = Math.floor(index / layout.columns) * layout.rowHeight;
        const shown = scrollToShow(layout, index, 0, height);
        assert.ok(shown <= top);
        if (layout.rowHeight <= height) assert.ok(top + layout.rowHeight <= shown + height);
        assert.equal(scrollToShow(layout, index, shown, height), shown);
      }),
    );
  });

  it("T15: when the cells change their size, the same result is at the upper edge", () => {
    const before = layoutGrid(1000, 900, 160, 34);
    const after = layoutGrid(1000, 900, 240, 34);
    const { index, offset } = anchorAt(before, before.rowHeight * 40 + 10);
    assert.equal(index, 40 * before.columns);
    const now = anchorAt(after, scrollToAnchor(after, index, offset));
    assert.ok(now.index <= index && index < now.index + after.columns);
  });

  it("T15: arrows stay in their column, and no key leaves the grid", () => {
    const grid = { count: 11, columns: 4 };
    const after = (key: string, index: number): number | undefined => indexAfterKey(key, index, grid, 2);
    assert.deepEqual(
      ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"].map((key) => after(key, 5)),
      [4, 6, 1, 9],
    );
    assert.deepEqual([after("ArrowUp", 2), after("ArrowLeft", 0), after("ArrowRight", 10)], [2, 0, 10]);
    // The last row is shorter: there is no cell below the eighth.
    assert.deepEqual([after("ArrowDown", 7), after("ArrowDown", 9)], [10, 9]);
    assert.deepEqual([after("PageDown", 1), after("PageUp", 9), after("Home", 9), after("End", 1)], [9, 1, 0, 10]);
    assert.deepEqual([after("PageDown", 5), after("PageDown", 3), after("k", 3)], [9, 7, undefined]);
  });
});
