/** The bar above the composer that answers a question, as the tests wait for it: expressions for the page, and selectors. */

/** Allow is there and works. */
export const allowWorks = "document.querySelector('.approval-yes:not(.held, [aria-disabled], :disabled)')";

/** The button shows the rest: the change has not been in view to its end. */
export const restIsAsked = "document.querySelector('.approval-yes.held')";

/** The bar was measured: it says either. */
export const barIsSettled = `!document.querySelector('.approval') || ${allowWorks} || ${restIsAsked}`;

/** Allow, where it works. */
export const workingAllow = ".approval-yes:not(.held, [aria-disabled], :disabled)";

/** The button that allows or shows the rest, with the focus. */
export const focusedYes = ".approval-yes:focus";
