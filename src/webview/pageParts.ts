/** What every page has: icons, and buttons that count one click. */
import { html, type TemplateResult } from "lit-html";
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
