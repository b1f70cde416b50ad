/** What can be done with a task, below its result: one button, and the rest in a list that the button beside it opens. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { keyed } from "lit-html/directives/keyed.js";
import { ref } from "lit-html/directives/ref.js";
import { type PageAction, taskActionFacts } from "../../../domain/task/taskActions";
import { taskActionLabel } from "../../../domain/words/taskActionWords";
import type { TaskPageIntent, TaskView } from "../../contract/taskPageContract";
import { revealName } from "../../../webview/hiddenCharacters";
import { moreButton } from "../../../webview/moreButton";
import { moveInList } from "../../../webview/moveInList";
import type { PageActions } from "../../../webview/page";
import { firstClick } from "../../../webview/pageParts";

export class ActionMenu {
  readonly #actions: PageActions<TaskPageIntent>;
  #isOpen = false;

  constructor(actions: PageActions<TaskPageIntent>) {
    this.#actions = actions;
  }

  render(task: TaskView): TemplateResult {
    const main = task.actions.find((action) => taskActionFacts(action).page === "main");
    const others = task.actions.filter((action) => {
      const { page } = taskActionFacts(action);
      return page === "menu" || (page === "main" && action !== main);
    });
    return html`<div class="action-menu" @keydown=${this.#onKeyDown}>
      <div class="buttons">
        ${main === undefined ? nothing : keyed(main, this.#mainButton(main, task))}
        ${others.length === 0 ? nothing : moreButton(this.#isOpen, this.#toggle)}
      </div>
      ${
        this.#isOpen && others.length > 0
          ? html`<ul class="more-actions" ${ref(this.#enter)} @keydown=${moveInList}>
              ${others.map((action) => html`<li>${this.#item(action, task)}</li>`)}
            </ul>`
          : nothing
      }
    </div>`;
  }

  #mainButton(action: PageAction, task: TaskView): TemplateResult {
    return html`<button
      type="button"
      class="button ${action === "cancel" || action === "withdraw" ? "secondary" : ""}"
      title=${action === "show-saved" && task.savedAs !== undefined ? revealName(task.savedAs) : nothing}
      @click=${firstClick(() => this.#actions.send({ type: "task-action", action }))}
    >
      ${labelOf(action, task)}
    </button>`;
  }

  #item(action: PageAction, task: TaskView): TemplateResult {
    const act = ({ currentTarget }: Event): void => {
      if (currentTarget instanceof Element) focusMore(currentTarget);
      this.#toggle();
      this.#actions.send({ type: "task-action", action });
    };
    return html`<button type="button" class="button quiet" @click=${act}>${labelOf(action, task)}</button>`;
  }

  readonly #toggle = (): void => {
    this.#isOpen = !this.#isOpen;
    this.#actions.redraw();
  };

  readonly #onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || !this.#isOpen) return;
    event.preventDefault();
    if (event.target instanceof Element) focusMore(event.target);
    this.#toggle();
  };

  /** Once the list is part of the page. */
  readonly #enter = (list: Element | undefined): void =>
    queueMicrotask(() => list?.querySelector<HTMLElement>("button")?.focus());
}

/** The button that has opened the list, before the one that has the focus goes. */
function focusMore(inside: Element): void {
  inside.closest(".action-menu")?.querySelector<HTMLElement>(".more")?.focus();
}

function labelOf(action: PageAction, { saveFolder }: TaskView): string {
  if (action !== "save-into-workspace" || saveFolder === undefined) return taskActionLabel(action);
  return t("Save to {0}", revealName(saveFolder.endsWith("/") ? saveFolder : `${saveFolder}/`));
}
