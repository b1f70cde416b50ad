/** A variant's picture or video, or what is in its place. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import type { VariantView } from "../../protocol/batchPageMessages";
import { icon } from "../iconView";
import { toneIcon } from "../stateChip";

/** In the list, where the option has the words. `isSeen`: it is or was near the view. */
export function smallMedia({ file, state }: VariantView, isSeen: boolean): TemplateResult {
  switch (file?.kind) {
    case "image":
      return picture(file.thumbnail ?? file.url, "");
    case "video":
      if (file.thumbnail !== undefined) return picture(file.thumbnail, "");
      return isSeen
        ? html`<video src=${file.url} muted preload="metadata" tabindex="-1" aria-hidden="true"></video>`
        : icon(toneIcon(state.tone));
    case "other":
    case undefined:
      return icon(toneIcon(state.tone));
  }
}

export function largeMedia({ file, state, prompt, canKeep }: VariantView): TemplateResult {
  switch (file?.kind) {
    case "image":
      return picture(file.url, prompt);
    case "video":
      return html`<video
        src=${file.url}
        poster=${file.thumbnail ?? nothing}
        controls
        preload="metadata"
        aria-label=${prompt}
      ></video>`;
    case "other":
      return html`<span class="quiet-text">${t("VS Code can't show {0} here.", file.name)}</span>`;
    case undefined:
      return canKeep
        ? html`<span class="quiet-text">${t("The result is at the gateway.")}</span>`
        : icon(toneIcon(state.tone));
  }
}

function picture(url: string, words: string): TemplateResult {
  return html`<img src=${url} alt=${words} loading="lazy" decoding="async" />`;
}
