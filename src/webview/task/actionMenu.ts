/** What can be done with a task, below its result: one button, and the rest in a list that the button beside it opens. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { type PageAction, taskActionFacts } from "../../domain/task/taskActions";
import { taskActionLabel } from "../../domain/words/taskActionWords";
import type { TaskPageIntent, TaskView } from "../../protocol/taskPageContract";
import { revealName } from "../shared/hiddenCharacters";
import { moreButton } from "../shared/moreButton";
import type { PageActions } from "../shared/page";

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
    return html`<div @keydown=${this.#onKeyDown}>
      <div class="buttons">
        ${main === undefined ? nothing : this.#mainButton(main, task)}
        ${others.length === 0 ? nothing : moreButton(this.#isOpen, this.#toggle)}
      </div>
      ${
        this.#isOpen && others.length > 0
          ? html`<ul class="more-actions">
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
      @click=${() => this.#actions.send({ type: "task-action", action })}
    >
      ${labelOf(action, task)}
    </button>`;
  }

  #item(action: PageAction, task: TaskView): TemplateResult {
    const act = (): void => {
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
    if (event.currentTarget instanceof Element) event.currentTarget.querySelector<HTMLElement>(".more")?.focus();
    this.#toggle();
  };
}

function labelOf(action: PageAction, { saveFolder }: TaskView): string {
  if (action !== "save-into-workspace" || saveFolder === undefined) return taskActionLabel(action);
  return t("Save to {0}", revealName(saveFolder.endsWith("/") ? saveFolder : `${saveFolder}/`));
}
