/** The word to the model that goes with Don't Allow: a field that opens below the buttons. */
import { t } from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";

/** The button beside Don't Allow. */
export function noteToggle(isOpen: boolean, isDecided: boolean, toggle: () => void): TemplateResult {
  const label = t("Say why not…");
  return html`<button
    type="button"
    class="button secondary pair-toggle codicon codicon-edit"
    title=${label}
    aria-label=${label}
    aria-expanded=${isOpen}
    ?disabled=${isDecided}
    @click=${toggle}
  ></button>`;
}

/** Enter in it refuses. */
export function noteField(isDecided: boolean, refuse: () => void): TemplateResult {
  return html`<input
    class="approval-note"
    type="text"
    maxlength="10000"
    placeholder=${t("Why not? Sent to the model")}
    aria-label=${t("Word to the model, sent with Don't Allow")}
    ?disabled=${isDecided}
    @keydown=${(event: KeyboardEvent) => {
      if (event.key === "Enter" && !event.isComposing) refuse();
    }}
  />`;
}
