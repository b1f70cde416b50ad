/** The card of a task in the transcript: what the task board says of it now, with its result and what can be done. */
import { t } from "@vscode/l10n";
import { html, nothing, render, type TemplateResult } from "lit-html";
import { Directive, directive } from "lit-html/directive.js";
import type { JobEntry } from "../../domain/transcript";
import type { JobAction, JobState, JobView } from "../../protocol/jobMessages";
import type { ShownFile } from "../../protocol/taskPageMessages";
import type { RowActions } from "../controls";
import { revealName } from "../hiddenCharacters";
import type { DrawnCard } from "../jobs";
import { stateChip } from "../stateChip";
import { actionName } from "../task/actionName";

/** Characters of a prompt whose task is not on the list. */
const longestPrompt = 200;

export function jobRow({ text, tasks }: JobEntry, actions: RowActions): TemplateResult {
  return html`<h2 class="hidden">${t("Task")}</h2>
    ${jobCards(tasks, text, actions)}`;
}

/** A card for each of the tasks. `prompt`: for one of which nothing is known. */
export function jobCards(tasks: readonly string[], prompt: string, actions: RowActions): unknown {
  return tasks.map((task) => jobCard(task, prompt, actions));
}

class JobCard implements DrawnCard {
  readonly element = document.createElement("section");
  readonly task: string;
  readonly #prompt: string;
  readonly #actions: RowActions;
  #state: JobState | undefined;
  /** The file could not be shown. */
  #broken: string | undefined;

  constructor(task: string, prompt: string, actions: RowActions) {
    this.task = task;
    this.#prompt = prompt;
    this.#actions = actions;
    this.element.className = "job-card";
    this.#state = actions.jobs.add(task, this);
    this.#render();
  }

  update(state: JobState): void {
    const before = this.#state?.view;
    this.#state = state;
    if (before !== undefined && state.view !== undefined && before.state.name !== state.view.state.name)
      this.#actions.announce(revealName(state.view.spoken));
    this.#render();
  }

  #render(): void {
    const view = this.#state?.view;
    this.element.ariaLabel = view === undefined ? t("Task") : revealName(view.spoken);
    render(view === undefined ? this.#unknown() : this.#known(view), this.element);
  }

  #unknown(): TemplateResult {
    return html`<div class="job-prompt">${revealName(this.#prompt.slice(0, longestPrompt))}</div>
      <div class="quiet-text">${this.#state === undefined ? nothing : t("This task is no longer on the list.")}</div>`;
  }

  #known({ prompt, state, facts, problem, money, file, actions }: JobView): TemplateResult {
    return html`<div class="job-prompt">${revealName(prompt)}</div>
      <div class="job-facts">${stateChip(state)}<span class="quiet-text">${revealName(facts.join(" · "))}</span></div>
      ${problem === undefined ? nothing : html`<div>${revealName(problem)}</div>`}
      ${file === undefined ? nothing : this.#file(file, prompt)}
      <div class="quiet-text">${revealName(money)}</div>
      <div class="buttons">${actions.map((action) => this.#button(action))}</div>`;
  }

  #button(action: JobAction): TemplateResult {
    const isFirst = action === "reconcile" || action === "send-again";
    const act = (): void => this.#actions.send({ type: "job-action", task: this.task, action });
    return html`<button type="button" class="button ${isFirst ? "" : "secondary"}" @click=${act}>
      ${action === "open-task" ? t("Open Task") : actionName(action)}
    </button>`;
  }

  #file(file: ShownFile, prompt: string): TemplateResult {
    if (file.kind === "other")
      return html`<div class="quiet-text">${t("VS Code can't show {0} here.", revealName(file.name))}</div>`;
    const { url, thumbnail } = file;
    if (this.#broken === url)
      return html`<div class="quiet-text">
        ${file.kind === "video" ? t("VS Code can't play this video. Open it externally.") : t("The picture can't be shown. The file may have been moved or deleted.")}
      </div>`;
    const broken = (): void => {
      this.#broken = url;
      this.#render();
    };
    if (file.kind === "image") return html`<img class="media" src=${url} alt=${prompt} @error=${broken} />`;
    return html`<video
      class="media"
      src=${url}
      controls
      poster=${thumbnail ?? nothing}
      preload=${thumbnail === undefined ? "metadata" : "none"}
      aria-label=${prompt}
      @error=${broken}
    ></video>`;
  }
}

class JobDirective extends Directive {
  #card: JobCard | undefined;

  override render(task: string, prompt: string, actions: RowActions): Element {
    if (this.#card?.task !== task) this.#card = new JobCard(task, prompt, actions);
    return this.#card.element;
  }
}

/** The card in the same nodes from update to update. */
const jobCard = directive(JobDirective);
