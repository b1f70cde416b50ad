/** Keeps the keyboard in the page: when the element with the focus goes, is hidden or disabled, another one gets it, at the latest before text is typed. */
import { oncePerFrame } from "../../webview/page";

export class FocusKeeper {
  readonly #fallback: () => void;
  readonly #taken: (id: number) => void;
  /** The host waits until the page has the focus. */
  #awaited: number | undefined;
  /** Had the focus last; `undefined` after a press elsewhere. */
  #last: Element | undefined;
  #isPressed = false;
  /** The page got the focus, and nothing in it has it yet. */
  #isEntering = false;
  /** After something was rendered. Chromium moves the focus away from a hidden or disabled element only some frames later. */
  readonly check = oncePerFrame(() => this.#restore());

  /** `fallback` focuses what is always there; `taken` reports to the host that the page has the focus that it waits for. */
  constructor(fallback: () => void, taken: (id: number) => void) {
    this.#fallback = fallback;
    this.#taken = taken;
    document.addEventListener("focusin", ({ target }) => {
      this.#last = target instanceof Element ? target : undefined;
      this.#isEntering = false;
    });
    // Text that is pressed takes the focus from everything; that is meant.
    const press = (): void => {
      this.#isPressed = true;
      this.#isEntering = false;
      this.#last = undefined;
    };
    document.addEventListener("pointerdown", press, { capture: true });
    for (const type of ["pointerup", "pointercancel"])
      window.addEventListener(type, () => (this.#isPressed = false), { capture: true });
    // VS Code focuses the page, and nothing in it. A press that brings the focus is reported behind it.
    window.addEventListener("focus", () => {
      this.#isEntering = !this.#isPressed;
      requestAnimationFrame(() => {
        if (this.#isEntering) this.#enter();
        this.report();
      });
    });
    // Frames are late on a busy machine: text that is typed before them is for what they would have focused.
    document.addEventListener("keydown", (event) => this.#beforeKey(event), { capture: true });
    for (const type of ["keyup", "click"]) document.addEventListener(type, () => this.check());
  }

  /** The host asks for a report with that number. */
  await(id: number): void {
    this.#awaited = id;
  }

  /** After something was rendered. A page without the focus sends the report when it gets the focus. */
  report(): void {
    const id = this.#awaited;
    if (id === undefined || !document.hasFocus()) return;
    this.#awaited = undefined;
    this.#enter();
    this.#taken(id);
  }

  /** Focuses the fallback where nothing in the page has the focus. */
  #enter(): void {
    this.#isEntering = false;
    if (document.hasFocus() && document.activeElement === document.body) this.#fallback();
  }

  /** Enter and space press buttons: the second one of a double press is not text. */
  #beforeKey({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): void {
    if (key.length !== 1 || key === " " || ctrlKey || metaKey || altKey) return;
    if (this.#isEntering) this.#enter();
    else this.#restore();
  }

  #restore(): void {
    const last = this.#last;
    if (last === undefined || !document.hasFocus()) return;
    const isUsable = last.checkVisibility() && !last.matches(":disabled");
    if (!isUsable || document.activeElement === document.body) this.#fallback();
  }
}
