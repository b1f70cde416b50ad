/** The width of the side bar in a test window. */
import assert from "node:assert/strict";
import type { VsCodeWindow } from "./window";

/** Drags its edge until it has this width, if it has another. */
export async function setSideBarWidth({ page }: VsCodeWindow, width: number): Promise<void> {
  const sideBar = page.locator(".part.sidebar");
  const box = await sideBar.boundingBox();
  assert.ok(box);
  if (Math.round(box.width) === width) return;
  await page.mouse.move(box.x + box.width, 400);
  await page.mouse.down();
  await page.mouse.move(box.x + width, 400, { steps: 5 });
  await page.mouse.up();
  await page.mouse.move(900, 500);
}
