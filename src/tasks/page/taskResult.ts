/** The result of a task on its page: the picture or video in a frame that keeps its size, and what can be done with file and task. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { keyed } from "lit-html/directives/keyed.js";
import { ref } from "lit-html/directives/ref.js";
import { isPicturePath } from "../../domain/media/pictureTypes";
import { mediaFacts } from "../../domain/task/taskTypes";
import { describeNotShown, describeUnshown, failureWords } from "../../domain/words/taskTypeWords";
import type { ShownFile, TaskPageIntent, TaskView } from "../contract/taskPageContract";
import { revealName } from "../../webview/hiddenCharacters";
import { firstClick, icon, moreButton } from "../../webview/pageParts";
import { mediaPreview } from "./mediaPreview";
import type { PageActions } from "../../webview/page";
import { PictureChecks } from "../../webview/pictureChecks";
import { type PageAction, taskActionFacts } from "../../domain/task/taskActions";
import { taskActionLabel } from "../../domain/words/taskActionWords";
import { moveInList } from "../../webview/keys";

export class ResultTemplate {
  readonly #actions: PageActions<TaskPageIntent>;
  /** The addresses that the page could not show. */
  readonly #broken = new Set<string>();
  readonly #loaded = new Set<string>();
  readonly #checks: PictureChecks;
  readonly #menu: ActionMenu;

  constructor(actions: PageActions<TaskPageIntent>) {
    this.#actions = actions;
    this.#checks = new PictureChecks(actions.redraw);
    this.#menu = new ActionMenu(actions);
  }

  render(task: TaskView): TemplateResult {
    return html`<section class="result" aria-label=${t("Result")}>
      <div class="frame">${this.#frame(task)}</div>
      ${this.#addresses(task)} ${this.#menu.render(task)}
    </section>`;
  }

  /** The actions of a task that has no result to show. */
  renderActions(task: TaskView): TemplateResult {
    return this.#menu.render(task);
  }

  #frame(task: TaskView): TemplateResult {
    const { result } = task;
    switch (result.state) {
      case "none":
        return note(result.why);
      case "remote":
        return html`${note(t("The result is at the gateway. Its link expires."))}
        ${actionButton("get-result", this.#actions)}`;
      case "loading":
        this.#broken.clear();
        return html`<div class="frame-note" role="status">
          ${icon("loading codicon-modifier-spin")}<span>${t("Getting the result…")}</span>
        </div>`;
      case "here":
        return this.#file(result.file, task.title);
    }
  }

  #addresses({ addresses = [], result }: TaskView): TemplateResult | typeof nothing {
    if (addresses.length === 0) return nothing;
    const title = result.state === "remote" ? t("Addresses of Results") : t("Further Results of This Task");
    return html`<section class="result-addresses" aria-label=${title}>
      <p class="quiet-text">${title}</p>
      <ul>
        ${addresses.map((address, at) => html`<li>${this.#address(address, at)}</li>`)}
      </ul>
    </section>`;
  }

  #address(address: string, at: number): TemplateResult {
    const { send } = this.#actions;
    return html`<span class="result-address">${revealName(address)}</span>
      <button type="button" class="link" @click=${firstClick(() => send({ type: "address-open", at }))}>
        ${t("Open in Browser")}
      </button>
      <button type="button" class="link" @click=${firstClick(() => send({ type: "address-copy", at }))}>
        ${t("Copy Address")}
      </button>`;
  }

  #file(file: ShownFile, title: string): TemplateResult {
    if (file.kind === "other") return note(t("VS Code can't show {0} here.", file.name));
    const { preview, element } = mediaFacts(file.kind);
    const isPicture = preview === "picture";
    const isChecked = isPicture && !isPicturePath(file.url, "script");
    const outcome = isChecked ? this.#checks.check(file.url) : "fits";
    if (this.#broken.has(file.url)) {
      // The header of the file was read, so the file is there.
      const isDamaged = isChecked && outcome !== "missing";
      const words = isDamaged ? describeUnshown(failureWords("damaged")) : describeNotShown(file.kind);
      return html`${note(words)} ${isPicture ? actionButton("get-result", this.#actions) : nothing}`;
    }
    if (outcome === "too-large")
      return html`${note(describeUnshown(failureWords(outcome)))} ${actionButton("open-externally", this.#actions)}`;
    if (outcome === "waits")
      return html`<div class="stack">
        ${file.thumbnail === undefined ? nothing : html`<img src=${file.thumbnail} alt="" />`}
      </div>`;
    const isLoaded = this.#loaded.has(file.url);
    const shown = mediaPreview({
      file,
      words: title,
      size: "frame",
      isHidden: !isLoaded && (isPicture || file.thumbnail === undefined),
      onError: () => this.#mark(this.#broken, file.url),
      onLoad: () => this.#mark(this.#loaded, file.url),
    });
    if (!isPicture) {
      // A video that plays may have sound in a format that VS Code does not decode.
      const hint = t("If it plays without sound here, open it externally.");
      return html`${shown}${element === "video" ? html`<p class="quiet-text">${hint}</p>` : nothing}`;
    }
    // The picture is in front of the thumbnail, which it covers once it has loaded.
    return html`<div class="stack">
      ${file.thumbnail === undefined || isLoaded ? nothing : html`<img src=${file.thumbnail} alt="" />`} ${shown}
    </div>`;
  }

  #mark(set: Set<string>, url: string): void {
    if (set.has(url)) return;
    set.add(url);
    this.#actions.redraw();
  }
}

function note(text: string): TemplateResult {
  return html`<div class="frame-note"><span>${text}</span></div>`;
}

// A button runs an action that the host offers for the task.

export function actionButton(
  action: PageAction,
  { send }: PageActions<TaskPageIntent>,
  isPrimary: boolean | undefined = false,
): TemplateResult {
  return html`<button
    type="button"
    class="button ${isPrimary ? "" : "secondary"}"
    @click=${firstClick(() => send({ type: "task-action", action }))}
  >
    ${taskActionLabel(action)}
  </button>`;
}

// Below the result there is one button for the main action, and next to it a button that lists the others.

class ActionMenu {
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

  /** Focuses the first button once the list is part of the page. */
  readonly #enter = (list: Element | undefined): void =>
    queueMicrotask(() => list?.querySelector<HTMLElement>("button")?.focus());
}

/** Focuses the button that has opened the list, before the one with the focus is removed. */
function focusMore(inside: Element): void {
  inside.closest(".action-menu")?.querySelector<HTMLElement>(".more")?.focus();
}

function labelOf(action: PageAction, { saveFolder }: TaskView): string {
  if (action !== "save-into-workspace" || saveFolder === undefined) return taskActionLabel(action);
  return t("Save to {0}", revealName(saveFolder.endsWith("/") ? saveFolder : `${saveFolder}/`));
}
