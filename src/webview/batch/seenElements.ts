/** Which elements have been near the view: a video is loaded from then on. Pictures do this by themselves. */

export class SeenElements {
  readonly #seen = new Set<string>();
  readonly #observed = new WeakSet<Element>();
  readonly #observer: IntersectionObserver;

  constructor(onSeen: () => void) {
    this.#observer = new IntersectionObserver(
      (entries) => {
        const before = this.#seen.size;
        for (const { isIntersecting, target } of entries) {
          const id = target instanceof HTMLElement ? target.dataset["id"] : undefined;
          if (!isIntersecting || id === undefined) continue;
          this.#seen.add(id);
          this.#observer.unobserve(target);
        }
        if (this.#seen.size > before) onSeen();
      },
      { rootMargin: "200px" },
    );
  }

  has(id: string): boolean {
    return this.#seen.has(id);
  }

  /** Elements with their id in `data-id`. */
  observe(elements: Iterable<Element>): void {
    for (const element of elements) {
      if (this.#observed.has(element)) continue;
      this.#observed.add(element);
      this.#observer.observe(element);
    }
  }
}
