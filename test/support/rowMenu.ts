/** The context menu and the buttons of a row. */
import type { Locator, Page } from "playwright-core";
import { systemClock } from "../../src/base/async/systemClock";
import type { VsCodeWindow } from "./window";

/** An Enter as VS Code's menus read it. */
const enter = { key: "Enter", code: "Enter", keyCode: 13, bubbles: true, cancelable: true };

/**
 * Opens a menu and does something in it. VS Code closes a menu whenever the focus moves, as when the row of a new task is shown: then it is
 * opened once more. `act` waits for a few seconds at most.
 */
async function inMenu({ page }: VsCodeWindow, open: () => Promise<void>, act: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    try {
      await open();
      await act();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await page.keyboard.press("Escape");
    }
  }
}

/** Chooses by key: a menu takes no click right after it has opened. `entries` ends with the entry; those before it are submenus. */
export function chooseInMenu(
  window: VsCodeWindow,
  row: () => Promise<Locator>,
  ...entries: readonly string[]
): Promise<void> {
  const { page } = window;
  return inMenu(
    window,
    async () => (await row()).click({ button: "right", timeout: 20_000 }),
    async () => {
      for (const [at, name] of entries.entries()) {
        if (at > 0) await page.keyboard.press("ArrowRight");
        await page.getByRole("menuitem", { name }).hover({ timeout: 5_000 });
        await page.locator(".monaco-menu .action-item.focused", { hasText: name }).first().waitFor({ timeout: 5_000 });
      }
      await pressEntry(page, entries.at(-1) ?? "");
    },
  );
}

/** Enter for the entry that has the focus, as one event there: pressed at the page, it would open the row when the menu has closed just before. */
async function pressEntry(page: Page, name: string): Promise<void> {
  const entry = page.locator(".monaco-menu .action-item.focused", { hasText: name }).last();
  await entry.dispatchEvent("keydown", enter, { timeout: 5_000 });
}

/** Presses a button of the row by one event: VS Code makes a row's buttons again when it draws the row, also between a mouse button's down and up. */
export async function pressInRow(row: Locator, name: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    await row.hover();
    try {
      await row.getByRole("button", { name }).dispatchEvent("click", undefined, { timeout: 3_000 });
      break;
    } catch (error) {
      // A row that has moved from under the mouse meanwhile shows no buttons.
      if (Date.now() > deadline) throw error;
    }
  }
  // Off the row, whose tooltip would cover what opens.
  await row.page().mouse.move(1, 1);
}

/** The row once it has not been drawn again for a while: VS Code would close a menu of it. */
export async function rowAtRest(find: () => Promise<Locator>): Promise<Locator> {
  const readMarkup = async (): Promise<string> =>
    (await find()).evaluate((row: { outerHTML: string }) => row.outerHTML);
  for (let before = ""; ;) {
    const now = await readMarkup();
    if (now === before) return find();
    before = now;
    // Longer than a task's change takes to reach the tree.
    await systemClock.delay(600);
  }
}
