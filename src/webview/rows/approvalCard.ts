/** The approval of a call. Allow works once the start and the end of what would be done have been in view. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { AsyncDirective, directive } from "lit-html/async-directive.js";
import { guard } from "lit-html/directives/guard.js";
import { ref } from "lit-html/directives/ref.js";
import { describeAction, describeReasons } from "../../domain/describeTool";
import type { ToolCallBlock, WaitingCall } from "../../domain/transcript";
import { revealName } from "../hiddenCharacters";
import type { RowActions } from "../controls";
import { icon } from "../iconView";
import { askedLabel, askedLines, scrollHint } from "./askedText";
import type { ChangeLine } from "./changeLines";
import { changeLineView } from "./changeView";
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
  /** `undefined` until the observer reports, a frame after the card was rendered. */
  #viewed: Viewed | undefined;
  /** The hint to scroll first was shown. */
  #held = false;
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

  override render(block: ToolCallBlock, call: WaitingCall, actions: RowActions): unknown {
    this.#actions = actions;
    if (call.approval.id !== this.#call?.approval.id) {
      this.#lines = askedLines(block, call);
      this.#shown = firstLines;
      this.#decided = this.#held = false;
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

  /** Only reports the click: the host decides, once. Until its event comes the buttons are disabled. */
  #decide(allow: boolean): void {
    const { id } = this.#call?.approval ?? {};
    if (this.#decided || id === undefined) return;
    if (allow && !this.#mayAllow) {
      this.#actions?.announce(this.#hint);
      return;
    }
    this.#decided = true;
    const note = this.#section?.querySelector("input")?.value.trim() ?? "";
    const word = allow || note === "" ? {} : { note };
    this.#actions?.send({ type: "approval-decide", approval: id, allow, ...word });
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
    const count = new Intl.NumberFormat(this.#actions?.locale);
    const isWhole = this.#shown >= this.#lines.length;
    const counts: [string, string] = [count.format(this.#shown), count.format(this.#lines.length)];
    return scrollHint(this.#call, this.#viewed?.start !== false, isWhole ? undefined : counts);
  }

  #template(call: WaitingCall): TemplateResult {
    const { action, approval, change } = call;
    const hint = `hint-${approval.id}`;
    const blocked = !this.#decided && !this.#mayAllow;
    const unseen = this.#held && !this.#decided && !this.#isSeen;
    return html`<section
      class="approval"
      tabindex="-1"
      aria-label=${t("Approval needed: {0} ({1})", revealName(describeAction(action)), describeReasons(approval.reasons))}
      aria-busy=${this.#decided ? "true" : nothing}
      ${ref(this.#onSection)}
    >
      <div class="approval-start" ${ref(this.#onStart)}></div>
      <div class="approval-title">${icon("question")}<span>${revealName(describeAction(action))}</span></div>
      <div class="approval-reason">
        <span>${t("Why it asks: {0}", describeReasons(approval.reasons))}</span
        >${change === undefined ? nothing : this.#openDiff(approval.id)}
      </div>
      ${this.#changeBox(askedLabel(call))} ${this.#held && !this.#decided ? this.#hintLine(hint) : nothing}
      <div class="approval-buttons">
        <button
          type="button"
          class="button ${unseen ? "held" : ""}"
          ?disabled=${this.#decided}
          aria-disabled=${blocked ? "true" : nothing}
          aria-describedby=${unseen ? hint : nothing}
          @click=${() => this.#decide(true)}
        >
          ${t("Allow")}
        </button>
        <button type="button" class="button secondary" ?disabled=${this.#decided} @click=${() => this.#decide(false)}>
          ${t("Don't Allow")}
        </button>
      </div>
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
      class="diff ${this.#expanded ? "expanded" : ""}"
      tabindex="0"
      role="region"
      dir="ltr"
      aria-label=${label}
      ${ref(this.#onBox)}
    >
      ${guard([this.#lines, this.#shown], () => this.#lines.slice(0, this.#shown).map(changeLineView))}
      ${whole ? html`<div class="change-end" ${ref(this.#onEnd)}></div>` : nothing}
    </div>`;
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

  #openDiff(approval: string): TemplateResult {
    const open = (): void => this.#actions?.send({ type: "diff-open", approval });
    return html`<button type="button" class="button quiet" @click=${open}>${icon("diff")}${t("Open Diff")}</button>`;
  }
}

export const approvalCard = directive(ApprovalCard);
