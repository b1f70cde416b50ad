/** The bar that answers a question, in a panel: its button, its state, and what it has sent. */
import type { Locator } from "playwright-core";
import { allowWorks, allowWaits } from "../../support/approvalBar";
import type { PanelPage } from "../support/panelPage";

/** How many answers the page has sent. */
export async function decisions(panel: PanelPage): Promise<number> {
  return (await panel.intents()).filter(({ type }) => type === "approval-decide").length;
}

export function yes(panel: PanelPage): Locator {
  return panel.page.locator(".approval-yes");
}

/**
 * Holds the pause before Allow or a choice works until the result is called: what is pressed in it may come late on a busy machine. The
 * page has no other timer of 500 ms.
 */
export async function holdPause({ page }: PanelPage): Promise<() => Promise<void>> {
  await page.evaluate(`{
    const [set, clear, waiting] = [setTimeout, clearTimeout, new Map()];
    globalThis.setTimeout = (run, ms, ...given) => {
      if (ms !== 500) return set(run, ms, ...given);
      const id = set(() => undefined, 2 ** 31 - 1);
      waiting.set(id, run);
      return id;
    };
    globalThis.clearTimeout = (id) => {
      waiting.delete(id);
      clear(id);
    };
    globalThis.endPause = () => {
      [globalThis.setTimeout, globalThis.clearTimeout] = [set, clear];
      for (const [id, run] of waiting) {
        clear(id);
        run();
      }
    };
  }`);
  return () => page.evaluate("endPause()");
}

/** Waits until Allow waits for the end of the change, or works. */
export function held(panel: PanelPage, expected: boolean): Promise<void> {
  return panel.until(expected ? allowWaits : allowWorks);
}
