/** The card of a task in the transcript: its state on the task board, its result and its actions. */
import { t } from "@vscode/l10n";
import { html, nothing, render, type TemplateResult } from "lit-html";
import { Directive, directive } from "lit-html/directive.js";
import { repeat } from "lit-html/directives/repeat.js";
import { type CardAction, taskActionFacts } from "../../../domain/task/taskActions";
import { taskActionLabel } from "../../../domain/words/taskActionWords";
import { describeNotShown, describeUnshown, failureWords } from "../../../domain/words/taskTypeWords";
import type { AnswerEntry, TaskEntry } from "../../../domain/chat/chat";
import { maxCompared } from "../../../tasks/contract/galleryPageContract";
import type { TaskCardState, TaskCardView } from "../../contract/chatPageContract";
import type { ShownFile } from "../../../tasks/contract/taskPageContract";
import type { RowActions } from "../shared/controls";
import { revealName } from "../../../webview/hiddenCharacters";
import type { DrawnTaskCard } from "../shared/liveParts";
import { moreButton, firstClick } from "../../../webview/pageParts";
import { mediaPreview } from "../../../tasks/page/mediaPreview";
import { stateChip } from "../../../tasks/page/stateChip";

/** The maximum length of the prompt on the card of a task that is not on the list, in characters. */
const maxPromptLength = 200;

export function tasksRow({ text, tasks }: TaskEntry, actions: RowActions): TemplateResult {
  return html`<h2 class="hidden">${t("Task")}</h2>
    ${taskCards(tasks, text, actions)}`;
}

/** A card for each of the tasks. `prompt` is shown for a task of which nothing is known. */
export function taskCards(tasks: readonly string[], prompt: string, actions: RowActions): unknown {
  const cards = tasks.map((task) => taskCard(task, prompt, actions));
  if (cards.length < 2) return cards;
  return html`<div class="task-cards">${cards}</div>
    ${compareOf(tasks, actions)}`;
}

/** The button that compares the results of several calls of one answer. */
export function compareCalls({ blocks }: AnswerEntry, actions: RowActions): unknown {
  const submitted = blocks.flatMap((block) => {
    const tasks = block.type === "tool-call" && "tasks" in block.progress ? (block.progress.tasks ?? []) : [];
    return tasks.length === 0 ? [] : [tasks];
  });
  return submitted.length < 2 ? nothing : compareOf(submitted.flat(), actions);
}

function compareOf(tasks: readonly string[], actions: RowActions): unknown {
  return tasks.length > maxCompared ? nothing : compareButton(tasks.join(" "), actions);
}

/** A button that is shown once two of the tasks have a result that a page can show. It follows the states of the tasks like a card. */
class CompareButton implements DrawnTaskCard {
  readonly element = document.createElement("div");
  readonly #tasks: readonly string[];
  readonly #actions: RowActions;
  readonly #shown = new Set<string>();

  constructor(tasks: readonly string[], actions: RowActions) {
    this.#tasks = tasks;
    this.#actions = actions;
    this.element.className = "task-cards-compare";
    for (const task of tasks) this.#note(actions.taskCards.add(task, this));
    this.#render();
  }

  update(state: TaskCardState): void {
    this.#note(state);
    this.#render();
  }

  #note(state: TaskCardState | undefined): void {
    if (state === undefined) return;
    const kind = state.view?.file?.kind ?? "other";
    if (kind === "other") this.#shown.delete(state.id);
    else this.#shown.add(state.id);
  }

  #render(): void {
    const tasks = this.#tasks.filter((task) => this.#shown.has(task));
    const compare = (): void => this.#actions.send({ type: "task-cards-compare", tasks });
    const button = html`<button type="button" class="button secondary" @click=${compare}>${t("Compare")}</button>`;
    render(tasks.length < 2 ? nothing : button, this.element);
  }
}

class CompareButtonDirective extends Directive {
  #tasks = "";
  #button: CompareButton | undefined;

  /** `tasks`: the ids of the tasks, separated by spaces. */
  override render(tasks: string, actions: RowActions): Element {
    if (this.#button === undefined || this.#tasks !== tasks)
      this.#button = new CompareButton(tasks.split(" "), actions);
    this.#tasks = tasks;
    return this.#button.element;
  }
}

const compareButton = directive(CompareButtonDirective);

class TaskCard implements DrawnTaskCard {
  readonly element = document.createElement("section");
  readonly task: string;
  readonly #prompt: string;
  readonly #actions: RowActions;
  #state: TaskCardState | undefined;
  /** The URL of a file that could not be shown. */
  #broken: string | undefined;

  constructor(task: string, prompt: string, actions: RowActions) {
    this.task = task;
    this.#prompt = prompt;
    this.#actions = actions;
    this.element.className = "task-card";
    this.#state = actions.taskCards.add(task, this);
    this.#render();
  }

  update(state: TaskCardState): void {
    const before = this.#state?.view;
    this.#state = state;
    if (before !== undefined && state.view !== undefined && before.state.name !== state.view.state.name)
      this.#actions.announce(revealName(state.view.spoken));
    this.#render();
  }

  #render(): void {
    const view = this.#state?.view;
    this.element.ariaLabel = view === undefined ? t("Task") : revealName(view.spoken);
    const hadFocus = this.element.contains(document.activeElement);
    render(view === undefined ? this.#unknown() : this.#known(view), this.element);
    // The focused button has gone. The focus moves to *open task*, so that a late Enter does not press a new button.
    if (hadFocus && !this.element.contains(document.activeElement))
      this.element.querySelector<HTMLElement>('[data-action="open-task"]')?.focus();
  }

  #unknown(): TemplateResult {
    return html`<div class="task-card-prompt">${revealName(this.#prompt.slice(0, maxPromptLength))}</div>
      <div class="quiet-text">${this.#state === undefined ? nothing : t("This task is no longer on the list.")}</div>`;
  }

  #known({ prompt, state, facts, problem, money, file, actions }: TaskCardView): TemplateResult {
    return html`<div class="task-card-prompt">${revealName(prompt)}</div>
      <div class="task-card-facts">
        ${stateChip(state)}<span class="quiet-text">${revealName(facts.join(" · "))}</span>
      </div>
      ${problem === undefined ? nothing : html`<div>${revealName(problem)}</div>`}
      ${file === undefined ? nothing : this.#file(file, prompt)}
      <div class="quiet-text">${revealName(money)}</div>
      <div class="buttons">
        ${repeat(
          actions,
          (action) => action,
          (action) => this.#button(action),
        )}
      </div>`;
  }

  #button(action: CardAction): TemplateResult {
    const isFirst = taskActionFacts(action).isUrgent === true;
    const act = (): void => this.#actions.send({ type: "task-card-action", task: this.task, action });
    if (action === "more") return moreButton(undefined, act);
    return html`<button
      type="button"
      class="button ${isFirst ? "" : "secondary"}"
      data-action=${action}
      @click=${firstClick(act)}
    >
      ${taskActionLabel(action)}
    </button>`;
  }

  #file(file: ShownFile, prompt: string): TemplateResult {
    if (file.kind === "other") {
      const words =
        file.isTooLarge === true
          ? describeUnshown(failureWords("too-large"))
          : t("VS Code can't show {0} here.", revealName(file.name));
      return html`<div class="quiet-text">${words}</div>`;
    }
    if (this.#broken === file.url) return html`<div class="quiet-text">${describeNotShown(file.kind)}</div>`;
    const onError = (): void => {
      this.#broken = file.url;
      this.#render();
    };
    return mediaPreview({ file, words: prompt, size: "card", onError });
  }
}

class TaskCardDirective extends Directive {
  #card: TaskCard | undefined;

  override render(task: string, prompt: string, actions: RowActions): Element {
    if (this.#card?.task !== task) this.#card = new TaskCard(task, prompt, actions);
    return this.#card.element;
  }
}

/** Keeps the nodes of the card from update to update. */
const taskCard = directive(TaskCardDirective);
