/** The approval of a call. Allow works once the start and the end of what would be done have been in view. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { AsyncDirective, directive } from "lit-html/async-directive.js";
import { guard } from "lit-html/directives/guard.js";
import { ref } from "lit-html/directives/ref.js";
import { describeReasons } from "../../../domain/words/describeTool";
import type { RuleScope } from "../../../domain/tools/grant";
import type { ToolCallBlock, WaitingCall } from "../../../domain/chat/chat";
import type { RowActions } from "../shared/controls";
import { icon } from "../../shared/iconView";
import { type AskedCall, askedCalls, askedTitle, isGroup } from "./approvalGroup";
import { offersButton, offersList, type OffersView } from "./approvalOffers";
import { askedLabel, askedLines, scrollHint } from "./askedText";
import type { ChangeLine } from "./changeLines";
import { afterChanges, afterReading, isPress, linesView, openDiffButton } from "./approvalParts";
import { type Viewed, ViewWatch } from "./viewed";

/** A change of so many lines is shown whole; a longer one scrolls in a box. */
const shortChange = 24;
/** Lines that are rendered at first, and that each press adds: thousands of nodes would block the page. */
const firstLines = 400;
const moreLines = 1000;
/** Milliseconds before Allow works: a double click or a held key for the approval before has no effect. */
const settling = 500;

class ApprovalCard extends AsyncDirective {
  #actions: RowActions | undefined;
  #call: WaitingCall | undefined;
  /** All that the question is about; the first is `#call`. */
  #group: readonly AskedCall[] = [];
  #lines: readonly ChangeLine[] = [];
  #watch: ViewWatch | undefined;
  #section: Element | undefined;
  #box: HTMLElement | undefined;
  #start: Element | undefined;
  #end: Element | undefined;
  #shown = firstLines;
  /** The box is as high as its content. */
  #expanded = false;
  #decided = false;
  #offersOpen = false;
  /** `undefined` until the observer reports, a frame after the card was rendered. */
  #viewed: Viewed | undefined;
  /** The hint to scroll first was shown. */
  #held = false;
  /** Enter on the card did not allow it: the reason is shown below the title too, because the hint above the buttons may be out of view. */
  #refused = false;
  /** The card was visible long enough that a press is meant for it. */
  #settled = false;
  #timer: number | undefined;

  // Fields, because lit calls a ref callback again at each render when it is another function.
  readonly #onSection = (element?: Element): void => {
    this.#section = element;
  };
  readonly #onBox = (element?: Element): void => {
    this.#box = element instanceof HTMLElement ? element : undefined;
  };
  readonly #onStart = (element?: Element): void => {
    this.#start = element;
    this.#watch?.watch("start", element);
  };
  readonly #onEnd = (element?: Element): void => {
    this.#end = element;
    this.#watch?.watch("end", element);
  };

  /** `call`: of several, the one whose change it is. */
  readonly #openDiff = (call?: string): void => {
    const { id = "" } = this.#call?.approval ?? {};
    this.#actions?.send({ type: "diff-open", approval: id, ...(call === undefined ? {} : { call }) });
  };

  /** `blocks`: what is asked about at once, in order. */
  override render(blocks: readonly ToolCallBlock[], actions: RowActions): unknown {
    this.#actions = actions;
    const group = askedCalls(blocks);
    const [block] = blocks;
    const call = group[0]?.call;
    if (!block || !call) return nothing;
    this.#group = group;
    if (call.approval.id !== this.#call?.approval.id) {
      this.#lines = askedLines(block, group);
      this.#offersOpen = false;
      this.#shown = firstLines;
      this.#decided = this.#held = this.#refused = false;
      this.#expanded = this.#lines.length <= shortChange;
      this.#look();
    }
    this.#call = call;
    return this.#template(call);
  }

  override disconnected(): void {
    window.clearTimeout(this.#timer);
    this.#watch?.dispose();
    this.#watch = undefined;
  }

  override reconnected(): void {
    this.#look();
  }

  /** Forgets what was in view. */
  #look(): void {
    window.clearTimeout(this.#timer);
    this.#settled = false;
    this.#watch?.dispose();
    this.#viewed = undefined;
    this.#watch = new ViewWatch((viewed) => this.#report(viewed));
    this.#watch.watch("start", this.#start);
    this.#watch.watch("end", this.#end);
  }

  #report(viewed: Viewed): void {
    const before = this.#viewed;
    if (before?.start === viewed.start && before.end === viewed.end) return;
    // A card that does not fit is scrolled to its start; what passed through the view meanwhile was not read.
    if (before === undefined && !viewed.start && this.#section && this.#actions?.showTop(this.#section)) {
      this.#look();
      return;
    }
    this.#viewed = viewed;
    if (before === undefined) this.#timer = window.setTimeout(() => this.#settle(), settling);
    if (this.#isSeen && this.#held && !this.#decided) this.#actions?.announce(t("Shown to its end. Allow works now."));
    const holds = !this.#held && !this.#isSeen;
    this.#held ||= holds;
    this.#renderAgain();
    // The hint makes the card higher: its title must stay in view.
    if (holds && this.#section) this.#actions?.showTop(this.#section);
  }

  #settle(): void {
    this.#settled = true;
    this.#renderAgain();
  }

  get #isSeen(): boolean {
    return this.#viewed?.start === true && this.#viewed.end;
  }

  get #mayAllow(): boolean {
    return this.#isSeen && this.#settled;
  }

  #renderAgain(): void {
    if (this.isConnected && this.#call) this.setValue(this.#template(this.#call));
  }

  #pressEnter(): void {
    this.#refused ||= !this.#mayAllow;
    this.#decide(true);
    this.#renderAgain();
  }

  /** Only reports the click: the host decides, once. Until its event comes the buttons are disabled. */
  #decide(allow: boolean, scope?: RuleScope): void {
    const { id } = this.#call?.approval ?? {};
    if (this.#decided || id === undefined) return;
    if (allow && !this.#mayAllow) {
      this.#actions?.announce(this.#hint);
      return;
    }
    this.#decided = true;
    const note = this.#section?.querySelector("input")?.value.trim() ?? "";
    const word = allow || note === "" ? {} : { note };
    this.#actions?.send({ type: "approval-decide", approval: id, allow, ...word, ...(scope && { scope }) });
    this.#renderAgain();
  }

  #showStart(): void {
    this.#actions?.leaveEnd(0);
    this.#section?.scrollIntoView({ block: "start" });
  }

  /** Lets the box grow and adds lines below without moving what is in view. */
  #showMore(): void {
    const before = this.#box?.scrollTop ?? 0;
    if (this.#expanded || this.#lines.length > this.#shown) this.#shown += moreLines;
    this.#expanded = true;
    this.#renderAgain();
    this.#actions?.leaveEnd(before);
    // With the last line the button is removed: the focus moves to the box.
    if (this.#shown >= this.#lines.length) this.#box?.focus({ preventScroll: true });
  }

  get #hint(): string {
    if (this.#isSeen) return t("This question has just come up: press Allow once more.");
    const [shown, all] = [this.#shown, this.#lines.length];
    const counts = shown >= all ? undefined : { shown, all };
    return scrollHint(this.#call, this.#viewed?.start !== false, counts, this.#actions?.locale);
  }

  #template({ approval, change }: WaitingCall): TemplateResult {
    const title = askedTitle(this.#group.map(({ call }) => call));
    const offers = this.#offers(approval);
    const hint = `hint-${approval.id}`;
    const blocked = !this.#decided && !this.#mayAllow;
    const unseen = this.#held && !this.#decided && !this.#isSeen;
    return html`<section
      class="approval"
      tabindex="-1"
      aria-label=${t("Approval needed: {0} ({1})", title, describeReasons(approval.reasons))}
      aria-busy=${this.#decided ? "true" : nothing}
      aria-keyshortcuts="Enter"
      @keydown=${(event: KeyboardEvent) => isPress(event) && this.#pressEnter()}
      ${ref(this.#onSection)}
    >
      <div class="approval-start" ${ref(this.#onStart)}></div>
      <div class="approval-title">${icon("question")}<span>${title}</span></div>
      ${this.#refused && !this.#decided ? this.#refusalLine() : nothing}
      <div class="approval-reason">
        <span>${t("Why it asks: {0}", describeReasons(approval.reasons))}</span
        >${change === undefined || isGroup(this.#group) ? nothing : openDiffButton(this.#openDiff)}
      </div>
      ${afterReading(approval)} ${afterChanges(approval.changed)} ${this.#changeBox(askedLabel(this.#group))}
      ${this.#held && !this.#decided ? this.#hintLine(hint) : nothing}
      <div class="approval-buttons">
        <span class="allow-buttons"
          ><button
            type="button"
            class="button ${unseen ? "held" : ""}"
            ?disabled=${this.#decided}
            aria-disabled=${blocked ? "true" : nothing}
            aria-describedby=${unseen ? hint : nothing}
            @click=${() => this.#decide(true)}
          >
            ${t("Allow")}</button
          >${offersButton(offers)}</span
        >
        <button type="button" class="button secondary" ?disabled=${this.#decided} @click=${() => this.#decide(false)}>
          ${t("Don't Allow")}
        </button>
      </div>
      ${offersList(offers)}
      <input
        class="approval-note"
        type="text"
        maxlength="10000"
        placeholder=${t("Why not? Sent to the model")}
        aria-label=${t("Word to the model, sent with Don't Allow")}
        ?disabled=${this.#decided}
        @keydown=${(event: KeyboardEvent) => {
          if (event.key === "Enter" && !event.isComposing) this.#decide(false);
        }}
      />
    </section>`;
  }

  #changeBox(label: string): TemplateResult {
    const whole = this.#shown >= this.#lines.length;
    return html`<div
      class="diff ${this.#expanded ? "expanded" : ""} ${isGroup(this.#group) ? "grouped" : ""}"
      tabindex="0"
      role="region"
      dir="ltr"
      aria-label=${label}
      ${ref(this.#onBox)}
    >
      ${guard([this.#lines, this.#shown], () => linesView(this.#lines.slice(0, this.#shown), this.#openDiff))}
      ${whole ? html`<div class="change-end" ${ref(this.#onEnd)}></div>` : nothing}
    </div>`;
  }

  #refusalLine(): TemplateResult {
    const words = this.#mayAllow ? t("Shown to its end. Allow works now.") : this.#hint;
    return html`<div class="approval-refusal">${icon("warning")}<span>${words}</span></div>`;
  }

  /** Once shown it stays, so that the buttons don't move under the pointer. */
  #hintLine(id: string): TemplateResult {
    const left = this.#lines.length - this.#shown;
    const button = (label: string, onClick: () => void): TemplateResult =>
      html`<button type="button" class="button quiet" @click=${onClick}>${label}</button>`;
    return html`<div class="approval-hint">
      <span id=${id}>${this.#isSeen ? html`${icon("check")}${t("Shown to its end.")}` : this.#hint}</span>
      ${
        this.#isSeen
          ? nothing
          : this.#viewed?.start === false
            ? button(t("Show the Start"), () => this.#showStart())
            : left > moreLines
              ? button(t("Show {0} More Lines", new Intl.NumberFormat(this.#actions?.locale).format(moreLines)), () =>
                  this.#showMore(),
                )
              : left > 0 || !this.#expanded
                ? button(t("Show the Rest"), () => this.#showMore())
                : nothing
      }
    </div>`;
  }

  #offers({ id, offers = [] }: WaitingCall["approval"]): OffersView {
    return {
      id,
      offers,
      isOpen: this.#offersOpen,
      isDecided: this.#decided,
      isBlocked: !this.#mayAllow,
      toggle: () => {
        this.#offersOpen = !this.#offersOpen;
        this.#renderAgain();
        // Below a card that fills the view it would open unseen.
        this.#section?.querySelector(".offers")?.scrollIntoView({ block: "nearest" });
      },
      choose: (scope) => this.#decide(true, scope),
    };
  }
}

export const approvalCard = directive(ApprovalCard);
