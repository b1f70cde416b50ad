/** A long table is several tables below each other: their columns have the same widths, and they scroll sideways together. */

/** Pixels of the columns of a table's parts. */
const widths = new WeakMap<Element, readonly number[]>();

/** Gives the table in `frame` the columns of the part before it, whose columns stay as they are from now on. */
export function continueColumns(before: Element | null | undefined, frame: HTMLElement): void {
  if (!(before instanceof HTMLElement) || !before.classList.contains("table")) return;
  const known = widths.get(before);
  const columns = known ?? firstRow(before).map((cell) => cell.getBoundingClientRect().width);
  if (columns.every((width) => width === 0)) return;
  if (known === undefined) fixColumns(before, columns);
  fixColumns(frame, columns);
  scrollAlong(before, frame);
}

function firstRow(frame: Element): HTMLElement[] {
  return Array.from(frame.querySelectorAll<HTMLElement>("tr:first-child > *"));
}

function fixColumns(frame: HTMLElement, columns: readonly number[]): void {
  widths.set(frame, columns);
  frame.classList.add("fixed");
  const table = frame.firstElementChild;
  if (table instanceof HTMLElement) table.style.width = `${columns.reduce((sum, width) => sum + width, 0)}px`;
  firstRow(frame).forEach((cell, index) => (cell.style.width = `${columns[index] ?? 0}px`));
}

/** Each passes its scroll position on to its neighbours; an equal one raises no event. */
function scrollAlong(before: HTMLElement, frame: HTMLElement): void {
  before.addEventListener("scroll", () => (frame.scrollLeft = before.scrollLeft), { passive: true });
  frame.addEventListener("scroll", () => (before.scrollLeft = frame.scrollLeft), { passive: true });
}
