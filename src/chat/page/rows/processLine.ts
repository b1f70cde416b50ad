/** The line below a call that has started a command in the background: the last line of its output, or that it has ended. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult, render } from "lit-html";
import { Directive, directive } from "lit-html/directive.js";
import { repeat } from "lit-html/directives/repeat.js";
import type { ShownProcess } from "../../contract/chatPageContract";
import { joinWords } from "../../../domain/words/joinWords";
import { revealName } from "../../../webview/hiddenCharacters";
import { icon } from "../../../webview/pageParts";
import type { RowActions, SendToHost } from "../shared/controls";
import type { ProcessView } from "../shared/liveParts";
import { plural } from "../../../domain/words/plural";

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
    render(process === undefined ? ended : processParts(process, this.#actions), this.element);
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

/** The last line of output of the command, the button for its address, and the button that ends it. */
function processParts(process: ShownProcess, actions: Pick<RowActions, "send">): TemplateResult {
  const { id, line, lastLine, made = [] } = process;
  const name = revealName(line);
  return html`${icon("loading codicon-modifier-spin")}<span class="process-last" title=${name}
      >${lastLine === "" ? t("runs, and has written nothing") : revealName(lastLine)}</span
    >${addressButton(process, actions)}<button
      type="button"
      class="button quiet"
      aria-label=${t("End {0}", name)}
      title=${t("Ends it with all that it has started")}
      @click=${() => actions.send({ type: "process-end", id })}
    >
      ${t("End")}
    </button>
    ${
      made.length === 0
        ? nothing
        : html`<span class="process-made"
            >${icon("warning")}${t(
              "While it runs, new files appeared that git, your editor or an agent runs or obeys: {0}. Look at them, and delete what you did not want.",
              revealName(joinWords(made)),
            )}</span
          >`
    }`;
}

/** Opens the address that the command serves. A command in the sandbox is restarted with the network first, after a question. */
function addressButton(
  { id, port, heldPort, otherChat }: ShownProcess,
  { send }: Pick<RowActions, "send">,
): TemplateResult | typeof nothing {
  if (port !== undefined) {
    const open = (): void => send({ type: "link-open", url: `http://127.0.0.1:${port}/` });
    const title = t("Open 127.0.0.1:{0} in the browser", port);
    return html`<button type="button" class="button quiet" title=${title} @click=${open}>
      ${t("Open :{0}", port)}
    </button>`;
  }
  if (heldPort === undefined || otherChat !== undefined) return nothing;
  const title = t("It serves port {0} in the sandbox, where no browser reaches it. You are asked before.", heldPort);
  return html`<button
    type="button"
    class="button quiet"
    title=${title}
    @click=${() => send({ type: "process-restart", id })}
  >
    ${t("Restart with Network…")}
  </button>`;
}

/** Opens the chat of a command that another chat of this window has started. */
function openButton(id: string, send: SendToHost): TemplateResult {
  const open = (): void => send({ type: "chat-open", id });
  return html`<button type="button" class="button quiet" @click=${open}>${t("Go to Chat")}</button>`;
}

export function processList(
  processes: readonly ShownProcess[] = [],
  actions: Pick<RowActions, "send" | "suggest">,
): TemplateResult | typeof nothing {
  if (processes.length === 0) return nothing;
  const count = plural(
    processes.length,
    { one: "1 running in the background", other: "{0} running in the background" },
    processes.length,
  );
  return html`<details class="processes">
    <summary>${icon("terminal")}<span>${count}</span>${icon("chevron-right")}</summary>
    <ul>
      ${repeat(
        processes,
        // The rows have keys, so that the focus does not move to the button of another process when one ends.
        ({ id }) => id,
        (process) =>
          html`<li>
            <div class="process-head">
              <span class="process-name" title=${revealName(process.line)}>${revealName(process.line)}</span>
              ${process.otherChat === undefined ? nothing : openButton(process.otherChat, actions.send)}
            </div>
            <div class="process-line">${processParts(process, actions)}</div>
          </li>`,
      )}
    </ul>
  </details>`;
}
