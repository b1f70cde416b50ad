/** What a task came from and led to: its neighbours in a row, with their pictures. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { keyed } from "lit-html/directives/keyed.js";
import type { LineageNode, TaskPageIntent, TaskView } from "../../contract/taskPageContract";
import { revealName } from "../../../webview/hiddenCharacters";
import { icon } from "../../../webview/pageParts";
import type { PageActions } from "../../../webview/page";

type LineageActions = Pick<PageActions<TaskPageIntent>, "send">;

export function lineage(
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

/** Without one that can't be shown the frame is empty. */
function pictureView(url: string): TemplateResult {
  const remove = (event: Event): void => void ((event.currentTarget as HTMLElement).hidden = true);
  return html`<img src=${url} alt="" loading="lazy" decoding="async" @error=${remove} />`;
}
