/** The button that opens and closes the list of further actions beside it. */
import { t } from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";

export function moreButton(isOpen: boolean, toggle: () => void): TemplateResult {
  return html`<button
    type="button"
    class="button secondary more codicon codicon-ellipsis"
    title=${t("More Actions…")}
    aria-label=${t("More Actions…")}
    aria-expanded=${isOpen}
    @click=${toggle}
  ></button>`;
}
