/** The lines above an answer about requests that were sent again, or will be: why, how often, and how long until the next one. */
import { t } from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";
import { AsyncDirective, directive } from "lit-html/async-directive.js";
import type { AnswerEntry, AnswerRetry } from "../../../domain/chat/chat";
import { icon } from "../../../webview/pageParts";
import type { RowActions } from "../shared/controls";
import { describePast, describeWait } from "../shared/retryWords";

export function retryLines(answer: AnswerEntry, actions: RowActions): readonly TemplateResult[] {
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

/** Counts the seconds down while it is on the page. */
class CountdownDirective extends AsyncDirective {
  #retry: AnswerRetry | undefined;
  /** By the clock of this page, which may be another machine's than the host's. */
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
