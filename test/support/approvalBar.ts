/** The bar above the composer that answers a question, as the tests wait for it and press it: expressions for the page, selectors, and presses. */
import type { Frame } from "playwright-core";

/** Allow is there and works. */
export const allowWorks = "document.querySelector('.approval-yes:not(.held, [aria-disabled], :disabled)')";

/** Allow waits: the change has not been in view to its end. */
export const allowWaits = "document.querySelector('.approval-yes.held')";

/** The bar was measured, so that Allow works or waits. */
export const barIsSettled = `!document.querySelector('.approval') || ${allowWorks} || ${allowWaits}`;

/** Allow, where it works. */
export const workingAllow = ".approval-yes:not(.held, [aria-disabled], :disabled)";

/** The button that allows, with the focus. */
export const focusedYes = ".approval-yes:focus";

/** Has a change shown to its end, view by view, until Allow works. */
export async function showToEnd(chat: Frame): Promise<void> {
  const held = chat.locator(".approval-yes.held");
  for (;;) {
    await chat.locator(`.approval-yes.held, ${workingAllow}`).waitFor();
    if ((await held.count()) === 0) return;
    // It is not clicked by its place, because the button there may be Allow by then.
    await held.evaluateAll((buttons: readonly { click(): void }[]) => buttons.forEach((button) => button.click()));
  }
}

/** Allows the question that waits, after all of it was shown. */
export async function allow(chat: Frame): Promise<void> {
  await showToEnd(chat);
  await chat.locator(workingAllow).click();
}
