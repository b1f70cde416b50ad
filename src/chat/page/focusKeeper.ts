/** Keeps the keyboard in the page: when the element with the focus goes, is hidden or disabled, another one gets it. */
import { oncePerFrame } from "../../webview/oncePerFrame";

export class FocusKeeper {
  readonly #fallback: () => void;
  /** Had the focus last; `undefined` after a press elsewhere. */
  #last: Element | undefined;
  /** After something was rendered. Chromium moves the focus away from a hidden or disabled element only some frames later. */
  readonly check = oncePerFrame(() => this.#restore());

  /** `fallback` focuses what is always there. */
  constructor(fallback: () => void) {
    this.#fallback = fallback;
    document.addEventListener("focusin", ({ target }) => (this.#last = target instanceof Element ? target : undefined));
    // Text that is pressed takes the focus from everything; that is meant.
    let isPressed = false;
    const press = (): void => {
      isPressed = true;
      this.#last = undefined;
    };
    document.addEventListener("pointerdown", press, { capture: true });
    for (const type of ["pointerup", "pointercancel"])
      window.addEventListener(type, () => (isPressed = false), { capture: true });
    // VS Code focuses the page, and nothing in it.
    window.addEventListener("focus", () =>
      requestAnimationFrame(() => {
        if (!isPressed && document.hasFocus() && document.activeElement === document.body) this.#fallback();
      }),
    );
    for (const type of ["keyup", "click"]) document.addEventListener(type, () => this.check());
  }

  #restore(): void {
    const last = this.#last;
    if (last === undefined || !document.hasFocus()) return;
    const isUsable = last.checkVisibility() && !last.matches(":disabled");
    if (!isUsable || document.activeElement === document.body) this.#fallback();
  }
}
