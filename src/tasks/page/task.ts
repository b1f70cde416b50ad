/** The page of one task: state and actions, result, prompt, parameters, money, timeline, raw JSON (T7). */
import "../../webview/styles/page.css";
import "../../webview/styles/actionList.css";
import "../../webview/styles/task.css";
import { t } from "@vscode/l10n";
import type {
  TaskPageContract,
  TaskPageIntent,
  TaskPageSnapshot,
  TaskView,
  LineageNode,
} from "../contract/taskPageContract";
import { followRemovals, nextState, startPage, type PageActions } from "../../webview/page";
import { html, nothing, type TemplateResult } from "lit-html";
import { taskActionFacts } from "../../domain/task/taskActions";
import { taskActionLabel } from "../../domain/words/taskActionWords";
import { revealAll, revealName } from "../../webview/hiddenCharacters";
import { icon } from "../../webview/pageParts";
import { stateChip } from "./stateChip";
import { actionButton, ResultTemplate } from "./taskResult";
import { keyed } from "lit-html/directives/keyed.js";

/** Entries of the timeline that are shown at first, and more at each request. */
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

/** Holds the state of the page alone: which parts are expanded, and which pictures are loaded. */
class TaskTemplate {
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

  /** Asks the host for the raw JSON when the details are opened. */
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

/** A task that has ended without a result has no frame, because its state says why. */
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

// Shows the tasks that this one was made from and those that were made from it, with their pictures.

type LineageActions = Pick<PageActions<TaskPageIntent>, "send">;

function lineage(
  { duplicatedFrom, ledTo = [], batch }: Pick<TaskView, "duplicatedFrom" | "ledTo" | "batch">,
  actions: LineageActions,
): TemplateResult | typeof nothing {
  if (duplicatedFrom === undefined && batch === undefined && ledTo.length === 0) return nothing;
  return html`<div class="lineage">
    ${duplicatedFrom === undefined ? nothing : group(t("Made from"), [duplicatedFrom], actions)}
    ${ledTo.length === 0 ? nothing : group(t("Led to"), ledTo, actions)}
    ${
      batch === undefined
        ? nothing
        : html`<button type="button" class="link" @click=${() => actions.send({ type: "batch-open" })}>
            ${t("Show all {0} of its batch", batch)}
          </button>`
    }
  </div>`;
}

function group(name: string, nodes: readonly LineageNode[], actions: LineageActions): TemplateResult {
  return html`<div class="lineage-group" role="group" aria-label=${name}>
    <span class="quiet-text">${name}</span>${nodes.map((node) => nodeView(node, actions))}
  </div>`;
}

function nodeView({ task, title, count = 1, picture }: LineageNode, { send }: LineageActions): TemplateResult {
  const words = `${revealName(title)}${count > 1 ? ` × ${count}` : ""}`;
  if (task === undefined) return html`<span>${words}</span>`;
  return html`<button
    type="button"
    class="lineage-node"
    title=${words}
    @click=${() => send({ type: "task-open", task })}
  >
    <span class="lineage-picture"
      >${picture === undefined ? icon("file-media") : keyed(picture, pictureView(picture))}</span
    ><span class="lineage-title">${revealName(title)}</span
    >${count > 1 ? html`<span class="lineage-count">× ${count}</span>` : nothing}
  </button>`;
}

/** The picture; the frame is empty where it cannot be shown. */
function pictureView(url: string): TemplateResult {
  const remove = (event: Event): void => void ((event.currentTarget as HTMLElement).hidden = true);
  return html`<img src=${url} alt="" loading="lazy" decoding="async" @error=${remove} />`;
}

startPage<TaskPageContract>((actions) => {
  const page = new TaskTemplate(actions);
  return {
    reduce: nextState,
    template: (snapshot) => page.render(snapshot),
    // An Enter that comes late must not press the next main button.
    rendered: followRemovals(".action-menu > .buttons > :not(.more)", ".action-menu .more"),
    saved: ({ subject }) => ({ subject }),
    announce: (before, now) =>
      now.task === undefined || before.task?.state.name === now.task.state.name
        ? undefined
        : t("{0}: {1}", now.task.state.name, now.task.state.sentence),
  };
});
