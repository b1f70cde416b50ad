/** A variant's picture or video, or what is in its place. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { mediaFacts } from "../../domain/task/mediaKinds";
import type { VariantView } from "../../protocol/batchPageContract";
import { icon } from "../shared/iconView";
import { toneIcon } from "../shared/stateChip";

/** In the list, where the option has the words. `isSeen`: it is or was near the view. */
export function smallMedia({ file, state }: VariantView, isSeen: boolean): TemplateResult {
  if (file === undefined || file.kind === "other") return icon(toneIcon(state.tone));
  if (file.thumbnail !== undefined) return picture(file.thumbnail, "");
  if (mediaFacts(file.kind).preview === "picture") return picture(file.url, "");
  return isSeen
    ? html`<video src=${file.url} muted preload="metadata" tabindex="-1" aria-hidden="true"></video>`
    : icon(toneIcon(state.tone));
}

export function largeMedia({ file, state, prompt, canKeep }: VariantView): TemplateResult {
  if (file === undefined)
    return canKeep
      ? html`<span class="quiet-text">${t("The result is at the gateway.")}</span>`
      : icon(toneIcon(state.tone));
  if (file.kind === "other")
    return html`<span class="quiet-text">${t("VS Code can't show {0} here.", file.name)}</span>`;
  if (mediaFacts(file.kind).preview === "picture") return picture(file.url, prompt);
  return html`<video
    src=${file.url}
    poster=${file.thumbnail ?? nothing}
    controls
    preload="metadata"
    aria-label=${prompt}
  ></video>`;
}

function picture(url: string, words: string): TemplateResult {
  return html`<img src=${url} alt=${words} loading="lazy" decoding="async" />`;
}
