/** The tooltip of a row of a tree. */
import type { Locator } from "playwright-core";

/** A row that is redrawn under the mouse loses its tooltip: then the mouse leaves it and comes again, as a person does. */
export async function hoverUntilShown(row: Locator, tooltip: Locator): Promise<void> {
  for (let tries = 0; tries < 5; tries += 1) {
    await row.hover();
    const isShown = await tooltip.waitFor({ timeout: 3_000 }).then(
      () => true,
      () => false,
    );
    if (isShown) return;
    await row.page().mouse.move(900, 500);
  }
  await row.hover();
  await tooltip.waitFor();
}
