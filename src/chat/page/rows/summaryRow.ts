/** A summary of older messages in the transcript: folded, with what it means for what is sent, and its undo. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { definedFields } from "../../../base/definedFields";
import { describeFailure } from "../../../domain/words/describeAnswer";
import { addSpent } from "../../../domain/prices/tokenDays";
import type { SummaryEntry } from "../../../domain/chat/chat";
import { fold, markdown, type RowActions } from "../shared/controls";
import { revealName } from "../../../webview/hiddenCharacters";
import { icon } from "../../../webview/pageParts";
import { describeTurn, summaryTitle } from "../shared/turn";

/** `isUsed`: requests hold it. */
export function summaryRow(summary: SummaryEntry, isUsed: boolean, actions: RowActions): TemplateResult {
  const { id, state, blocks, undone, leftOut } = summary;
  const isLive = state === "streaming";
  const title = html`${icon(isLive ? "loading codicon-modifier-spin" : "list-selection")}<span class="tool-title"
      >${summaryTitle(summary)}</span
    >`;
  const text = blocks.map((block) =>
    block.type === "text" || block.type === "reasoning" ? markdown(block, isLive, actions) : nothing,
  );
  const content = html`<div class="tool-content">${text}</div>`;
  const switchTo = (): void => actions.send({ type: "summary-switch", summary: id, undone: undone !== true });
  const cost = describeCost(summary, actions);
  const canSwitch = isUsed || (state === "complete" && undone === true);
  return html`<h2 class="hidden">${t("Summary")}</h2>
    ${leftOut ? html`<div class="end">${title}</div>` : fold(actions, `${id}/summary`, "tool", title, content)}
    <div class="end"><span>${describeEffect(summary, isUsed)}</span></div>
    ${
      cost.length === 0 && !canSwitch
        ? nothing
        : html`<div class="footer changes">
            <span>${cost.join(" · ")}</span>
            ${
              canSwitch
                ? html`<button type="button" class="button quiet" @click=${switchTo}>
                    ${undone ? t("Redo") : t("Undo")}
                  </button>`
                : nothing
            }
          </div>`
    }`;
}

function describeEffect(summary: SummaryEntry, isUsed: boolean): string {
  if (summary.state === "streaming") return t("This costs tokens. Stop ends it.");
  if (summary.state !== "complete")
    return revealName(describeFailure(summary)?.title ?? t("Stopped. Nothing is left out."));
  if (summary.undone) return t("Undone: the model gets the older messages again.");
  if (!isUsed) return t("A newer summary has taken its place.");
  return summary.leftOut
    ? t("The model no longer gets the older messages. They stay in this chat; pinned ones are still sent.")
    : t(
        "The model gets this summary instead of the older messages. They stay in this chat; pinned ones are still sent.",
      );
}

function describeCost(summary: SummaryEntry, actions: RowActions): string[] {
  const { model, usage, startedAt, endedAt } = summary;
  if (usage === undefined) return [];
  const { input, output } = usage;
  const spent = addSpent([], model, usage);
  const milliseconds = (endedAt ?? startedAt) - startedAt;
  return describeTurn(
    { model: revealName(model), text: "", milliseconds, spent, ...definedFields({ input, output }) },
    actions.locale,
    actions.prices(),
  );
}
