/** The button for further actions: it opens and closes a list beside it, or has VS Code ask. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";

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
