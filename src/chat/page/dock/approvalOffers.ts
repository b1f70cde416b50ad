/** What a yes beyond the call would allow: a list below the buttons, so that it covers nothing, that opens with the button beside Allow. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { describeRule, describeScope } from "../../../domain/words/describeRule";
import type { RuleOffer, RuleScope } from "../../../domain/tools/grant";
import { revealName } from "../../../webview/hiddenCharacters";
import { takeKey } from "../../../webview/keys";
import { firstClick } from "../../../webview/pageParts";

export interface OffersView {
  /** Of the approval. */
  readonly id: string;
  readonly offers: readonly RuleOffer[];
  /** What the model has read, where no rule is offered because of it. The list shows this reason instead of the offers. */
  readonly onceAfter?: string;
  readonly isOpen: boolean;
  readonly isDecided: boolean;
  /** Allow does not work yet. */
  readonly isBlocked: boolean;
  readonly toggle: () => void;
  readonly choose: (scope: RuleScope) => void;
}

/** The button beside Allow. */
export function offersButton({ id, offers, onceAfter, isOpen, isDecided, toggle }: OffersView): unknown {
  if (offers.length === 0 && onceAfter === undefined) return nothing;
  return html`<button
    type="button"
    class="button pair-toggle codicon codicon-chevron-down"
    title=${t("Allow for longer…")}
    aria-label=${t("Allow for longer…")}
    aria-expanded=${isOpen}
    aria-controls=${listId(id)}
    ?disabled=${isDecided}
    @click=${toggle}
  ></button>`;
}

export function offersList(view: OffersView): unknown {
  const { id, offers, onceAfter, isOpen, isDecided, isBlocked, choose } = view;
  if (!isOpen) return nothing;
  if (offers.length === 0) return onceAfter === undefined ? nothing : whyOnce(id, onceAfter);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!(event.currentTarget instanceof HTMLElement)) return;
    const buttons = [...event.currentTarget.querySelectorAll("button")];
    const at = buttons.findIndex((button) => button === document.activeElement);
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step === undefined) return;
    buttons.at((at + step) % buttons.length)?.focus();
    takeKey(event);
  };
  return html`<ul class="offers" id=${listId(id)} aria-label=${t("Allow for longer…")} @keydown=${onKeyDown}>
    ${offers.map((offer, index) => {
      const rules = rulesOf(offer);
      const before = offers[index - 1];
      const isSame = before !== undefined && rules.join() === rulesOf(before).join();
      return html`${isSame ? nothing : rules.map((rule) => html`<li class="offer-rule">${revealName(rule)}</li>`)}${offerItem(offer, rules.join(" · "), isDecided, isBlocked, choose)}`;
    })}
  </ul>`;
}

function whyOnce(id: string, source: string): TemplateResult {
  const why = t(
    "Others may have written {0}. While the model is given it, each call needs its own yes.",
    revealName(source),
  );
  return html`<ul class="offers" id=${listId(id)} aria-label=${t("Allow for longer…")}>
    <li class="offer-rule">${why}</li>
  </ul>`;
}

function rulesOf({ subject, more = [] }: RuleOffer): readonly string[] {
  return [subject, ...more].map((one) => describeRule(one));
}

function offerItem(
  { scope }: RuleOffer,
  rule: string,
  isDecided: boolean,
  isBlocked: boolean,
  choose: OffersView["choose"],
): TemplateResult {
  return html`<li>
    <button
      type="button"
      class="button secondary offer"
      aria-description=${revealName(rule)}
      ?disabled=${isDecided}
      aria-disabled=${isBlocked ? "true" : nothing}
      @click=${firstClick(() => choose(scope))}
    >
      ${describeScope(scope)}
    </button>
  </li>`;
}

/** Ids of questions are made by the host and need no escape in a selector. */
function listId(question: string): string {
  return `offers-${question}`;
}
