/** The line under a turn about the files that its tools have changed: a link to the diff, and its undo. */
import { t } from "@vscode/l10n";
import { plural } from "../../../domain/words/plural";
import { html, nothing, type TemplateResult } from "lit-html";
import { type RowActions } from "../shared/controls";
import { revealName } from "../../../webview/hiddenCharacters";
import { icon } from "../../../webview/pageParts";
import type { TurnChanges } from "../shared/turn";

type ChangesButton = "changes-show" | "changes-undo" | "changes-redo" | "changes-keep";

/** Names in the tooltip. */
const maxNames = 20;

export function changesLine(
  answer: string,
  { files, state, undone }: TurnChanges,
  actions: RowActions,
): TemplateResult {
  const names = files.slice(0, maxNames).map(revealName).join("\n");
  const button = (label: string, type: ChangesButton): TemplateResult =>
    html`<button type="button" class="button quiet" @click=${() => actions.send({ type, answer })}>${label}</button>`;
  return html`<div class="footer changes">
    ${icon("diff")}
    <button
      type="button"
      class="button quiet"
      title=${names}
      @click=${() => actions.send({ type: "changes-show", answer })}
    >
      ${describeChanges(files.length, state, actions.locale, undone)}
    </button>
    ${state === "undone" || undone !== undefined ? button(t("Redo"), "changes-redo") : nothing}
    ${state === "undone" ? nothing : button(t("Undo"), "changes-undo")}
    ${state === "made" ? button(t("Keep"), "changes-keep") : nothing}
  </div>`;
}

function describeChanges(files: number, state: TurnChanges["state"], locale: string, undone?: number): string {
  const format = new Intl.NumberFormat(locale);
  const count = format.format(files);
  if (undone !== undefined) return plural(files, { other: "{1} of {0} files undone" }, count, format.format(undone));
  if (state === "undone")
    return plural(files, { one: "1 file changed, undone", other: "{0} files changed, undone" }, count);
  if (state === "kept") return plural(files, { one: "1 file changed, kept", other: "{0} files changed, kept" }, count);
  return plural(files, { one: "1 file changed", other: "{0} files changed" }, count);
}
