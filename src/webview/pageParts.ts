/** What every page has: icons, and buttons that count one click. */
import { html, type TemplateResult, nothing } from "lit-html";
import { t } from "@vscode/l10n";
import type { IconName } from "./icons";

export function icon(name: IconName): TemplateResult {
  return html`<span class="codicon codicon-${name}" aria-hidden="true"></span>`;
}

/** Calls `act` with the first click of several, and with a key. What the first click changes may bring another button under the pointer. */
export function firstClick(act: () => void): (event: { readonly detail: number }) => void {
  return ({ detail }) => {
    if (detail < 2) act();
  };
}

// The button for further actions opens and closes a list beside it, or has VS Code ask.

/** `isOpen`: of the list; `undefined` where there is none on the page. */
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
