/** A plan that the model has presented, in the transcript: its text, with buttons that open it in an editor and start it (A13). */
import { t } from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";
import type { ToolCallBlock } from "../../../domain/chat/chat";
import { revealName } from "../../shared/hiddenCharacters";
import { icon } from "../../shared/pageParts";
import { markdownText, type RowActions } from "../shared/controls";

/** `undefined` for another call. */
export function planCard(answer: string, block: ToolCallBlock, actions: RowActions): TemplateResult | undefined {
  const { call, progress, document } = block;
  if (progress.state !== "done" || progress.action.type !== "present-plan") return undefined;
  const { title, text } = progress.action;
  const open = (): void => actions.send({ type: "plan-open", answer, call });
  const start = (): void => actions.send({ type: "plan-start", answer, call });
  const name = t("Plan: {0}", revealName(title));
  const shown = markdownText(document?.text ?? text, actions);
  return html`<section class="plan-card" aria-label=${name}>
    <div class="approval-title">${icon("list-selection")}<span>${name}</span></div>
    <div class="plan-text" tabindex="0" role="region" aria-label=${name}>${shown}</div>
    <div class="approval-buttons">
      <button type="button" class="button" @click=${start}>${t("Start")}</button>
      <button type="button" class="button secondary" @click=${open}>${t("Edit Plan")}</button>
    </div>
  </section>`;
}
