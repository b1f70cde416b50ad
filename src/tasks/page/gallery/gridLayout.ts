/** The arithmetic of the grid: every cell has the same size, so the place of each result follows from its number, and only those in view are drawn. Pixels throughout. */

/** The limits of the least width of a cell, which the person chooses. */
export const sizeLimits = { min: 96, max: 320, step: 16 } as const;

/** The gap between two cells, in both directions. */
export const cellGap = 8;
/** Rows that are drawn above and below those in view. */
const spareRows = 2;

export interface GridLayout {
  readonly count: number;
  readonly columns: number;
  /** The width of a cell. */
  readonly cell: number;
  /** The distance from the top of a row to the top of the next one. */
  readonly rowHeight: number;
  /** The height of all rows together. */
  readonly height: number;
}

export interface GridRange {
  /** The numbers of the first result that is drawn, and of the one after the last. */
  readonly first: number;
  readonly end: number;
  /** The place of the first row that is drawn. */
  readonly top: number;
}

/** `size`: the width that a cell has at least, where the grid is that wide; `caption`: the height of the words below its picture. */
export function layoutGrid(count: number, width: number, size: number, caption: number): GridLayout {
  const columns = Math.max(1, Math.floor((width + cellGap) / (size + cellGap)));
  const cell = Math.max(1, Math.floor((width - cellGap * (columns - 1)) / columns));
  const rowHeight = cell + caption + cellGap;
  return { count, columns, cell, rowHeight, height: Math.ceil(count / columns) * rowHeight };
}

export function drawnRange({ count, columns, rowHeight }: GridLayout, scrollTop: number, height: number): GridRange {
  const firstRow = Math.max(0, Math.floor(scrollTop / rowHeight) - spareRows);
  const endRow = Math.ceil((scrollTop + height) / rowHeight) + spareRows;
  return {
    first: Math.min(firstRow * columns, count),
    end: Math.min(Math.max(endRow, 0) * columns, count),
    top: firstRow * rowHeight,
  };
}

/** The scroll position nearest to the present one in which the whole row of that result is in view. */
export function scrollToShow(
  { columns, rowHeight }: GridLayout,
  index: number,
  scrollTop: number,
  height: number,
): number {
  const top = Math.floor(index / columns) * rowHeight;
  const bottom = top + rowHeight - height;
  if (rowHeight > height) return top;
  return Math.min(Math.max(scrollTop, bottom), top);
}

/** The first result of the row at the upper edge, and how many pixels of the row are above that edge. */
export function anchorAt({ columns, rowHeight }: GridLayout, scrollTop: number): { index: number; offset: number } {
  const row = Math.floor(scrollTop / rowHeight);
  return { index: row * columns, offset: scrollTop - row * rowHeight };
}

/** The scroll position in which that result is at the upper edge. */
export function scrollToAnchor({ columns, rowHeight }: GridLayout, index: number, offset: number): number {
  return Math.floor(index / columns) * rowHeight + Math.min(offset, rowHeight);
}

/** The number of the result that a key leads to: within the grid, in the same column for the keys that go up and down. `undefined` for any other key. */
export function indexAfterKey(
  key: string,
  index: number,
  { count, columns }: Pick<GridLayout, "count" | "columns">,
  rowsInView: number,
): number | undefined {
  const page = Math.max(1, rowsInView) * columns;
  const down = (step: number): number => {
    if (index + step < count) return index + step;
    // The last row may be shorter, and a page longer than what is left.
    const rowsLeft = Math.floor((count - 1 - index) / columns);
    if (rowsLeft > 0) return index + rowsLeft * columns;
    const isLastRow = Math.floor(index / columns) === Math.floor((count - 1) / columns);
    return isLastRow ? index : count - 1;
  };
  const up = (step: number): number => (index >= step ? index - step : index % columns);
  switch (key) {
    case "ArrowLeft":
      return Math.max(index - 1, 0);
    case "ArrowRight":
      return Math.min(index + 1, count - 1);
    case "ArrowUp":
      return up(columns);
    case "ArrowDown":
      return down(columns);
    case "PageUp":
      return up(page);
    case "PageDown":
      return down(page);
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return undefined;
  }
}
