/** The money page: a tile for each group of tasks by what is known of their money, and the tasks of the chosen group (T10). */
import "../../webview/styles/page.css";
import "../../webview/styles/table.css";
import "../../webview/styles/tiles.css";
import "../../webview/styles/money.css";
import type {
  MoneyPageContract,
  MoneyPageIntent,
  MoneyPageSnapshot,
  MoneyRowView,
  MoneyTileView,
  MoneyView,
} from "../contract/moneyPageContract";
import { nextState, startPage, type PageActions } from "../../webview/page";
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import type { MoneyGroup } from "../../domain/task/moneyGroup";
import { plural } from "../../domain/words/plural";
import { revealName } from "../../webview/hiddenCharacters";
import { moneySectionBar } from "./sectionBar";
import { stateChip } from "./stateChip";

type SendMoneyIntent = PageActions<MoneyPageIntent>["send"];

function moneyTemplate(
  { group, money, left, unseen, findings = [], checking }: MoneyPageSnapshot,
  send: SendMoneyIntent,
): TemplateResult {
  return html`<div class="page money-page">
    <header>
      ${moneySectionBar("tasks", (section) => send({ type: "section-open", section }))}
      <h1>${t("Money")}</h1>
      <p class="quiet-text">
        ${
          money === undefined
            ? t("Reading the tasks…")
            : money.tiles.some(({ price }) => price !== undefined)
              ? t("What the gateway has shown of each task. Each amount names who says it.")
              : t(
                  "What the gateway has shown of each task. No amount of a task is stated so far, and no price list has one.",
                )
        }
      </p>
      ${left === undefined ? nothing : html`<p class="quiet-text balance">${revealName(left)}</p>`}
      ${unseen === undefined ? nothing : html`<p class="quiet-text">${revealName(unseen)}</p>`}
      ${findings.map(
        ({ id, sentence }) =>
          html`<p class="quiet-text finding">
            ${revealName(sentence)}
            <button type="button" class="link" @click=${() => send({ type: "evidence-show", finding: id })}>
              ${t("Show Evidence")}
            </button>
          </p>`,
      )}
      ${money?.incomplete === undefined ? nothing : html`<p role="status">${money.incomplete}</p>`}
    </header>
    ${money === undefined ? nothing : content(group, money, checking, send)}
  </div>`;
}

/** The announcement when a check has ended. */
function announceMoney(before: MoneyPageSnapshot, now: MoneyPageSnapshot): string | undefined {
  if (!before.checking || now.checking) return undefined;
  const left = now.money?.tiles.find(({ group }) => group === "toCheck")?.count ?? 0;
  return plural(
    left,
    { one: "Checked. 1 task is still to check.", other: "Checked. {0} tasks are still to check." },
    left,
  );
}

function content(
  chosen: MoneyGroup,
  { tiles, rows, more }: MoneyView,
  checking: MoneyPageSnapshot["checking"],
  send: SendMoneyIntent,
): TemplateResult {
  // With a gateway that names each hold, one group is empty and left out, and so is that of the local gateway without its tasks.
  const isRare = (group: MoneyGroup): boolean => group === "notNamed" || group === "free";
  const shown = tiles.filter(({ group, count }) => !isRare(group) || count > 0 || group === chosen);
  return html`<div class="tiles" role="group" aria-label=${t("Tasks by their money")}>
      ${shown.map((tile) => tileButton(tile, tile.group === chosen, send))}
    </div>
    <section aria-label=${groupName(chosen)}>
      <div class="money-bar">
        <p class="quiet-text">${groupHint(chosen)}</p>
        ${
          chosen === "toCheck"
            ? html`<button
                type="button"
                class="button secondary"
                ?disabled=${checking !== undefined || rows.length === 0}
                @click=${() => send({ type: "check-now" })}
              >
                ${checking === undefined ? t("Check Now") : t("Checking {0} of {1}…", checking.done + 1, checking.of)}
              </button>`
            : nothing
        }
      </div>
      ${rows.length === 0 ? html`<p class="missing">${t("No tasks here.")}</p>` : table(chosen, rows, send)}
      ${more === 0 ? nothing : html`<p class="quiet-text">${t("{0} more: Export CSV has all.", more)}</p>`}
    </section>
    <div>
      <button type="button" class="button quiet export" @click=${() => send({ type: "csv-export" })}>
        ${t("Export CSV")}
      </button>
    </div>`;
}

function tileButton({ group, count, price }: MoneyTileView, isChosen: boolean, send: SendMoneyIntent): TemplateResult {
  const kind = group === "toCheck" && count > 0 ? "tile attention" : "tile";
  return html`<button
    type="button"
    class=${kind}
    aria-pressed=${isChosen}
    @click=${() => send({ type: "group-choose", group })}
  >
    <span class="tile-count">${count}</span>
    <span>${groupName(group)}</span>
    ${price === undefined ? nothing : html`<span class="quiet-text">${price}</span>`}
  </button>`;
}

function table(group: MoneyGroup, rows: readonly MoneyRowView[], send: SendMoneyIntent): TemplateResult {
  return html`<div class="table-frame" tabindex="0" role="region" aria-label=${groupName(group)}>
    <table role="table">
      <thead>
        <tr>
          <th scope="col">${t("Task")}</th>
          <th scope="col">${t("State")}</th>
          <th scope="col">${t("Money")}</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map((row) => taskRow(row, send))}
      </tbody>
    </table>
  </div>`;
}

function taskRow(
  { id, title, about, state, tone, money, price, details }: MoneyRowView,
  send: SendMoneyIntent,
): TemplateResult {
  return html`<tr role="row">
    <th scope="row" role="rowheader">
      <button type="button" class="link" @click=${() => send({ type: "task-open", task: id })}>
        ${revealName(title)}
      </button>
      <div class="quiet-text">${revealName(about)}</div>
    </th>
    <td role="cell">${stateChip({ name: state, tone })}</td>
    <td role="cell">
      ${money} ${price === undefined ? nothing : html`<div class="quiet-text">${price}</div>`}
      <details>
        <summary>${t("Details")}</summary>
        ${details.map((detail) => html`<div class="quiet-text">${revealName(detail)}</div>`)}
      </details>
    </td>
  </tr>`;
}

function groupName(group: MoneyGroup): string {
  switch (group) {
    case "reserved":
      return t("Reserved");
    case "charged":
      return t("Charged");
    case "notCharged":
      return t("Not charged");
    case "toCheck":
      return t("To check");
    case "notNamed":
      return t("Not stated");
    case "free":
      return t("Free");
  }
}

function groupHint(group: MoneyGroup): string {
  switch (group) {
    case "reserved":
      return t("These tasks have not ended: their money is set aside until they do.");
    case "charged":
      return t("These tasks succeeded.");
    case "notCharged":
      return t("The gateway refused these tasks, or has shown that their money was given back.");
    case "toCheck":
      return t(
        "It is not known yet what became of this money. The gateway's document says that it is given back when a task ends without a result. Check Now reads it again.",
      );
    case "notNamed":
      return t("The gateway made these tasks and has not said what it reserved for them.");
    case "free":
      return t("The local gateway made these tasks. It takes play money only.");
  }
}

startPage<MoneyPageContract>((actions) => ({
  reduce: nextState,
  template: (snapshot) => moneyTemplate(snapshot, actions.send),
  saved: ({ group }) => ({ subject: "money", section: "tasks", group }),
  announce: announceMoney,
}));
