/** The local gateway's page: what it is, address and key, money, accounts, task types, faults in force, and the conduct report folded. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import type {
  LocalAccountView,
  LocalGatewayIntent,
  LocalGatewaySnapshot,
  LocalGatewayView,
} from "../contract/localGatewayPageContract";
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
    ${gateway === undefined ? nothing : content(gateway, send)}
  </div>`;
}

function address({ address: url, accounts }: LocalGatewayView, send: SendIntent): TemplateResult {
  return html`<dl class="facts">
    <div>
      <dt>${t("Address")}</dt>
      <dd><code>${url}</code> ${button(t("Copy"), () => send({ type: "address-copy" }), t("Copy the address"))}</dd>
    </div>
    <div>
      <dt>${t("API key")}</dt>
      <dd><span aria-hidden="true">••••••••</span> ${keyButton(accounts[0], send)}</dd>
    </div>
  </dl>`;
}

function content(gateway: LocalGatewayView, send: SendIntent): TemplateResult {
  const [main] = gateway.accounts;
  return html`${main === undefined ? nothing : money(main, send)} ${accountList(gateway, send)}
    <section>
      <h2>${t("Task types")}</h2>
      <p class="quiet-text">${t("A type that is off is refused, as by a platform that has not enabled it.")}</p>
      ${typeTable(gateway, send)}
    </section>
    ${outcomes()}
    <section>
      <h2>${t("Faults in force")}</h2>
      ${
        gateway.faults.length === 0
          ? html`<p class="quiet-text">${t("None.")}</p>`
          : html`<ul class="plain">
                ${gateway.faults.map((fault) => html`<li><code>${revealName(fault)}</code></li>`)}
              </ul>
              ${button(t("Clear Faults"), () => send({ type: "faults-clear" }))}`
      }
    </section>
    ${conductReport(gateway.conduct)}`;
}

function money(main: LocalAccountView, send: SendIntent): TemplateResult {
  return html`<section>
    <h2>${t("Balance")}</h2>
    <p class="balance">
      <span class="amount">${t("{0} available", main.available)}</span>
      <button type="button" class="button" @click=${firstClick(() => send({ type: "top-up", account: main.name }))}>
        ${t("Top Up")}
      </button>
    </p>
    <p class="quiet-text">${main.sums}</p>
    <h2>${t("Last entries of the ledger, in play money")}</h2>
    <div class="table-frame" tabindex="0" role="region" aria-label=${t("Last entries of the ledger, in play money")}>
      <table>
        <tbody>
          ${main.entries.map(
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

function accountList({ accounts }: LocalGatewayView, send: SendIntent): TemplateResult {
  const others = accounts.slice(1);
  return html`<section>
    <h2>${t("Other accounts")}</h2>
    <p class="quiet-text">
      ${t("Each has its own key, money and tasks. To use one in Sluice, choose the address above as the gateway and set its key.")}
    </p>
    ${others.map(
      (account) =>
        html`<div class="account">
          <h3>${revealName(account.name)}</h3>
          <p>${t("{0} available", account.available)} <span class="quiet-text">${account.sums}</span></p>
          ${keyButton(account, send)}
          ${button(t("Top Up"), () => send({ type: "top-up", account: account.name }), t("Top up {0}", account.name))}
        </div>`,
    )}
    ${button(t("New Account"), () => send({ type: "account-add" }))}
  </section>`;
}

function typeTable({ accounts }: LocalGatewayView, send: SendIntent): TemplateResult {
  const types = accounts[0]?.types ?? [];
  return html`<div class="table-frame" tabindex="0" role="region" aria-label=${t("Task types")}>
    <table>
      <thead>
        <tr>
          <td></td>
          ${accounts.map(({ name }) => html`<th scope="col">${revealName(name)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${types.map(
          ({ taskType, name }, index) =>
            html`<tr>
              <th scope="row">${name}</th>
              ${accounts.map((account) => html`<td>${typeSwitch(account, index, taskType, name, send)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
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

function typeSwitch(
  { name: account, types }: LocalAccountView,
  index: number,
  taskType: string,
  name: string,
  send: SendIntent,
): TemplateResult {
  const isOn = types[index]?.on === true;
  return html`<input
    type="checkbox"
    aria-label=${t("{0}, account {1}", name, account)}
    .checked=${isOn}
    @click=${(event: Event) => {
      // It is shown when the gateway has it, not when it was pressed.
      event.preventDefault();
      send({ type: "type-switch", account, taskType, on: !isOn });
    }}
  />`;
}

function conductReport({ verdict, rules, findings }: LocalGatewayView["conduct"]): TemplateResult {
  return html`<details>
    <summary>${t("How the client behaves")} <span class="quiet-text">${verdict}</span></summary>
    <ul class="plain">
      ${rules.map(({ name, count }) => html`<li>${t("{0}: {1}", name, count)}</li>`)}
    </ul>
    ${
      findings.length === 0
        ? nothing
        : html`<h2>${t("Last findings")}</h2>
            <ul class="plain">
              ${findings.map(
                ({ at, name, detail }) => html`<li>${at} · ${name} <code>${revealName(detail)}</code></li>`,
              )}
            </ul>`
    }
  </details>`;
}

function keyButton(account: LocalAccountView | undefined, send: SendIntent): TemplateResult | typeof nothing {
  if (account === undefined) return nothing;
  const { name } = account;
  return button(t("Copy Key"), () => send({ type: "key-copy", account: name }), t("Copy key of {0}", name));
}

function button(label: string, act: () => void, spoken = label): TemplateResult {
  return html`<button type="button" class="button secondary" aria-label=${spoken} @click=${firstClick(act)}>
    ${label}
  </button>`;
}

/**
 * The announcement for screen readers when the local gateway's page changes. A problem, and what the person's own buttons cause: money
 * paid in, a new account. Not the entries that running tasks add.
 */
export function spokenChange(before: LocalGatewaySnapshot, now: LocalGatewaySnapshot): string | undefined {
  if (now.problem !== undefined && now.problem !== before.problem) return now.problem;
  const [old, next] = [before.gateway?.accounts ?? [], now.gateway?.accounts ?? []];
  if (next.length > old.length && old.length > 0) return t("{0} was created.", next.at(-1)?.name ?? "");
  const paidIn = next.find(({ entries }, index) => {
    const [[last], known] = [entries, old[index]];
    return known && last?.type === "deposit" && last.at !== known.entries[0]?.at;
  });
  return paidIn && t("{0} available", paidIn.available);
}
