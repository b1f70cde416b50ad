/** The local gateway's page: an introduction, address and key, money, and the words that choose an outcome. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import type { LocalGatewayIntent, LocalGatewaySnapshot, LocalGatewayView } from "../contract/localGatewayPageContract";
import { revealName } from "../../webview/hiddenCharacters";
import { firstClick } from "../../webview/pageParts";

type SendIntent = (intent: LocalGatewayIntent) => void;

export function localGatewayTemplate({ gateway, problem }: LocalGatewaySnapshot, send: SendIntent): TemplateResult {
  return html`<div class="page gateway-page">
    <header>
      <h1>${t("Local Gateway")}</h1>
      <p>
        ${t("A gateway on this machine: free, and nothing leaves it. Its money is play money, for trying things out.")}
      </p>
      ${problem === undefined ? nothing : html`<p class="problem" role="alert">${revealName(problem)}</p>`}
      ${gateway === undefined ? nothing : address(gateway, send)}
    </header>
    ${gateway === undefined ? nothing : [money(gateway, send), outcomes()]}
  </div>`;
}

function address({ address: url }: LocalGatewayView, send: SendIntent): TemplateResult {
  return html`<dl class="facts">
    <div>
      <dt>${t("Address")}</dt>
      <dd><code>${url}</code> ${button(t("Copy"), () => send({ type: "address-copy" }), t("Copy the address"))}</dd>
    </div>
    <div>
      <dt>${t("API key")}</dt>
      <dd><span aria-hidden="true">••••••••</span> ${button(t("Copy Key"), () => send({ type: "key-copy" }))}</dd>
    </div>
  </dl>`;
}

function money({ available, sums, entries }: LocalGatewayView, send: SendIntent): TemplateResult {
  return html`<section>
    <h2>${t("Balance")}</h2>
    <p class="balance">
      <span class="amount">${t("{0} available", available)}</span>
      <button type="button" class="button" @click=${firstClick(() => send({ type: "top-up" }))}>${t("Top Up")}</button>
    </p>
    <p class="quiet-text">${sums}</p>
    <h2>${t("Last entries of the ledger, in play money")}</h2>
    <div class="table-frame" tabindex="0" role="region" aria-label=${t("Last entries of the ledger, in play money")}>
      <table>
        <tbody>
          ${entries.map(
            ({ at, what, amount }) =>
              html`<tr>
                <td>${at}</td>
                <td>${what}</td>
                <td class="number">${amount}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}

/** The words by which `taskPlan.ts` chooses an outcome. */
function outcomes(): TemplateResult {
  const words = [
    ["[slow]", t("takes eight times as long")],
    ["[fail]", t("fails, and is not charged")],
    ["[stuck]", t("never ends, and expires after a quarter of an hour")],
  ] as const;
  return html`<section>
    <h2>${t("Choose an outcome")}</h2>
    <p class="quiet-text">${t("A task whose prompt has one of these words:")}</p>
    <ul class="plain">
      ${words.map(([word, outcome]) => html`<li><code>${word}</code> ${outcome}</li>`)}
    </ul>
  </section>`;
}

function button(label: string, act: () => void, spoken = label): TemplateResult {
  return html`<button type="button" class="button secondary" aria-label=${spoken} @click=${firstClick(act)}>
    ${label}
  </button>`;
}

/** The announcement for screen readers: a problem, or money that the person paid in, but no entries of running tasks. */
export function spokenChange(before: LocalGatewaySnapshot, now: LocalGatewaySnapshot): string | undefined {
  if (now.problem !== undefined && now.problem !== before.problem) return now.problem;
  if (before.gateway === undefined || now.gateway === undefined) return undefined;
  const [last] = now.gateway.entries;
  const isPaidIn = last?.type === "deposit" && last.at !== before.gateway.entries[0]?.at;
  return isPaidIn ? t("{0} available", now.gateway.available) : undefined;
}
