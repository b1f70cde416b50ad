/** Observes whether the start and the end of an element have been in view, that is within the window and every scrolling box around them. */

export interface Viewed {
  readonly start: boolean;
  readonly end: boolean;
}

export class ViewWatch {
  readonly #observer: IntersectionObserver;
  readonly #marks = new Map<Element, keyof Viewed>();
  #viewed: Viewed = { start: false, end: false };

  /** `onReport` is called with each observation of a mark, also of one that is out of view. */
  constructor(onReport: (viewed: Viewed) => void) {
    // Without a root the browser clips by every box up to the window, so a narrow, zoomed or half-hidden page is observed as it looks.
    this.#observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting, intersectionRatio } of entries) {
        const mark = this.#marks.get(target);
        // A mark at the very edge of a box intersects it without a visible pixel.
        if (mark && isIntersecting && intersectionRatio > 0) this.#viewed = { ...this.#viewed, [mark]: true };
      }
      onReport(this.#viewed);
    });
  }

  /** Observes the element in place of the former one of that mark; none for `undefined`. */
  watch(mark: keyof Viewed, element: Element | undefined): void {
    for (const [known, knownMark] of this.#marks) {
      if (knownMark !== mark || known === element) continue;
      this.#observer.unobserve(known);
      this.#marks.delete(known);
    }
    if (element === undefined || this.#marks.has(element)) return;
    this.#marks.set(element, mark);
    this.#observer.observe(element);
  }

  dispose(): void {
    this.#observer.disconnect();
    this.#marks.clear();
  }
}
