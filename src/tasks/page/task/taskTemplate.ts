/** The page of one task: state and actions, result, prompt, parameters, money, timeline, raw JSON. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { taskActionFacts } from "../../../domain/task/taskActions";
import { taskActionLabel } from "../../../domain/words/taskActionWords";
import type { TaskPageIntent, TaskPageSnapshot, TaskView } from "../../contract/taskPageContract";
import { revealAll, revealName } from "../../../webview/hiddenCharacters";
import { icon } from "../../../webview/pageParts";
import type { PageActions } from "../../../webview/page";
import { stateChip } from "../shared/stateChip";
import { actionButton } from "./actionButton";
import { lineage } from "./lineageTemplate";
import { ResultTemplate } from "./resultTemplate";

/** Entries of the timeline. */
const pageSize = 50;

/** The timeline of a task: the newest entries, and the earlier ones on request. */
class TimelineTemplate {
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

type Actions = PageActions<TaskPageIntent>;

/** Holds what is of the page alone: what was expanded, and which picture was loaded. */
export class TaskTemplate {
  readonly #actions: Actions;
  readonly #result: ResultTemplate;
  readonly #timeline: TimelineTemplate;

  constructor(actions: Actions) {
    this.#actions = actions;
    this.#result = new ResultTemplate(actions);
    this.#timeline = new TimelineTemplate(actions);
  }

  render({ task }: TaskPageSnapshot): TemplateResult {
    if (task === undefined) {
      return html`<div class="page">
        <p class="missing">
          ${t("This task is not on the list. It may have been removed, or the list is being read.")}
        </p>
      </div>`;
    }
    return html`<div class="page task-page">
      <p class="gateway quiet-text">${revealName(task.gateway)}</p>
      <div class="columns ${hasFrame(task) ? "" : "without-result"}">
        ${hasFrame(task) ? this.#result.render(task) : nothing}
        <div class="details">
          ${this.#header(task)} ${hasFrame(task) ? nothing : this.#result.renderActions(task)}
          ${isInTitle(task) ? nothing : promptSection(task, this.#actions)}
          ${factsSection(t("Parameters"), task.parameters)} ${this.#timeline.render(task)} ${this.#details(task)}
        </div>
      </div>
    </div>`;
  }

  #header(task: TaskView): TemplateResult {
    return html`<header>
      <h1>${revealName(task.title)}${isInTitle(task) ? copyButton(this.#actions) : nothing}</h1>
      <p class="state">${stateChip(task.state)}<span>${revealAll(task.state.sentence)}</span></p>
      ${
        task.unknown === undefined
          ? nothing
          : html`<div class="unknown" role="note">${icon("question")}<span>${task.unknown}</span></div>`
      }
      ${facts(task.facts)} ${lineage(task, this.#actions)}
    </header>`;
  }

  /** The raw JSON comes when this is opened. */
  #details({ raw, details, actions }: TaskView): TemplateResult {
    const toggled = (event: Event): void => {
      const isOpen = event.currentTarget instanceof HTMLDetailsElement && event.currentTarget.open;
      if (isOpen && raw === undefined) this.#actions.send({ type: "raw-show" });
    };
    const buttons = actions.filter((action) => taskActionFacts(action).page === "details");
    return html`<details class="raw" @toggle=${toggled}>
      <summary>${icon("chevron-right")}${t("Details")}</summary>
      ${facts(details)}
      <div class="buttons">${buttons.map((action) => actionButton(action, this.#actions))}</div>
      <pre tabindex="0" aria-label=${t("Raw JSON")}>${raw === undefined ? t("Loading…") : revealAll(raw)}</pre>
    </details>`;
  }
}

/** Of a task that has ended without a result, the state says why: there is no place for one. */
function hasFrame({ result }: TaskView): boolean {
  return result.state !== "none" || result.isAwaited;
}

/** A short prompt is the title. */
function isInTitle({ title, prompt }: TaskView): boolean {
  return title === prompt;
}

function promptSection(task: TaskView, actions: Actions): TemplateResult {
  return html`<section>
    <h2>${t("Prompt")} ${copyButton(actions)}</h2>
    <p class="prompt" tabindex="0" role="group" aria-label=${t("Prompt")}>${revealAll(task.prompt)}</p>
  </section>`;
}

function copyButton({ send }: Actions): TemplateResult {
  return html`<button
    type="button"
    class="icon-button codicon codicon-copy"
    title=${taskActionLabel("copy-prompt")}
    aria-label=${taskActionLabel("copy-prompt")}
    @click=${() => send({ type: "task-action", action: "copy-prompt" })}
  ></button>`;
}

function factsSection(title: string, list: TaskView["facts"]): TemplateResult | typeof nothing {
  return list.length === 0
    ? nothing
    : html`<section>
        <h2>${title}</h2>
        ${facts(list)}
      </section>`;
}

function facts(list: TaskView["facts"]): TemplateResult | typeof nothing {
  if (list.length === 0) return nothing;
  return html`<dl class="facts">
    ${list.map(
      ({ name, value }) =>
        html`<div>
          <dt>${revealName(name)}</dt>
          <dd>${revealName(value)}</dd>
        </div>`,
    )}
  </dl>`;
}
