/** What became of the last press of the form's button, and what can be done about it. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { plural } from "../../../domain/words/plural";
import type { MediaFormIntent, MediaFormSnapshot } from "../../contract/mediaFormPageContract";
import { revealName } from "../../../webview/hiddenCharacters";
import { firstClick, icon } from "../../../webview/pageParts";

export function submitOutcome(
  { submitted, problem }: Pick<MediaFormSnapshot, "submitted" | "problem">,
  send: (intent: MediaFormIntent) => void,
): TemplateResult {
  return html`<div role="status">
      ${
        submitted === undefined
          ? nothing
          : html`<p>
              ${icon(submitted.isSending ? "cloud-upload" : submitted.succeeded === 0 ? "error" : "check")}
              <span>${submittedWords(submitted)}</span>
              <button type="button" class="link" @click=${() => send({ type: "submitted-open" })}>
                ${submitted.isBatch ? t("Open Batch") : t("Open Task")}
              </button>
            </p>`
      }
    </div>
    <div role="alert">
      ${
        problem === undefined
          ? nothing
          : html`<p class="field-problem">
              ${icon("error")}
              <span>${revealName(problem.text)}</span>
              ${problem.actions.map(
                (label, index) =>
                  html`<button
                    type="button"
                    class="link"
                    id="problem-action-${index}"
                    @click=${firstClick(() => send({ type: "problem-act", index }))}
                  >
                    ${label}
                  </button>`,
              )}
            </p>`
      }
    </div>`;
}

function submittedWords({ count, at, isSending, succeeded }: NonNullable<MediaFormSnapshot["submitted"]>): string {
  if (isSending)
    return plural(count, { one: "1 task is being submitted.", other: "{0} tasks are being submitted." }, count);
  if (succeeded !== undefined) return plural(count, { other: "{0} of {1} tasks succeeded." }, succeeded, count);
  return plural(count, { one: "1 task was submitted at {1}.", other: "{0} tasks were submitted at {1}." }, count, at);
}
