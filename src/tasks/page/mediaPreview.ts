/** Draws a file for the page of a task and the chat: a picture, or a player where the table of media has one for its kind. */
import { html, nothing, type TemplateResult } from "lit-html";
import { mediaFacts } from "../../domain/task/taskTypes";
import type { ShownFile } from "../contract/taskPageContract";

type PreviewedFile = Exclude<ShownFile, { kind: "other" }>;

interface Preview {
  readonly file: PreviewedFile;
  /** The description of the file for screen readers. */
  readonly words: string;
  /** `card`: in the transcript, where a file with a thumbnail is not loaded before it is played; `frame`: as large as its container. */
  readonly size: "card" | "frame";
  /** Takes up its space without being visible. */
  readonly isHidden?: boolean;
  readonly onError?: () => void;
  readonly onLoad?: () => void;
}

export function mediaPreview({ file, words, size, isHidden = false, onError, onLoad }: Preview): TemplateResult {
  const { kind, url, thumbnail } = file;
  const classes = [size === "card" ? "media" : "", isHidden ? "waiting-media" : ""].join(" ").trim();
  const preload = size === "card" && thumbnail !== undefined ? "none" : "metadata";
  const { element } = mediaFacts(kind);
  // Nothing is drawn for a kind without an element: the extension host sends the name of such a file in place of its URL.
  if (element === undefined) return html``;
  switch (element) {
    case "img":
      return html`<img class=${classes} src=${url} alt=${words} decoding="async" @error=${onError} @load=${onLoad} />`;
    case "video":
      return html`<video
        class=${classes}
        src=${url}
        controls
        poster=${thumbnail ?? nothing}
        preload=${preload}
        aria-label=${words}
        @error=${onError}
        @loadedmetadata=${onLoad}
      ></video>`;
    case "audio":
      return html`<audio
        class=${classes}
        src=${url}
        controls
        preload=${preload}
        aria-label=${words}
        @error=${onError}
        @loadedmetadata=${onLoad}
      ></audio>`;
  }
}
