/** A person at a window, who goes by what is shown, and whose effort is counted. */
import assert from "node:assert/strict";
import type { ElementHandle, Frame, Locator, Page } from "playwright-core";
import { eventually } from "./eventually";
import { openListHasFocus } from "./quickInput";

/** A typed text counts as one, however long. */
interface Effort {
  readonly clicks: number;
  readonly keys: number;
  readonly texts: number;
}

/** The element that has the focus. */
interface Focus {
  /** Its name as a screen reader says it, or nearly so. */
  readonly name: string;
  readonly words: string;
  /** Whether its focus can be seen. */
  readonly isVisible: boolean;
}

/** Steps of Tab from one end of a page to the other. */
const mostTabs = 60;

export class Person {
  readonly #page: Page;
  #effort: Effort = { clicks: 0, keys: 0, texts: 0 };

  /** Looks before each key where the focus is. */
  constructor(page: Page) {
    this.#page = page;
  }

  get effort(): Effort {
    return this.#effort;
  }

  /** Fails where it took more than that. */
  assertWithin({ clicks = 0, keys, texts }: Partial<Effort> & Omit<Effort, "clicks">): void {
    const now = this.#effort;
    const taken = `${now.clicks} clicks, ${now.keys} keys and ${now.texts} texts`;
    assert.ok(now.clicks <= clicks && now.keys <= keys && now.texts <= texts, `it took ${taken}`);
  }

  async click(target: Locator, how: Parameters<Locator["click"]>[0] = {}): Promise<void> {
    this.#effort = { ...this.#effort, clicks: this.#effort.clicks + 1 };
    await target.click(how);
  }

  /** Opens the menu by its key. The menu takes the focus after it has opened: an arrow that comes before moves the rows. */
  async openMenu(): Promise<void> {
    await this.press("Shift+F10");
    await this.#page.locator(".monaco-menu:focus-within").first().waitFor();
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      await this.#look();
      this.#effort = { ...this.#effort, keys: this.#effort.keys + 1 };
      await this.#page.keyboard.press(key);
    }
  }

  async type(text: string): Promise<void> {
    await this.#look();
    this.#effort = { ...this.#effort, texts: this.#effort.texts + 1 };
    await this.#page.keyboard.type(text);
  }

  /** Types the text, and presses Enter. */
  async enter(text: string): Promise<void> {
    await this.type(text);
    await this.press("Enter");
  }

  /** Presses `key` until the element with the focus has that name. */
  async goTo(name: string | RegExp, key: "Tab" | "Shift+Tab" | "ArrowDown" | "ArrowUp" = "Tab"): Promise<void> {
    const passed: string[] = [];
    // In the composer Shift+Tab goes back only after Escape. Without Escape it changes the mode.
    if (key === "Shift+Tab" && (await this.#look()).name === "Prompt") await this.press("Escape");
    while (passed.length < mostTabs) {
      await this.press(key);
      const reached = await this.#look();
      if (isNamed(reached, name)) return;
      passed.push(reached.name);
    }
    assert.fail(`${String(name)} is not reached by ${key}: ${passed.join(" | ")}`);
  }

  /** Waits until the element with that name has the focus. */
  async isAt(name: string | RegExp): Promise<void> {
    let reached: Focus | undefined;
    await eventually(`the focus at ${String(name)}`, async () => {
      reached = await focusOf(this.#page);
      return reached !== undefined && isNamed(reached, name);
    });
  }

  /**
   * Fails where the focus is lost or can't be seen. It may take a moment to move: a list that has just been opened
   * takes it after it is shown, and a key that comes before goes elsewhere. A browser draws no ring around what was clicked, so after a
   * click none is asked for.
   */
  async #look(): Promise<Focus> {
    let focus: Focus | undefined;
    await eventually("a focus that can be seen, in the list where one is open", async () => {
      focus = await focusOf(this.#page);
      if (!(await openListHasFocus(this.#page))) return false;
      return this.#effort.clicks > 0 || focus?.isVisible === true;
    });
    return focus ?? { name: "", words: "", isVisible: false };
  }
}

/** Whether its tooltip or its words are the name: a button has both. */
function isNamed({ name, words }: Focus, wanted: string | RegExp): boolean {
  return [name, words].some((one) => (typeof wanted === "string" ? one === wanted : wanted.test(one)));
}

/** The element with the focus, in the innermost frame that has it; `undefined` where there is none. */
async function focusOf(page: Page): Promise<Focus | undefined> {
  let frame: Frame = page.mainFrame();
  for (;;) {
    const found = await frame
      .evaluateHandle("document.hasFocus() && document.activeElement !== document.body ? document.activeElement : null")
      // A frame that goes has no focus.
      .catch(() => undefined);
    const element = found?.asElement() as ElementHandle | null | undefined;
    if (!element) return undefined;
    const inner = await element.contentFrame().catch(() => null);
    if (inner === null)
      return frame.evaluate<Focus>(`(${describeFocus})(document.activeElement)`).catch(() => undefined);
    frame = inner;
  }
}

/** Runs in the frame. In a page of ours the ring is its own or that of the box around a text area; what VS Code draws is VS Code's. */
const describeFocus = `(element) => {
  const active = document.getElementById(element.getAttribute("aria-activedescendant") ?? "") ?? element;
  const short = (text) => text.replaceAll("⏎", "").replaceAll(/\\s+/g, " ").trim().slice(0, 100);
  const name = active.ariaLabel || active.title || active.placeholder || active.textContent || active.tagName;
  const isOurs = document.getElementById("app") !== null;
  const style = getComputedStyle(element);
  const hasRing = style.outlineStyle !== "none" || element.matches("textarea, input, summary");
  return {
    name: short(name),
    words: short(active.textContent),
    isVisible: !isOurs || (element.matches(":focus-visible") && hasRing),
  };
}`;
