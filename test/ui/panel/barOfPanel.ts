/** The bar that answers a question, in a panel: its button, its state, and what it has sent. */
import type { Locator } from "playwright-core";
import { allowWorks, restIsAsked } from "../../support/approvalBar";
import type { PanelPage } from "./panelPage";

/** How many answers the page has sent. */
export async function decisions(panel: PanelPage): Promise<number> {
  return (await panel.intents()).filter(({ type }) => type === "approval-decide").length;
}

export function yes(panel: PanelPage): Locator {
  return panel.page.locator(".approval-yes");
}

/** Waits until the button asks for the rest to be shown, or allows. */
export function held(panel: PanelPage, expected: boolean): Promise<void> {
  return panel.until(expected ? restIsAsked : allowWorks);
}
