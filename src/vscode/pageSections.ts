/** A tab that shows one of several sections. Each section is a separate page that is loaded in place of the last one. */
import type { Disposable } from "../base/disposable";

export class PageSections<Section extends string> implements Disposable {
  readonly #mount: Readonly<Record<Section, (saved: unknown) => Disposable>>;
  #section: Section | undefined;
  #shown: Disposable | undefined;

  /** `mount` fills the tab; `saved` is the state that the page kept before a reload. */
  constructor(mount: Readonly<Record<Section, (saved: unknown) => Disposable>>) {
    this.#mount = mount;
  }

  /** Does nothing when the section is shown already. */
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
