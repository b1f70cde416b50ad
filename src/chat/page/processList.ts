/** The commands of the window's chats that run in the background, above the composer: each with its last line and what ends it. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import { plural } from "../../domain/words/plural";
import type { ShownProcess } from "../contract/chatPageContract";
import { revealName } from "../../webview/hiddenCharacters";
import { icon } from "../../webview/pageParts";
import { processParts } from "./rows/processLine";
import type { RowActions, SendToHost } from "./shared/controls";

/** Of one that another chat of the window has started. */
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
        // With its button: the focus is not on that of another one when it ends.
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
