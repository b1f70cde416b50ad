/** Presses the buttons of a row. */
import type { Locator } from "playwright-core";

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
  // The mouse leaves the row, whose tooltip would cover what opens.
  await row.page().mouse.move(1, 1);
}
