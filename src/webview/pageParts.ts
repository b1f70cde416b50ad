/** Parts of every page: icons, and buttons that count only the first click. */
import { html, type TemplateResult, nothing } from "lit-html";
import { t } from "@vscode/l10n";
import type { IconName } from "./icons";

export function icon(name: IconName): TemplateResult {
  return html`<span class="codicon codicon-${name}" aria-hidden="true"></span>`;
}

/**
 * Calls `act` for a key (`detail` is 0) and for the first of several clicks: after it another button may lie under the pointer, and the second
 * click would press that one.
 */
export function firstClick(act: () => void): (event: { readonly detail: number }) => void {
  return ({ detail }) => {
    if (detail < 2) act();
  };
}

// The button for further actions opens and closes a list next to it, or opens a list of VS Code.

/** `isOpen`: whether the list is open; `undefined` where the page has no list. */
export function moreButton(isOpen: boolean | undefined, toggle: (event: Event) => void): TemplateResult {
  return html`<button
    type="button"
    class="button secondary more codicon codicon-ellipsis"
    title=${t("More Actions…")}
    aria-label=${t("More Actions…")}
    aria-expanded=${isOpen ?? nothing}
    @click=${toggle}
  ></button>`;
}
