/** Keeps the keyboard in the page: if the focused element is removed, hidden or disabled, another one gets the focus before text is typed. */
import { oncePerFrame } from "../../webview/page";

export class FocusKeeper {
  readonly #fallback: () => void;
  readonly #taken: (id: number) => void;
  /** The number of the host's request for the focus that is not answered yet. */
  #awaited: number | undefined;
  /** The element that had the focus last; `undefined` after a press elsewhere. */
  #last: Element | undefined;
  #isPressed = false;
  /** The page got the focus, but no element in it has it yet. */
  #isEntering = false;
  /** Checks the focus after a render. It waits for a frame, because Chromium moves the focus away from a hidden or disabled element only later. */
  readonly check = oncePerFrame(() => this.#restore());

  /** `fallback` focuses an element that always exists; `taken` reports to the host that the page has the awaited focus. */
  constructor(fallback: () => void, taken: (id: number) => void) {
    this.#fallback = fallback;
    this.#taken = taken;
    document.addEventListener("focusin", ({ target }) => {
      this.#last = target instanceof Element ? target : undefined;
      this.#isEntering = false;
    });
    // A press on text removes the focus from every element. This is intended, so nothing is restored.
    const press = (): void => {
      this.#isPressed = true;
      this.#isEntering = false;
      this.#last = undefined;
    };
    document.addEventListener("pointerdown", press, { capture: true });
    for (const type of ["pointerup", "pointercancel"])
      window.addEventListener(type, () => (this.#isPressed = false), { capture: true });
    // VS Code focuses the page but no element in it. If a press brings the focus, the press is reported before it.
    window.addEventListener("focus", () => {
      this.#isEntering = !this.#isPressed;
      requestAnimationFrame(() => {
        if (this.#isEntering) this.#enter();
        this.report();
      });
    });
    // Frames are late on a busy machine. Text that is typed before them belongs to the element that they would have focused.
    document.addEventListener("keydown", (event) => this.#beforeKey(event), { capture: true });
    for (const type of ["keyup", "click"]) document.addEventListener(type, () => this.check());
  }

  /** Notes the number of the host's request, which the next report answers. */
  await(id: number): void {
    this.#awaited = id;
  }

  /** Reports the focus after a render. A page without the focus reports once it gets it. */
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

  /** Only keys that type text restore the focus. Enter and space press buttons, and the second one of a double press is not text. */
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
