/** VS Code's own menus in the real window, driven by keys. */
import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";

const menu = ".monaco-menu";

/** Opens the context menu of a row that nothing draws again: VS Code closes a menu when its row goes. */
export async function openContextMenu(of: Locator): Promise<void> {
  await of.click({ button: "right" });
  await of.page().locator(`${menu}:focus-within`).first().waitFor();
}

/** The entries of the open menu, without separators, submenus closed. */
export async function menuEntries(page: Page): Promise<readonly string[]> {
  return await page.locator(`${menu} .action-item:not(.disabled) .action-label:not(.separator)`).allInnerTexts();
}

/** Goes down to the entry and takes it. */
export async function chooseEntry(page: Page, name: string): Promise<void> {
  const focused = page.locator(`${menu} .action-item.focused`).last();
  const passed: string[] = [];
  await page.locator(`${menu}:focus-within`).first().waitFor();
  for (let steps = 0; steps < 60; steps += 1) {
    await page.keyboard.press("ArrowDown");
    // The key of an entry stands in a line of its own.
    const [text = ""] = (await focused.innerText()).trim().split("\n");
    passed.push(text);
    if (text !== name) continue;
    await page.keyboard.press("Enter");
    await page.locator(menu).first().waitFor({ state: "detached" });
    return;
  }
  assert.fail(`The menu has no ${name}: ${passed.join(" | ")}`);
}

export async function closeMenu(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await page.locator(menu).first().waitFor({ state: "detached" });
}
