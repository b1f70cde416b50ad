/** Drives VS Code's quick input, the command palette above all, for the tests on a real window. */
import type { Locator, Page } from "playwright-core";

export interface QuickInput {
  /** The open quick pick or input box. */
  readonly widget: Locator;
  /** Opens it with this text: `>` for commands, else a file's name. */
  open(text: string): Promise<void>;
  /** Runs a command by its palette title. Throws when the palette does not have it. */
  runCommand(title: string): Promise<void>;
  /** Clicks the first row with this label, until a row has taken a click. */
  clickRow(label: string | RegExp): Promise<void>;
}

/** `patience`: milliseconds until a step that does not succeed throws. */
export function quickInputOf(page: Page, patience: number): QuickInput {
  const widget = page.locator(".quick-input-widget").filter({ visible: true });
  const input = widget.locator("input").first();
  /** A closing pick or an editor that takes the focus closes it again, so it retries. */
  const open = async (text: string): Promise<void> => {
    const deadline = Date.now() + patience;
    for (;;) {
      try {
        await page.keyboard.press("F1");
        await input.fill(text, { timeout: 2_000 });
        if ((await input.inputValue({ timeout: 500 })) === text) return;
      } catch (error) {
        if (Date.now() > deadline) throw error;
      }
    }
  };
  return {
    widget,
    open,
    async clickRow(label) {
      const row = widget.locator(".monaco-list-row").filter({ hasText: label }).first();
      const deadline = Date.now() + patience;
      do {
        await watchForRow(page);
        await row.click();
      } while ((await missedRow(page)) && Date.now() < deadline);
    },
    async runCommand(title) {
      const row = widget
        .locator(".monaco-list-row")
        .filter({ has: page.getByText(title, { exact: true }) })
        .first();
      const deadline = Date.now() + patience;
      for (;;) {
        await open(`>${title}`);
        // The watch begins before the row is there: a click of an earlier command must not count as this one's.
        await watchForClick(page);
        try {
          // An open palette does not list commands that are registered later.
          await row.waitFor({ timeout: 3_000 });
          await row.click({ timeout: 3_000 });
          // The mouse leaves the row, whose tooltip would cover what opens.
          await page.mouse.move(1, 1);
          return;
        } catch (error) {
          // On a busy machine the row may have taken the click when its time is over: another click would run the command twice.
          if (await wasClicked(page)) return;
          if (Date.now() > deadline) throw error;
          const left = await input.inputValue({ timeout: 500 }).catch(() => undefined);
          // Without the palette, Escape would close something else, or take an editor's selection.
          if (left === undefined) continue;
          await page.keyboard.press("Escape");
        }
      }
    },
  };
}

/** Whether VS Code's quick pick or input box, where one is shown, has the focus, which it takes after it is shown. */
export function openListHasFocus(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(`[...document.querySelectorAll(".quick-input-widget")].every(
    (list) => !list.checkVisibility() || list.contains(document.activeElement),
  )`);
}

/** Marks the widget when a row in it is clicked: rows are drawn again, the widget stays. */
async function watchForClick(page: Page): Promise<void> {
  await page.evaluate(`{
    globalThis.isWatched = true;
    const widget = document.querySelector(".quick-input-widget");
    delete widget.dataset.clicked;
    widget.addEventListener("mouseup", () => (widget.dataset.clicked = "yes"), { capture: true, once: true });
  }`);
}

/** A list that is drawn again between the button's down and up has no row where the click is: the browser then reports it for the list. */
async function watchForRow(page: Page): Promise<void> {
  await page.evaluate(`{
    globalThis.clickedAt = undefined;
    const widget = [...document.querySelectorAll(".quick-input-widget")].find((one) => one.checkVisibility());
    const note = ({ target }) => (globalThis.clickedAt = target.closest(".monaco-list-row") ? "row" : "list");
    widget?.addEventListener("click", note, { capture: true, once: true });
  }`);
}

function missedRow(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(`globalThis.clickedAt === "list"`);
}

/** True also where the window was loaded again since, which the command has done. */
function wasClicked(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(
    `globalThis.isWatched !== true || document.querySelector(".quick-input-widget[data-clicked]") !== null`,
  );
}
