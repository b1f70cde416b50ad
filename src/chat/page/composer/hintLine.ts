/** The line under the composer: why something was not sent, or that it is held until the chat is loaded. */
import { t } from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";

export function hintLine(hint: string, isHeld: boolean, takeBack: () => void): TemplateResult {
  const held = html`${t("Sent as soon as the chat is loaded.")}
    <button type="button" class="take-back" title=${t("Take Back (Escape)")} @click=${takeBack}>
      ${t("Take Back")}
    </button>`;
  return html`<div class="hint" role="status">${isHeld ? held : hint}</div>`;
}
