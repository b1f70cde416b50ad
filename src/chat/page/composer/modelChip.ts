/** The model of the chat in the composer: a button that lists the models. */
import { t } from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";
import { effortName, shortEffort } from "../../../domain/words/modeWords";
import type { ChatPageStatus } from "../../contract/chatPageContract";
import { revealName } from "../../../webview/hiddenCharacters";
import { icon } from "../../../webview/pageParts";

type ShownModel = Pick<ChatPageStatus, "model" | "modelFacts" | "effort" | "toolsRefused" | "demonstrator">;

export function modelChip(
  { model, modelFacts = "", effort, toolsRefused, demonstrator }: ShownModel,
  choose: () => void,
): TemplateResult {
  const facts = [revealName(modelFacts), ...(effort === undefined ? [] : [effortName(effort)])]
    .filter(Boolean)
    .join(" · ");
  const notes = [effort === undefined ? "" : shortEffort(effort), toolsRefused ? t("tools as text") : ""];
  return html`<button
    type="button"
    class="model"
    title=${facts === "" ? t("Choose Model") : t("Choose Model ({0})", facts)}
    @click=${choose}
  >
    ${model === "" ? "" : html`<span class="hidden">${t("Model:")}</span>`}<span class="model-name"
      >${revealName(model) || t("Choose Model")}</span
    >${demonstrator ? html`<span class="model-note demonstrator">${t("demonstrator")}</span>` : ""}${notes.map(
      (note) => (note === "" ? "" : html`<span class="model-note">${note}</span>`),
    )}${icon("chevron-down")}
  </button>`;
}
