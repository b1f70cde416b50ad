/** The line below a call that has started a command in the background: what it wrote last, or that it has ended. */
import { t } from "@vscode/l10n";
import { html, type TemplateResult, render } from "lit-html";
import { Directive, directive } from "lit-html/directive.js";
import type { ShownProcess } from "../../../protocol/chatPageContract";
import { revealName } from "../../shared/hiddenCharacters";
import { icon } from "../../shared/iconView";
import type { RowActions, SendToHost } from "../shared/controls";
import type { ProcessView } from "../shared/liveProcesses";

class ProcessLine implements ProcessView {
  readonly element = document.createElement("div");
  readonly process: string;
  readonly #actions: RowActions;

  constructor(process: string, actions: RowActions) {
    this.process = process;
    this.#actions = actions;
    this.element.className = "process-line";
    actions.processes.add(this);
  }

  update(process: ShownProcess | undefined): void {
    const ended = html`<span class="process-last">${t("ended")}</span>`;
    const send: SendToHost = (intent) => this.#actions.send(intent);
    render(process === undefined ? ended : processParts(process, process.lastLine, send), this.element);
  }
}

class ProcessLineDirective extends Directive {
  #line: ProcessLine | undefined;

  override render(process: string, actions: RowActions): Element {
    if (this.#line?.process !== process || !this.#line.element.isConnected)
      this.#line = new ProcessLine(process, actions);
    return this.#line.element;
  }
}

export const processLine = directive(ProcessLineDirective);

/** With the button that ends it. */
export function processParts({ id, line }: ShownProcess, text: string, send: SendToHost): TemplateResult {
  const name = revealName(line);
  return html`${icon("loading codicon-modifier-spin")}<span class="process-last" title=${name}
      >${text === "" ? t("runs, and has written nothing") : revealName(text)}</span
    ><button
      type="button"
      class="button quiet"
      aria-label=${t("End {0}", name)}
      title=${t("Ends it with all that it has started")}
      @click=${() => send({ type: "process-end", id })}
    >
      ${t("End")}
    </button>`;
}
