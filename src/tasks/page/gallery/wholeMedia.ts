/** The whole file of a result, or why it is not shown. */
import { html, nothing, type TemplateResult } from "lit-html";
import { isPicturePath } from "../../../domain/media/pictureTypes";
import { mediaFacts } from "../../../domain/task/taskTypes";
import { cutLabel } from "../../../domain/words/label";
import { failureWords, type PictureFailure } from "../../../domain/words/taskTypeWords";
import { taskActionLabel } from "../../../domain/words/taskActionWords";
import type { GalleryRow } from "../../contract/galleryPageContract";
import { revealName } from "../../../webview/hiddenCharacters";
import { unshown } from "./resultCell";

export interface WholeMediaContext {
  /** Whether the file at that address may be given to an element. */
  readonly outcome: (address: string) => "waits" | "fits" | PictureFailure;
  readonly onError: () => void;
  /** Of a video: its time has changed. */
  readonly onTime: (() => void) | undefined;
  readonly openFile: () => void;
}

export function wholeMedia(row: GalleryRow, address: string, context: WholeMediaContext): TemplateResult {
  if (isPicturePath(address, "script")) return unshownWhole("SVG", context);
  const outcome = context.outcome(address);
  if (outcome === "waits") return html`<span class="cell-waits"></span>`;
  if (outcome !== "fits") return unshownWhole(failureWords(outcome), context);
  const { onError, onTime = nothing } = context;
  const words = revealName(cutLabel(row.prompt));
  switch (elementOf(row)) {
    case "video":
      return html`<video
        src=${address}
        .muted=${true}
        loop
        playsinline
        preload="auto"
        aria-label=${words}
        @timeupdate=${onTime}
        @error=${onError}
      ></video>`;
    case "audio":
      return html`<audio src=${address} controls preload="metadata" aria-label=${words} @error=${onError}></audio>`;
    case "img":
    case undefined:
      return html`<img src=${address} alt=${words} decoding="async" draggable="false" @error=${onError} />`;
  }
}

export function elementOf({ kind }: GalleryRow): "img" | "video" | "audio" | undefined {
  return kind === "other" ? undefined : mediaFacts(kind).element;
}

function unshownWhole(why: string, { openFile }: WholeMediaContext): TemplateResult {
  return html`<div class="pane-unshown">
    ${unshown(why)}
    <button type="button" class="button secondary" @click=${openFile}>${taskActionLabel("open-result")}</button>
  </div>`;
}
