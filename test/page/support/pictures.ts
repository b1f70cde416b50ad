/** Pictures to look at, in test-results/panel: with `PANEL_PICTURES=1` only, for drawing and packing one takes longer than looking for what is wrong. */
import type { Page } from "playwright-core";

const isWanted = process.env["PANEL_PICTURES"] === "1";

export async function takePicture(page: Page, name: string, { fullPage = false } = {}): Promise<void> {
  if (isWanted) await page.screenshot({ path: `test-results/panel/${name}.png`, fullPage });
}

/** At several widths, in that order. */
export async function takePictures(page: Page, name: string, widths: readonly number[]): Promise<void> {
  if (!isWanted) return;
  for (const width of widths) {
    await page.setViewportSize({ width, height: 720 });
    await takePicture(page, `${name}-${width}`);
  }
}
