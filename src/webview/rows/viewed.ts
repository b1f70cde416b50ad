/** Whether the start and the end of something have been in view: on the screen, within every box that scrolls around them. */

export interface Viewed {
  readonly start: boolean;
  readonly end: boolean;
}

export class ViewWatch {
  readonly #observer: IntersectionObserver;
  readonly #marks = new Map<Element, keyof Viewed>();
  #viewed: Viewed = { start: false, end: false };

  /** `onReport` hears each time where a mark is, also when it is not in view. */
  constructor(onReport: (viewed: Viewed) => void) {
    // Without a root the browser clips by all boxes up to the window: a narrow, zoomed or half-hidden page counts as it looks.
    this.#observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting, intersectionRatio } of entries) {
        const mark = this.#marks.get(target);
        // A mark at the very edge of a box intersects it with nothing to be seen.
        if (mark && isIntersecting && intersectionRatio > 0) this.#viewed = { ...this.#viewed, [mark]: true };
      }
      onReport(this.#viewed);
    });
  }

  /** Watches the element in place of the one that was the mark before; nothing while there is none. */
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
