/** A tab with several sections, of which one is shown: each is a page of its own that is loaded in the place of the last one. */
import type { Disposable } from "../base/disposable";

export class PageSections<Section extends string> implements Disposable {
  readonly #mount: Readonly<Record<Section, (saved: unknown) => Disposable>>;
  #section: Section | undefined;
  #shown: Disposable | undefined;

  /** `mount` fills the tab; `saved` is what the page kept, after a reload. */
  constructor(mount: Readonly<Record<Section, (saved: unknown) => Disposable>>) {
    this.#mount = mount;
  }

  /** Does nothing where it is shown already. */
  show(section: Section, saved?: unknown): void {
    if (section === this.#section) return;
    this.#section = section;
    this.#shown?.dispose();
    this.#shown = this.#mount[section](saved);
  }

  dispose(): void {
    this.#shown?.dispose();
    this.#shown = undefined;
  }
}
