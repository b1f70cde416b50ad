/** The timeline of a task: the newest entries, and the earlier ones on request. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import type { TaskPageIntent, TaskView } from "../../contract/taskPageContract";
import { revealName } from "../../../webview/hiddenCharacters";
import type { PageActions } from "../../../webview/page";

const pageSize = 50;

export class TimelineTemplate {
  readonly #actions: PageActions<TaskPageIntent>;
  #shown = pageSize;

  constructor(actions: PageActions<TaskPageIntent>) {
    this.#actions = actions;
  }

  render({ timeline, events }: TaskView): TemplateResult {
    const earlier = Math.max(0, timeline.length - this.#shown);
    return html`<section>
      <h2>${t("Timeline")}</h2>
      ${
        earlier === 0
          ? nothing
          : html`<button type="button" class="button quiet" @click=${() => this.#showEarlier()}>
              ${t("Show earlier ({0})", earlier)}
            </button>`
      }
      <ol class="timeline" start=${earlier + 1}>
        ${timeline
          .slice(earlier)
          .map(
            ({ at, text, state }) =>
              html`<li>
                <span class="moment">${at}</span
                ><span class="happened"
                  >${revealName(text)}${state === undefined ? nothing : html` <span class="quiet-text">${state}</span>`}</span
                >
              </li>`,
          )}
      </ol>
      ${this.#note(events)}
    </section>`;
  }

  #note(events: TaskView["events"]): TemplateResult | typeof nothing {
    switch (events) {
      case "none":
      case "shown":
        return nothing;
      case "loading":
        return html`<p class="quiet-text">${t("Reading the gateway's events…")}</p>`;
      case "failed":
        return html`<p class="quiet-text">
          ${t("The gateway's events could not be read.")}
          <button type="button" class="link" @click=${() => this.#actions.send({ type: "events-load" })}>
            ${t("Try Again")}
          </button>
        </p>`;
    }
  }

  #showEarlier(): void {
    this.#shown += pageSize;
    this.#actions.redraw();
  }
}
