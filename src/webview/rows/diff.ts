/** A proposed change, line by line: told by its mark and number, and by colour. */
import { t } from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";
import type { DiffHunk, DiffPreview } from "../../domain/transcript";
import { revealHidden } from "../markdown/characters";

export function diffView(preview: DiffPreview): TemplateResult {
  return html`<div class="diff" tabindex="0" role="region" aria-label=${t("Proposed change to {0}", preview.path)}>
    <div class="diff-lines">${preview.hunks.map(hunkView)}</div>
  </div>`;
}

function hunkView(hunk: DiffHunk, index: number): TemplateResult {
  let before = hunk.oldStart;
  let after = hunk.newStart;
  return html`${index > 0 ? html`<div class="diff-gap" aria-hidden="true">⋯</div>` : ""}${hunk.lines.map((line) => {
    const mark = line.charAt(0);
    const kind = mark === "+" ? "added" : mark === "-" ? "removed" : "same";
    const number = kind === "removed" ? before : after;
    if (kind !== "added") before += 1;
    if (kind !== "removed") after += 1;
    return html`<div class="diff-line ${kind}">
      <span class="diff-number" aria-hidden="true">${number}</span><span class="diff-mark">${mark}</span
      ><span class="diff-text">${revealHidden(line.slice(1))}</span>
    </div>`;
  })}`;
}
