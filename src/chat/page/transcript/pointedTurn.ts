/** Shows the footer of a turn, which is in the row of its last answer, while the pointer or the focus is on any answer of the turn. */

/** A class rather than a selector over siblings: with 2,000 rows the browser would match them all again with each move of the pointer. */
const pointedClass = "pointed";

export class PointedTurn {
  #end: Element | undefined;

  constructor(rows: HTMLElement) {
    const point = ({ target }: Event): void => this.#point(target instanceof Element ? target.closest(".row") : null);
    rows.addEventListener("pointerover", point);
    rows.addEventListener("focusin", point);
    rows.addEventListener("pointerleave", () => this.#point(null));
  }

  #point(row: Element | null): void {
    const end = row === null ? undefined : endOfTurn(row);
    if (end === this.#end) return;
    this.#end?.classList.remove(pointedClass);
    end?.classList.add(pointedClass);
    this.#end = end;
  }
}

/** The row that has the footer; `undefined` for a turn that runs, and for a message. */
function endOfTurn(row: Element): Element | undefined {
  let next: Element | null = row;
  while (next !== null && !next.classList.contains("user")) {
    if (next.querySelector(":scope > .footer") !== null) return next;
    next = next.nextElementSibling;
  }
  return undefined;
}
