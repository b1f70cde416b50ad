/** Templates for the entries of the transcript: the person's message, or an answer with its blocks, its end and its footer. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { guard } from "lit-html/directives/guard.js";
import { AsyncDirective, directive } from "lit-html/async-directive.js";
import { describeFailure } from "../../../domain/words/describeAnswer";
import { type ErrorDescription, localButton } from "../../../domain/words/describeError";
import type { ChatPageToHost } from "../../contract/chatPageContract";
import {
  type AnswerEntry,
  type Block,
  type Entry,
  isUnfinished,
  type ToolCallBlock,
  type SummaryEntry,
  type AnswerRetry,
} from "../../../domain/chat/chat";
import { revealAll, revealName } from "../../../webview/hiddenCharacters";
import type { IconName } from "../../../webview/icons";
import { readLink } from "../markdown/tree";
import { expandableRow, iconButton, markdown, type RowActions } from "../shared/controls";
import { firstClick, icon } from "../../../webview/pageParts";
import {
  describeEnd,
  describeTime,
  describeTurn,
  type Repetition,
  type TurnChanges,
  type TurnSummary,
  summaryTitle,
} from "../shared/turn";
import { plural } from "../../../domain/words/plural";
import { definedFields } from "../../../base/definedFields";
import { addSpent } from "../../../domain/prices/tokenDays";
import { describePast, describeWait } from "../shared/retryWords";
import { askedTogether } from "./approvalGroup";
import { compareCalls, tasksRow } from "./taskCard";
import { mediaView } from "./mediaView";
import { messageView } from "./messageView";
import { toolCallView } from "./toolCall";

/** The maximum length of a source's title, in characters. */
const maxTitleLength = 200;

function rowHeading(entry: Entry, opens: boolean): TemplateResult | typeof nothing {
  const text = headingOf(entry, opens);
  return text === undefined ? nothing : html`<h2 class="hidden">${text}</h2>`;
}

/** The headings by which a screen reader goes from turn to turn, also to a row without content. `opens`: the first answer after a message. */
export function headingOf(entry: Entry, opens: boolean): string | undefined {
  switch (entry.type) {
    case "user":
      return t("You");
    case "task":
      return t("Task");
    case "summary":
      return t("Summary");
    case "answer":
      return opens ? revealName(entry.model) || t("Answer") : undefined;
  }
}

/** `isUsed`: for a summary, whether requests contain it. */
export function nonAnswerRow(entry: Exclude<Entry, AnswerEntry>, isUsed: boolean, actions: RowActions): TemplateResult {
  switch (entry.type) {
    case "user":
      return html`${rowHeading(entry, true)} ${messageView(entry, actions)}`;
    case "task":
      return tasksRow(entry, actions);
    case "summary":
      return summaryRow(entry, isUsed, actions);
  }
}

/** `summary`: present for the last answer of a turn. */
export function answerRow(
  answer: AnswerEntry,
  opens: boolean,
  summary: FooterSummary | undefined,
  actions: RowActions,
): TemplateResult {
  const streaming = answer.state === "streaming";
  const since = changeSince(answer, actions);
  const described = describeFailure(answer);
  const failure = since === "key-set" ? keyIsSet() : since === "other-home" ? askOther(described) : described;
  // The host's own action for the error would be about the connection that was used then.
  const intent: ChatPageToHost =
    since === undefined ? { type: "error-action", answer: answer.id } : { type: "turn-retry" };
  // A text block may still grow although citations follow it.
  const last = answer.blocks.findLastIndex(({ type }) => type !== "citation");
  const goOn = summary?.again === undefined ? nothing : goOnButton(answer, actions);
  return html`${rowHeading(answer, opens)} ${retryLines(answer, actions)}
  ${answer.blocks.map((block, index) => {
    const live = streaming && index === last;
    const group = block.type === "tool-call" ? askedTogether(answer, block) : [];
    return guard([block, live, ...group], () => blockView(answer, block, live, group, actions));
  })}
  ${compareCalls(answer, actions)}
  ${describeEnd(answer, summary !== undefined).map((line) => html`<div class="end">${icon(endIcon(answer))}<span>${line}</span></div>`)}
  ${failure === undefined ? goOnLine(goOn) : errorCard(answer, failure, intent, actions, goOn, summary?.again === undefined)}
  ${summary === undefined ? nothing : footer(answer.id, summary, actions)}`;
}

/**
 * What has changed since an answer failed, so that its card offers something else: the missing key is set, or the gateway or account is another one.
 */
export function changeSince(entry: Entry, actions: RowActions): "key-set" | "other-home" | undefined {
  if (entry.type !== "answer" || entry.failure?.type !== "gateway") return undefined;
  const { error, home } = entry.failure;
  if (error.kind === "signed-out") return actions.isReady() ? "key-set" : undefined;
  const now = actions.home();
  return home !== undefined && now !== undefined && home !== now ? "other-home" : undefined;
}

/** The card after the gateway or key has changed. The old buttons would be about one that is not in use any more. */
function askOther(failure: ErrorDescription | undefined): ErrorDescription | undefined {
  if (failure === undefined) return undefined;
  const { title, meaning, details } = failure;
  return {
    title,
    meaning: `${meaning} ${t("Another gateway or another API key has been chosen meanwhile.")}`,
    action: { id: "retry", label: t("Try Again") },
    details,
  };
}

/** Replaces the card that asked for a key, because the key is set now. */
function keyIsSet(): ErrorDescription {
  return {
    title: t("No API key was set when this was sent. The gateway can be asked now."),
    meaning: t("Nothing was sent, so nothing is paid. Your message is kept."),
    action: { id: "retry", label: t("Try Again") },
    details: "",
    isPause: true,
  };
}

/** The button that continues an unfinished answer. The part that has arrived stays. */
function goOnButton(answer: AnswerEntry, actions: RowActions): TemplateResult | typeof nothing {
  const isCut = answer.state === "interrupted";
  if (!isCut && !isUnfinished(answer)) return nothing;
  const goOn = (): void => actions.send({ type: "turn-continue" });
  return html`<button type="button" class="button secondary" @click=${firstClick(goOn)}>
    ${isCut ? t("Continue") : t("Go On")}
  </button>`;
}

function goOnLine(button: TemplateResult | typeof nothing): TemplateResult | typeof nothing {
  return button === nothing ? nothing : html`<div class="approval-buttons">${button}</div>`;
}

function blockView(
  answer: AnswerEntry,
  block: Block,
  live: boolean,
  group: readonly ToolCallBlock[],
  actions: RowActions,
): unknown {
  switch (block.type) {
    case "text":
      return markdown(block, live, actions);
    case "reasoning": {
      const summary = html`${icon(live ? "loading codicon-modifier-spin" : "lightbulb")}<span class="tool-title"
          >${live ? t("Thinking…") : t("Thought")}</span
        >`;
      const content = html`<div class="thinking">${markdown(block, live, actions)}</div>`;
      return expandableRow(actions, `${answer.id}/thought${block.block}`, "tool", summary, content);
    }
    case "tool-call":
      return toolCallView(answer.id, block, group, actions);
    case "citation":
      return citationLine(block.title, block.url, actions);
    case "media":
      return mediaView(
        {
          place: { answer: answer.id, block: block.block },
          mimeType: block.mimeType,
          words: t("Image from the model"),
        },
        actions,
      );
    case "opaque":
      return nothing;
  }
}

function citationLine(title: string | undefined, address: string | undefined, actions: RowActions): TemplateResult {
  const url = address === undefined ? undefined : readLink(address);
  const text = revealName(shorten(title ?? address ?? t("Source without an address")));
  const open = (event: MouseEvent): void => {
    // The click of the right button, which is an `auxclick` too, opens the menu.
    if (event.button === 2) return;
    event.preventDefault();
    event.stopPropagation();
    if (url !== undefined) actions.openLink(url);
  };
  return html`<div class="citation">
    ${icon("link")}${url === undefined ? text : html`<a href=${url} title=${url} @click=${open} @auxclick=${open}>${text}</a>`}
  </div>`;
}

/** Shortens a title to one line, because a gateway may send a whole text. */
function shorten(title: string): string {
  const line = title.trim().slice(0, 1000).replace(/\s+/g, " ");
  const characters = Array.from(line);
  return characters.length <= maxTitleLength ? line : `${characters.slice(0, maxTitleLength - 1).join("")}…`;
}

function endIcon(answer: AnswerEntry): IconName {
  return answer.state === "stopped" ? "stop-circle" : "warning";
}

/** The line for a refused request that was followed by a smaller one. */
function shorterLine({ title }: ErrorDescription): TemplateResult {
  return html`<div class="end">
    ${icon("refresh")}<span>${t("Sent again in a shorter form: {0}", revealName(title))}</span>
  </div>`;
}

/** The line for a failed model after which another model answers in the next row. */
function fallbackLine({ title }: ErrorDescription, model: string, fallback: string): TemplateResult {
  const words = t("{0}: {1} {2} is asked in its place.", revealName(model), revealName(title), revealName(fallback));
  return html`<div class="end">${icon("refresh")}<span>${words}</span></div>`;
}

/** The line for a limit that a later turn has passed. Nothing waits any more, and what was not sent then may have been sent since. */
function pastLimitLine({ title }: ErrorDescription): TemplateResult {
  return html`<div class="end">${icon("refresh")}<span>${title}</span></div>`;
}

/**
 * The card of an error, or of a turn that waits for the person, which is no error. `intent` belongs to its first button; `goOn` is one more button.
 * `isPast` leaves the buttons out, because they would repeat a newer turn.
 */
function errorCard(
  { id: answer, failure, model }: AnswerEntry,
  error: ErrorDescription,
  intent: ChatPageToHost,
  actions: RowActions,
  goOn: TemplateResult | typeof nothing,
  isPast: boolean,
): TemplateResult {
  if (isPast && failure?.type === "gateway" && failure.fallback !== undefined)
    return fallbackLine(error, model, failure.fallback);
  if (isPast && failure?.type === "context-full" && failure.isSentAgain) return shorterLine(error);
  if (isPast && (failure?.type === "round-limit" || failure?.type === "invalid-calls")) return pastLimitLine(error);
  const { secondAction, isPause = false } = error;
  const action = actions.isLocal() ? localButton(error.action) : error.action;
  const details = html`<div class="error-details">
    <pre tabindex="0" aria-label=${t("Details")}>${revealAll(error.details)}</pre>
    ${iconButton("copy", t("Copy Details"), (event) => copyBy(event, error.details, actions))}
  </div>`;
  return html`<section class="error-card ${isPause ? "paused" : ""}" aria-label=${isPause ? t("Paused") : t("Error")}>
    <div class="error-title">${icon(isPause ? "question" : "error")}<span>${revealName(error.title)}</span></div>
    <div class="error-meaning">${error.meaning}</div>
    ${
      isPast
        ? nothing
        : html`<div class="approval-buttons">
            <button type="button" class="button" @click=${firstClick(() => actions.send(intent))}>
              ${action.label}
            </button>
            ${secondAction ? secondButton(answer, secondAction.label, actions) : nothing}${goOn}
          </div>`
    }
    ${error.details === "" ? nothing : expandableRow(actions, `${answer}/error`, "tool", html`<span>${t("Details")}</span>`, details)}
  </section>`;
}

function secondButton(answer: string, label: string, actions: RowActions): TemplateResult {
  const act = (): void => actions.send({ type: "error-action", answer, isSecond: true });
  return html`<button type="button" class="button secondary" @click=${firstClick(act)}>${label}</button>`;
}

/** `again`: how the footer offers to repeat the turn. */
type FooterSummary = TurnSummary & {
  readonly again: Repetition | undefined;
  readonly changes: TurnChanges | undefined;
};

function footer(answer: string, summary: FooterSummary, actions: RowActions): TemplateResult {
  const request = iconButton("pulse", t("Show Request"), () => actions.send({ type: "request-show", answer }));
  const again =
    summary.again === "retry"
      ? iconButton(
          "refresh",
          t("Ask Again"),
          firstClick(() => actions.send({ type: "turn-retry" })),
        )
      : iconButton(
          "refresh",
          t("Regenerate"),
          firstClick(() => actions.send({ type: "turn-regenerate" })),
        );
  const copy = iconButton("copy", t("Copy Answer as Markdown"), (event) => copyBy(event, summary.text, actions));
  // As in VS Code's own chat, the footer of the last answer is always shown, and those of earlier answers appear with the pointer or the focus.
  return html`<div class="footer ${summary.again === undefined ? "" : "last"}">
      ${timeOf(summary, actions)}${summary.text === "" ? nothing : copy}${summary.again === undefined ? nothing : again}${request}
    </div>
    ${summary.changes === undefined ? nothing : changesLine(answer, summary.changes, actions)}`;
}

/** The time of the turn. Its tooltip, and a hidden text for screen readers, contain all known facts: model, tokens, price. */
function timeOf(summary: TurnSummary, actions: RowActions): TemplateResult | typeof nothing {
  const time = describeTime(summary, actions.locale);
  if (time === "") return nothing;
  const facts = describeTurn(summary, actions.locale, actions.prices());
  const others = facts.filter((fact) => fact !== time);
  return html`<span title=${facts.join("\n")}
    >${time}<span class="hidden">${others.map((fact) => ` · ${fact}`)}</span></span
  >`;
}

function copyBy(event: Event, text: string, actions: RowActions): void {
  if (event.currentTarget instanceof HTMLElement) actions.copy(text, event.currentTarget);
}

type ChangesButton = "changes-show" | "changes-undo" | "changes-redo" | "changes-keep";

/** The maximum number of file names in the tooltip. */
const maxNames = 20;

/** The line below a turn about the files that its tools have changed: a link to the diff, and buttons to undo or keep the changes. */
function changesLine(answer: string, changes: TurnChanges, actions: RowActions): TemplateResult {
  const { files, state, undone } = changes;
  const names = files.slice(0, maxNames).map(revealName).join("\n");
  const button = (label: string, type: ChangesButton): TemplateResult =>
    html`<button type="button" class="button quiet" @click=${() => actions.send({ type, answer })}>${label}</button>`;
  return html`<div class="footer changes">
    ${icon("diff")}
    <button
      type="button"
      class="button quiet"
      title=${names}
      @click=${() => actions.send({ type: "changes-show", answer })}
    >
      ${describeChanges(changes, actions.locale)}
    </button>
    ${state === "undone" || undone !== undefined ? button(t("Redo"), "changes-redo") : nothing}
    ${state === "undone" ? nothing : button(t("Undo"), "changes-undo")}
    ${state === "made" ? button(t("Keep"), "changes-keep") : nothing}
  </div>`;
}

function describeChanges({ files: { length: files }, state, undone, leavesKept }: TurnChanges, locale: string): string {
  const format = new Intl.NumberFormat(locale);
  const count = format.format(files);
  if (undone !== undefined) return plural(files, { other: "{1} of {0} files undone" }, count, format.format(undone));
  if (state === "undone" && leavesKept === true)
    return plural(
      files,
      { one: "1 file changed, undone except what you kept", other: "{0} files changed, undone except what you kept" },
      count,
    );
  if (state === "undone")
    return plural(files, { one: "1 file changed, undone", other: "{0} files changed, undone" }, count);
  if (state === "kept") return plural(files, { one: "1 file changed, kept", other: "{0} files changed, kept" }, count);
  return plural(files, { one: "1 file changed", other: "{0} files changed" }, count);
}

/** `isUsed`: requests contain the summary. */
function summaryRow(summary: SummaryEntry, isUsed: boolean, actions: RowActions): TemplateResult {
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
    ${leftOut ? html`<div class="end">${title}</div>` : expandableRow(actions, `${id}/summary`, "tool", title, content)}
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
  const { cost } = usage;
  const spent = cost === undefined ? addSpent([], model, usage) : [];
  const costs = cost === undefined ? [] : [cost];
  const milliseconds = (endedAt ?? startedAt) - startedAt;
  return describeTurn(
    { model: revealName(model), text: "", milliseconds, spent, costs, ...definedFields({ input, output }) },
    actions.locale,
    actions.prices(),
  );
}

/** The lines above an answer about requests that were retried or will be: the reason, how often, and how long until the next attempt. */
function retryLines(answer: AnswerEntry, actions: RowActions): readonly TemplateResult[] {
  const { retries = [], state, blocks } = answer;
  const next = state === "streaming" && blocks.length === 0 ? retries.at(-1) : undefined;
  const isWaiting = next?.delayMs !== undefined;
  const lines = describePast(isWaiting ? retries.slice(0, -1) : retries).map((line) => retryLine(line));
  return isWaiting ? [...lines, waitingLine(next, actions)] : lines;
}

function retryLine(text: unknown, button?: TemplateResult): TemplateResult {
  return html`<div class="end">${icon("refresh")}<span>${text}</span>${button}</div>`;
}

function waitingLine(retry: AnswerRetry, actions: RowActions): TemplateResult {
  const stop = (): void => actions.send({ type: "turn-stop" });
  const button = html`<button type="button" class="button quiet" @click=${stop}>${t("Stop")}</button>`;
  return retryLine(countdown(retry), button);
}

/** Counts down the seconds until the next attempt while it is on the page. */
class CountdownDirective extends AsyncDirective {
  #retry: AnswerRetry | undefined;
  /** The end of the wait by the clock of this page, which may run on another machine than the host. */
  #end = 0;
  #timer: number | undefined;

  override render(retry: AnswerRetry): string {
    if (retry !== this.#retry) {
      const now = Date.now();
      this.#retry = retry;
      this.#end = Math.min(retry.at ?? now, now) + (retry.delayMs ?? 0);
    }
    this.#schedule();
    return this.#text(retry);
  }

  override disconnected(): void {
    clearTimeout(this.#timer);
  }

  override reconnected(): void {
    this.#schedule();
  }

  #text(retry: AnswerRetry): string {
    return describeWait(retry, this.#end - Date.now());
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    const left = this.#end - Date.now();
    if (left <= 0) return;
    this.#timer = window.setTimeout(() => this.#tick(), left % 1000 || 1000);
  }

  #tick(): void {
    if (this.#retry !== undefined) this.setValue(this.#text(this.#retry));
    this.#schedule();
  }
}

const countdown = directive(CountdownDirective);
