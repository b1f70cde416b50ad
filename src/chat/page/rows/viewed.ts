/** Observes whether the start and the end of an element have been in view: on the screen and not clipped by any scrolling box. */

export interface Viewed {
  readonly start: boolean;
  readonly end: boolean;
}

export class ViewWatch {
  readonly #observer: IntersectionObserver;
  readonly #marks = new Map<Element, keyof Viewed>();
  #viewed: Viewed = { start: false, end: false };

  /** `onReport` is called at each report of the observer, also when nothing came into view. */
  constructor(onReport: (viewed: Viewed) => void) {
    // Without a root the observer clips by all boxes up to the window, so that zoom and a half-hidden page are respected.
    this.#observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting, intersectionRatio } of entries) {
        const mark = this.#marks.get(target);
        // A mark at the very edge of a box intersects it without a visible pixel.
        if (mark && isIntersecting && intersectionRatio > 0) this.#viewed = { ...this.#viewed, [mark]: true };
      }
      onReport(this.#viewed);
    });
  }

  /** Observes the element in place of the mark before; `undefined` observes none. */
  watch(mark: keyof Viewed, element: Element | undefined): void {
    for (const [known, its] of this.#marks) {
      if (its !== mark || known === element) continue;
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
