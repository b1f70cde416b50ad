/** The reference images of the form: small pictures that can be removed, dropped, pasted and chosen. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import type { MediaFormIntent, MediaFormSnapshot } from "../../contract/mediaFormPageContract";
import { base64Of } from "../../../webview/base64Of";
import { listenToDrops, pastedImages } from "../../../webview/dropTarget";
import { revealName } from "../../../webview/hiddenCharacters";
import { firstClick, icon } from "../../../webview/pageParts";

type SendFormIntent = (intent: MediaFormIntent) => void;

export function referenceField(
  { references, refusals }: Pick<MediaFormSnapshot, "references" | "refusals">,
  isOver: boolean,
  send: SendFormIntent,
): TemplateResult {
  const choose = (from: "files" | "results", label: string): TemplateResult =>
    html`<button type="button" class="button secondary" @click=${() => send({ type: "references-choose", from })}>
      ${label}
    </button>`;
  return html`<fieldset class="references ${isOver ? "dropping" : ""}">
    <legend>${t("Reference images")}</legend>
    ${
      references.length === 0
        ? nothing
        : html`<ul class="thumbnails">
            ${repeat(
              references,
              ({ id }) => id,
              ({ id, words, url }) => {
                const name = revealName(words);
                return html`<li title=${name}>
                  <span class="thumbnail-frame"
                    >${
                      url === undefined
                        ? icon("file-media")
                        : html`<img src=${url} alt="" loading="lazy" decoding="async" />`
                    }<button
                      type="button"
                      class="icon-button"
                      title=${t("Remove {0}", name)}
                      aria-label=${t("Remove {0}", name)}
                      @click=${firstClick(() => send({ type: "reference-remove", id }))}
                    >
                      ${icon("close")}
                    </button></span
                  >
                  <span class="thumbnail-name">${name}</span>
                </li>`;
              },
            )}
          </ul>`
    }
    <div class="buttons">
      ${choose("files", t("Choose Files…"))} ${choose("results", t("From Results…"))}
      <span class="quiet-text">${t("or paste pictures, or drop them here while you hold Shift")}</span>
    </div>
    <div role="alert">
      ${refusals.map(
        (refusal) => html`<p class="field-note field-problem">${icon("error")}<span>${revealName(refusal)}</span></p>`,
      )}
    </div>
  </fieldset>`;
}

export interface ReferenceIntakePorts {
  readonly send: SendFormIntent;
  /** Something is held over the page. */
  readonly mark: (isOver: boolean) => void;
  /** Changes how many pictures are being read. */
  readonly reading: (change: 1 | -1) => void;
  /** Bytes of one picture. */
  readonly limit: () => number;
}

/** Pictures go to the host, which judges them by their first bytes. */
export function listenToPictures({ send, mark, reading, limit }: ReferenceIntakePorts): void {
  const add = (files: readonly File[]): void => {
    const large = files.filter(({ size }) => size > limit());
    if (large.length > 0) send({ type: "pictures-refuse", names: namesOf(large), why: "too-large" });
    for (const file of files) {
      if (large.includes(file)) continue;
      reading(1);
      void base64Of(file)
        .then(
          (data) => send({ type: "picture-add", name: nameOf(file), data }),
          () => send({ type: "pictures-refuse", names: namesOf([file]), why: "no-image" }),
        )
        .finally(() => reading(-1));
    }
  };
  listenToDrops(document.body, mark, {
    images: add,
    uris: (uris) => send({ type: "references-add", uris: [...uris] }),
    refuse: (files) => send({ type: "pictures-refuse", names: namesOf(files), why: "no-image" }),
  });
  document.addEventListener("paste", (event) => {
    const images = pastedImages(event.clipboardData);
    const text = event.clipboardData?.getData("text/plain").trim() ?? "";
    const isInText = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
    if (images.length > 0) add(images);
    else if (!isInText && /^(?:https?|file):\/\/\S{1,4000}$/.test(text)) send({ type: "references-add", uris: [text] });
    else return;
    event.preventDefault();
  });
}

/** The browser gives a picture from the clipboard this name. */
function nameOf({ name }: File): string {
  return name === "image.png" ? "" : name.slice(0, 255);
}

function namesOf(files: readonly File[]): string[] {
  return files.slice(0, 100).map(({ name }) => name.slice(0, 255));
}
