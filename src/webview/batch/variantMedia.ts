/** A variant's file, or what is in its place. */
import { t } from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";
import type { VariantView } from "../../protocol/batchPageContract";
import { icon } from "../shared/iconView";
import { mediaPreview, smallPreview } from "../shared/mediaPreview";
import { toneIcon } from "../shared/stateChip";

/** In the list, where the option has the words. `isSeen`: it is or was near the view. */
export function smallMedia({ file, state }: VariantView, isSeen: boolean): TemplateResult {
  const shown = file === undefined || file.kind === "other" ? undefined : smallPreview(file, isSeen);
  return shown ?? icon(toneIcon(state.tone));
}

export function largeMedia({ file, state, prompt, canKeep }: VariantView): TemplateResult {
  if (file === undefined)
    return canKeep
      ? html`<span class="quiet-text">${t("The result is at the gateway.")}</span>`
      : icon(toneIcon(state.tone));
  if (file.kind === "other")
    return html`<span class="quiet-text">${t("VS Code can't show {0} here.", file.name)}</span>`;
  return mediaPreview({ file, words: prompt, size: "frame" });
}
