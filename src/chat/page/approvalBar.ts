/** The bar above the composer that answers the first waiting question. Allow works once all of the card was in view, or its diff was opened. */
import { t } from "@vscode/l10n";
import { html, nothing, render, type TemplateResult } from "lit-html";
import { keyed } from "lit-html/directives/keyed.js";
import { definedFields } from "../../base/definedFields";
import type { Chat, WaitingCall } from "../../domain/chat/chat";
import type { RuleScope, RuleOffer } from "../../domain/tools/grant";
import { describeReasons } from "../../domain/words/describeTool";
import { plural } from "../../domain/words/plural";
import { firstClick, icon } from "../../webview/pageParts";
import { oncePerFrame } from "../../webview/page";
import { consumeKey } from "../../webview/keys";
import { describeRule, describeScope } from "../../domain/words/describeRule";
import { revealName } from "../../webview/hiddenCharacters";
import { askedCalls, askedTitle, describeCounts, isGroup, openQuestions, shortTitle } from "./rows/approvalGroup";
import { questionTitle } from "./rows/toolText";
import { approvalKey } from "./shared/chatKeys";
import type { QuestionCard, QuestionCards } from "./shared/questionCards";
import type { SendToHost } from "./shared/controls";
import type { FieldKeeper } from "./shared/savedState";

/** Milliseconds before Allow works, so that a double click or a held key that was meant for the previous content has no effect. */
const settling = 500;

export interface BarOptions {
  readonly send: SendToHost;
  readonly announce: (sentence: string) => void;
  readonly leave: () => void;
  readonly questions: QuestionCards;
  readonly locale: string;
  readonly fields: FieldKeeper;
}

/** The question that the bar shows. */
interface Docked {
  /** Identifies the chat and the approval. With another key the person has to read and press again. */
  readonly key: string;
  readonly chat: string;
  readonly calls: readonly [WaitingCall, ...WaitingCall[]];
  readonly isGroup: boolean;
  /** The number of waiting questions, including this one. */
  readonly count: number;
  /** The ids of all approvals that wait in the chat. */
  readonly waiting: readonly string[];
}

export class ApprovalBar {
  readonly #place: HTMLElement;
  readonly #options: BarOptions;
  /** Updates the number of lines that are still to be seen, after each scroll. */
  readonly follow = oncePerFrame(() => this.#render());
  #docked: Docked | undefined;
  #decided = false;
  #offersOpen = false;
  #noteOpen = false;
  /** Allow was shown long enough that a press is meant for it. */
  #isDelayOver = false;
  /** Whether the whole question had been seen at the last render. */
  #wasSeen = false;
  /** Whether Allow was blocked, because a part of the question had not been in view. */
  #wasHeld = false;
  #timer: number | undefined;

  constructor(place: HTMLElement, options: BarOptions) {
    this.#place = place;
    this.#options = options;
  }

  update(chat: Chat): void {
    const questions = openQuestions(chat);
    const group = askedCalls(questions[0] ?? []);
    const [first, ...more] = group.map(({ call }) => call);
    const waiting = questions.flatMap(askedCalls).map(({ call }) => call.approval.id);
    const docked = first && {
      key: `${chat.id} ${first.approval.id}`,
      chat: chat.id,
      calls: [first, ...more] as const,
      isGroup: isGroup(group),
      count: questions.length,
      waiting,
    };
    this.#options.fields.dropFields("note", chat.id, waiting);
    if (docked?.key !== this.#docked?.key) {
      this.#decided = this.#offersOpen = this.#wasSeen = this.#wasHeld = false;
      this.#noteOpen = docked !== undefined && this.#noteOf(docked) !== undefined;
      this.#startDelay();
    }
    this.#docked = docked;
    this.#render();
  }

  /** Moves the focus to the button that allows. False where nothing waits. */
  focus(): boolean {
    const yes = this.#place.querySelector<HTMLElement>(".approval-yes");
    yes?.focus();
    return yes !== null;
  }

  get #card(): QuestionCard | undefined {
    return this.#docked && this.#options.questions.get(this.#docked.calls[0].approval.id);
  }

  get #isHeld(): boolean {
    const card = this.#card;
    return card !== undefined && !card.isSeen && card.linesLeft !== undefined;
  }

  get #mayAllow(): boolean {
    return this.#card?.isSeen === true && this.#wasSeen && this.#isDelayOver;
  }

  #startDelay(): void {
    window.clearTimeout(this.#timer);
    this.#isDelayOver = false;
    this.#timer = window.setTimeout(() => {
      this.#isDelayOver = true;
      if (this.#wasHeld && this.#mayAllow && !this.#decided)
        this.#options.announce(t("Shown to its end. Allow works now."));
      this.#render();
    }, settling);
  }

  /** Sends the decision. The host decides each approval once, and the buttons are disabled until its event arrives. */
  #decide(allow: boolean, scope?: RuleScope): void {
    const [call] = this.#docked?.calls ?? [];
    if (this.#decided || !call) return;
    if (allow && !this.#mayAllow) {
      this.#options.announce(this.#why());
      return;
    }
    this.#decided = true;
    const note = this.#place.querySelector("input")?.value.trim() ?? "";
    const word = allow || note === "" ? {} : { note };
    this.#options.send({
      type: "approval-decide",
      approval: call.approval.id,
      allow,
      ...word,
      ...(scope && { scope }),
    });
    this.#render();
  }

  /** Says why a press on Allow has no effect. */
  #why(): string {
    if (!this.#isHeld) return t("This question has just come up: press Allow once more.");
    const hasDiff = this.#docked?.calls.every(({ change, changes }) => change !== undefined || changes !== undefined);
    return hasDiff === true
      ? t("Allow works once you have seen this to its end, or opened the diff.")
      : t("Allow works once you have seen this to its end.");
  }

  /** Allows, or while Allow does not work yet, scrolls to the part that has to be seen first. */
  #pressYes(): void {
    const isHeld = this.#isHeld;
    this.#decide(true);
    if (!isHeld || this.#decided) return;
    this.#card?.showNext();
    this.follow();
  }

  /** Says where the unseen rest of the change is; `undefined` once it was in view. */
  #rest(): string | undefined {
    if (!this.#isHeld || this.#decided) return undefined;
    const { isStartSeen = true, linesLeft = 1 } = this.#card ?? {};
    if (!isStartSeen) return t("starts above");
    const left = Math.max(linesLeft, 1);
    const count = new Intl.NumberFormat(this.#options.locale).format(left);
    return plural(left, { one: "1 line below", other: "{0} lines below" }, count);
  }

  #render(): void {
    // The press on this button may bring the end into view. The wait starts again, so that the second half of a double click does not allow it.
    const isSeen = this.#card?.isSeen === true;
    if (isSeen && !this.#wasSeen) this.#startDelay();
    this.#wasSeen = isSeen;
    this.#wasHeld ||= this.#isHeld;
    render(this.#docked === undefined ? nothing : this.#template(this.#docked), this.#place);
  }

  #noteOf({ chat, calls: [{ approval }] }: Docked): string | undefined {
    return this.#options.fields.fieldsOf("note", chat).find(({ id }) => id === approval.id)?.text;
  }

  #template(docked: Docked): TemplateResult {
    const { calls, isGroup, count } = docked;
    const [{ approval, change }] = calls;
    const offers = this.#offers(approval);
    const label = t("Approval needed: {0} ({1})", askedTitle(calls), describeReasons(approval.reasons));
    const openDiff = (): void => this.#card?.openDiff();
    return html`<section
      class="approval-bar"
      aria-label=${label}
      aria-busy=${this.#decided ? "true" : nothing}
      @keydown=${(event: KeyboardEvent) => this.#onKeyDown(event)}
    >
      <div class="approval-line">${this.#titleLine(calls, count)}</div>
      <div class="approval-buttons">
        <span class="button-pair">${this.#yesButton(approval)}${offersButton(offers)}</span>
        ${this.#reviewButton(approval)}
        <span class="button-pair"
          ><button
            type="button"
            class="button secondary"
            ?disabled=${this.#decided}
            @click=${firstClick(() => this.#decide(false))}
          >
            ${isFromCopy(approval) ? t("Leave") : t("Don't Allow")}</button
          >${noteToggle(this.#noteOpen, this.#decided, () => this.#toggleNote())}</span
        >
        ${
          change === undefined || isGroup
            ? nothing
            : html`<button type="button" class="button quiet" title=${t("Open Diff")} @click=${openDiff}>
                ${icon("diff")}<span class="button-words">${t("Open Diff")}</span>
              </button>`
        }
      </div>
      ${offersList(offers)} ${this.#noteOpen ? this.#noteField(docked) : nothing}
    </section>`;
  }

  #titleLine(calls: Docked["calls"], count: number): TemplateResult {
    const counts = describeCounts(calls);
    const rest = this.#rest();
    return html`${icon("question")}<span class="approval-what" title=${askedTitle(calls)}
        >${questionTitle(calls, shortTitle(calls))}</span
      >${
        counts === undefined ? nothing : html`<span class="approval-count">${counts}</span>`
      }${rest === undefined ? nothing : html`<span class="approval-count approval-rest">${rest}</span>`}${count > 1 ? html`<span class="approval-count">${t("{0} of {1}", 1, count)}</span>` : nothing}`;
  }

  #yesButton(approval: WaitingCall["approval"]): TemplateResult {
    const isHeld = this.#isHeld && !this.#decided;
    const isBlocked = !this.#decided && !this.#mayAllow;
    return html`<button
      type="button"
      class="button approval-yes ${isHeld ? "held" : ""}"
      ?disabled=${this.#decided}
      aria-disabled=${isBlocked ? "true" : nothing}
      title=${isHeld ? this.#why() : t("{0}, then Enter", approvalKey)}
      aria-description=${isHeld ? this.#why() : nothing}
      @click=${() => this.#pressYes()}
    >
      ${isFromCopy(approval) ? t("Apply") : t("Allow")}<span class="enter-key" aria-hidden="true">⏎</span>
    </button>`;
  }

  /** The button of the offer that applies to the whole workspace. It has words of its own, because it changes how the person works. */
  #reviewButton({ offers = [] }: WaitingCall["approval"]): unknown {
    const offer = offers.find(({ scope }) => scope === "review");
    if (offer === undefined) return nothing;
    const rule = revealName(rulesOf(offer).join(" · "));
    return html`<button
      type="button"
      class="button secondary"
      ?disabled=${this.#decided}
      aria-disabled=${!this.#decided && !this.#mayAllow ? "true" : nothing}
      title=${rule}
      @click=${firstClick(() => this.#decide(true, "review"))}
    >
      ${describeScope("review")}
    </button>`;
  }

  #onKeyDown(event: KeyboardEvent): void {
    const { key, repeat, ctrlKey, metaKey, altKey, shiftKey } = event;
    // A held key presses only once. It must not press what takes the place of the pressed button.
    if (repeat && (key === "Enter" || key === " ")) event.preventDefault();
    if (key !== "Escape" || ctrlKey || metaKey || altKey || shiftKey) return;
    consumeKey(event);
    if (this.#offersOpen) this.#closeOffers();
    else this.#options.leave();
  }

  #closeOffers(): void {
    // The focus moves before the list that may contain it is removed.
    this.#place.querySelector<HTMLElement>('[aria-controls^="offers-"]')?.focus();
    this.#offersOpen = false;
    this.#render();
  }

  /** The field for the note. Enter in it refuses. The note is kept, because a hidden page is destroyed, and another chat may be shown. */
  #noteField(docked: Docked): TemplateResult {
    const { key, chat, calls } = docked;
    const [{ approval }] = calls;
    const onInput = ({ target }: InputEvent): void => {
      if (!(target instanceof HTMLInputElement)) return;
      this.#options.fields.keepField({ kind: "note", chat, id: approval.id, text: target.value });
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === "Enter" && !event.isComposing) this.#decide(false);
    };
    // Each approval has an element of its own, because `value` sets the text of a new element only.
    return html`${keyed(
      key,
      html`<input
        class="approval-note"
        type="text"
        maxlength="10000"
        value=${this.#noteOf(docked) ?? ""}
        placeholder=${t("Why not? Sent to the model")}
        aria-label=${t("Word to the model, sent with Don't Allow")}
        ?disabled=${this.#decided}
        @input=${onInput}
        @keydown=${onKey}
      />`,
    )}`;
  }

  /** A note that is put away is dropped, so that it is not sent after all. The notes of the other questions stay. */
  #toggleNote(): void {
    this.#noteOpen = !this.#noteOpen;
    if (!this.#noteOpen && this.#docked !== undefined) {
      const { chat, calls, waiting } = this.#docked;
      const others = waiting.filter((id) => id !== calls[0].approval.id);
      this.#options.fields.dropFields("note", chat, others);
    }
    this.#render();
    this.#place.querySelector("input")?.focus();
  }

  #offers({ id, offers = [], onceAfter }: WaitingCall["approval"]): OffersView {
    return {
      ...definedFields({ onceAfter }),
      id,
      offers: offers.filter(({ scope }) => scope !== "review"),
      isOpen: this.#offersOpen,
      isDecided: this.#decided,
      isBlocked: !this.#mayAllow,
      toggle: () => {
        this.#offersOpen = !this.#offersOpen;
        this.#render();
        // The bar scrolls where the view is low.
        this.#place.querySelector(".offers")?.scrollIntoView({ block: "nearest" });
      },
      choose: (scope) => this.#decide(true, scope),
    };
  }
}

/** Whether the command has already run in a copy, and the question is about applying its changes. */
function isFromCopy({ reasons }: WaitingCall["approval"]): boolean {
  return reasons.includes("from-copy");
}

/** The button next to Don't Allow. It opens a field below the buttons for a note to the model. */
function noteToggle(isOpen: boolean, isDecided: boolean, toggle: () => void): TemplateResult {
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

/** The list of what a yes beyond the call would allow. The button next to Allow opens it below the buttons, where it covers nothing. */
interface OffersView {
  /** The id of the approval. */
  readonly id: string;
  readonly offers: readonly RuleOffer[];
  /** Names the untrusted text that the model has read and because of which no rule is offered. The list shows this reason instead of the offers. */
  readonly onceAfter?: string;
  readonly isOpen: boolean;
  readonly isDecided: boolean;
  /** Whether Allow does not work yet. */
  readonly isBlocked: boolean;
  readonly toggle: () => void;
  readonly choose: (scope: RuleScope) => void;
}

/** The button next to Allow that opens the offers. */
function offersButton({ id, offers, onceAfter, isOpen, isDecided, toggle }: OffersView): unknown {
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

function offersList(view: OffersView): unknown {
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
    consumeKey(event);
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

/** The host makes the ids of questions, so they need no escape in a selector. */
function listId(question: string): string {
  return `offers-${question}`;
}
