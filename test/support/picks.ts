/** Drives quick picks in a test window by keys, and waits for their steps by placeholder. */
import type { Locator } from "playwright-core";
import { eventually } from "./eventually";
import { openListHasFocus } from "./quickInput";
import type { VsCodeWindow } from "./window";

export const typeStep = "What should be made?";
export const modelStep = "Model, or type another id";
export const promptStep = "Type the prompt";
/** The last step where the prompt was selected. */
export const selectionStep = "Free on the local gateway";

/** The last step at another gateway. */
export const paidStep = "An amount is reserved, and charged on success";

export interface Picks {
  /** Presses a key in the open list, once that has the focus. */
  press(key: string): Promise<void>;
  /** Presses Enter again and again, faster than the extension host answers, or every `interval` ms like a key that is held down. */
  pressEnter(times: number, interval?: number): Promise<void>;
  /** Presses two keys, `wait` ms apart. */
  pressAfter(first: string, second: string, wait: number): Promise<void>;
  /** Double-clicks at the middle of the first row of the list: the second click is for what is there by then. */
  doubleClickFirst(): Promise<void>;
  /** The rows of a step, as they are read out, once its first one is that. */
  rowsFrom(first: RegExp): Promise<readonly string[]>;
  /** Waits until the input box has this text. */
  hasText(text: string): Promise<void>;
  /** Inserts the text in one change, as a paste does. */
  type(text: string): Promise<void>;
  /** Inserts the text, and resolves when the list has it: an Enter that comes earlier counts for no step. */
  typePrompt(text: string): Promise<void>;
  /** The step that has this placeholder, if it is shown. */
  stepNow(placeholder: string): Locator;
  /** Waits for the step that has this placeholder. */
  step(placeholder: string): Promise<void>;
  /** Takes what is preselected in each of these steps, once it has its choices. */
  through(...placeholders: readonly string[]): Promise<void>;
  back(): Promise<void>;
  closed(): Promise<void>;
  /** How many tasks the tree has for a prompt. */
  tasksOf(prompt: string): Promise<number>;
}

/** The code that VS Code reads from a key event besides its name. */
const keyCodes: Readonly<Record<string, number>> = { Enter: 13, Escape: 27 };

export function picksOf(window: VsCodeWindow): Picks {
  const { keyboard } = window.page;
  const atList = (): Promise<void> => eventually("the list has the focus", () => openListHasFocus(window.page));
  const stepNow = (placeholder: string): Locator => window.quickInput().locator(`input[placeholder*="${placeholder}"]`);
  return {
    async press(key) {
      await atList();
      await keyboard.press(key);
    },
    async pressEnter(times, interval) {
      await atList();
      // It runs inside the page: over Playwright's protocol a busy machine would put pauses between the keys.
      await window.page.evaluate(`(async () => {
        for (let press = 0; press < ${times}; press += 1) {
          const init = { key: "Enter", code: "Enter", keyCode: 13, bubbles: true, cancelable: true, repeat: press > 0 };
          document.activeElement.dispatchEvent(new KeyboardEvent("keydown", init));
          ${interval === undefined ? "" : `await new Promise((next) => setTimeout(next, ${interval}));`}
        }
      })()`);
    },
    async pressAfter(first, second, wait) {
      await atList();
      // This also runs inside the page, so that a busy machine puts no pause between the events.
      await window.page.evaluate(`(async () => {
        const press = (key, keyCode) =>
          document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, code: key, keyCode, bubbles: true, cancelable: true }));
        press(${JSON.stringify(first)}, ${keyCodes[first] ?? 0});
        await new Promise((next) => setTimeout(next, ${wait}));
        press(${JSON.stringify(second)}, ${keyCodes[second] ?? 0});
      })()`);
    },
    async doubleClickFirst() {
      await window.quickInput().locator(".monaco-list-row").first().waitFor();
      // This also runs inside the page, so that a busy machine puts no pause between the events.
      await window.page.evaluate(`(async () => {
        const list = [...document.querySelectorAll(".quick-input-widget")].find((one) => one.checkVisibility());
        const { left, top, width, height } = list.querySelector(".monaco-list-row").getBoundingClientRect();
        const at = { clientX: left + width / 2, clientY: top + height / 2, button: 0, bubbles: true, cancelable: true };
        for (const detail of [1, 2]) {
          const target = document.elementFromPoint(at.clientX, at.clientY);
          for (const type of ["mousedown", "mouseup", "click", ...(detail === 2 ? ["dblclick"] : [])])
            target.dispatchEvent(new MouseEvent(type, { ...at, detail }));
          await new Promise((next) => setTimeout(next, 40));
        }
      })()`);
    },
    async rowsFrom(first) {
      let rows: readonly string[] = [];
      await eventually(`the first row is ${String(first)}`, async () => {
        rows = await window.quickPickItems();
        return first.test(rows[0] ?? "");
      });
      return rows;
    },
    hasText: (text) =>
      eventually(`the box has the text “${text}”`, async () => {
        return (await window.quickInput().locator("input").first().inputValue()) === text;
      }),
    async type(text) {
      await atList();
      await keyboard.insertText(text);
    },
    async typePrompt(text) {
      await atList();
      await keyboard.insertText(text);
      await window.quickInput().locator(".monaco-list-row", { hasText: text }).waitFor();
    },
    stepNow,
    step: (placeholder) => stepNow(placeholder).waitFor(),
    async through(...placeholders) {
      for (const placeholder of placeholders) {
        await stepNow(placeholder).waitFor();
        await window.quickInput().locator(".monaco-list-row").first().waitFor();
        // The key goes to the step's input, because a page that has just been opened may have taken the focus.
        await stepNow(placeholder).press("Enter");
      }
    },
    back: () => window.quickInput().getByRole("button", { name: "Back" }).click(),
    closed: () => window.quickInput().waitFor({ state: "hidden" }),
    // Rows are found by their sentence for a screen reader, because a row cuts a long prompt.
    tasksOf: async (prompt) =>
      (await window.treeRows("Tasks")).and(window.page.getByRole("treeitem", { name: prompt })).count(),
  };
}
