/** The line above the composer while changes of a model are to be kept or undone: the number of files, and buttons that decide about all of them. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { plural } from "../../domain/words/plural";
import { firstClick, icon } from "../../webview/pageParts";
import type { ReviewAct } from "../contract/chatPageContract";
import type { SendToHost } from "./shared/controls";

export function reviewLine(files: number | undefined, send: SendToHost): TemplateResult | typeof nothing {
  if (files === undefined) return nothing;
  const count = plural(files, { one: "1 file changed", other: "{0} files changed" }, files);
  const button = (act: ReviewAct, label: string, title: string): TemplateResult =>
    html`<button
      type="button"
      class="button quiet"
      title=${title}
      @click=${firstClick(() => send({ type: "review-act", act }))}
    >
      ${label}
    </button>`;
  return html`<section class="review-line" aria-label=${t("Changes by Sluice")}>
    ${icon("diff")}<span class="review-count">${count}</span
    >${button("list", t("Review"), t("Lists the files with their changes"))}${button("keep", t("Keep All"), t("Keeps all changes by Sluice"))}${button("undo", t("Undo All…"), t("Undoes all changes by Sluice, after a question"))}
  </section>`;
}
