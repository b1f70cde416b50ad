/** The commands of the chat that run in the background, above the composer: each with its last line and what ends it. */
import { html, nothing, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import { plural } from "../../domain/words/plural";
import type { ShownProcess } from "../../protocol/chatPageContract";
import { revealName } from "../shared/hiddenCharacters";
import { icon } from "../shared/iconView";
import { processParts } from "./rows/processLine";
import type { SendToHost } from "./shared/controls";

export function processList(
  processes: readonly ShownProcess[] = [],
  send: SendToHost,
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
            <span class="process-name" title=${revealName(process.line)}>${revealName(process.line)}</span>
            <div class="process-line">${processParts(process, process.lastLine, send)}</div>
          </li>`,
      )}
    </ul>
  </details>`;
}
