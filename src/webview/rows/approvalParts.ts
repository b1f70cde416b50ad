/** Parts of an approval's card: the lines of what is approved, its diffs in the editor, and why no rule covers it. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { revealName } from "../hiddenCharacters";
import { iconButton } from "../controls";
import { icon } from "../iconView";
import { linesByFile } from "./approvalGroup";
import type { ChangeLine } from "./changeLines";
import { changeLineView } from "./changeView";

/** Opens the change of that call, or the only one, in the editor's own diff. */
type OpenDiff = (call?: string) => void;

/** The changes of several calls are below their titles. */
export function linesView(lines: readonly ChangeLine[], openDiff: OpenDiff): unknown {
  if (lines[0]?.kind !== "file") return lines.map(changeLineView);
  return linesByFile(lines).map(
    ([head, ...changed]) =>
      html`<div class="diff-file">
          <h3>${revealName(head?.text ?? "")}</h3>
          ${iconButton("diff", t("Open Diff"), () => openDiff(head?.call))}
        </div>
        <div class="diff-part">${changed.map(changeLineView)}</div>`,
  );
}

export function openDiffButton(open: OpenDiff): TemplateResult {
  return html`<button type="button" class="button quiet" @click=${() => open()}>
    ${icon("diff")}${t("Open Diff")}
  </button>`;
}

export function afterReading(after: string | undefined): unknown {
  if (after === undefined) return nothing;
  const why = t("Your rules are not applied after reading {0}, until your next message.", revealName(after));
  return html`<div class="approval-after">${icon("shield")}<span>${why}</span></div>`;
}

/** Enter on the card itself: one key after the one that goes to it. On a control inside it is the control's. */
export function isPress({ key, target, currentTarget, repeat, isComposing }: KeyboardEvent): boolean {
  return key === "Enter" && target === currentTarget && !repeat && !isComposing;
}
