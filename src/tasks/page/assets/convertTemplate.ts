/** The page beside its picture: format, quality, size, place, and what would be saved. */
import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { convertedFormats, convertedName, formatNames, offersDouble } from "../../../domain/media/convertedPicture";
import { maxPictureBytes } from "../../../domain/media/pictureBounds";
import { groupedNumber, pixelWords, sizeWords } from "../../../domain/words/sizeWords";
import type { ConvertPageIntent, ConvertPageSnapshot } from "../../contract/convertPageContract";
import { revealName } from "../../../webview/hiddenCharacters";
import type { PictureFailure } from "../../../domain/words/taskTypeWords";
import { type ConvertChoices, qualityLimits } from "./convertChoices";
import type { MadePictures, OriginalPicture } from "./convertPicture";

export interface ConvertContext {
  readonly snapshot: ConvertPageSnapshot;
  readonly choices: ConvertChoices;
  readonly original: OriginalPicture | PictureFailure | undefined;
  readonly made: MadePictures | undefined;
  /** `made` is of these choices. */
  readonly isCurrent: boolean;
  /** The address of the first picture that was made. */
  readonly preview: string | undefined;
  readonly change: (change: Partial<ConvertChoices>) => void;
  readonly save: () => void;
  readonly send: (intent: ConvertPageIntent) => void;
}

export function convertTemplate(context: ConvertContext): TemplateResult {
  const { snapshot, original, preview, send } = context;
  return html`<div class="page convert-page">
    <header>
      <h1>${t("Convert and Save")}</h1>
      <p class="quiet-text">${revealName(snapshot.title)}</p>
    </header>
    ${
      typeof original === "object"
        ? html`<div class="convert-columns">
            <div class="convert-frame">
              ${preview === undefined ? nothing : html`<img src=${preview} alt=${t("The picture as it would be saved")} />`}
            </div>
            ${form(context, original)}
          </div>`
        : html`<p class="missing" role="status">${whyNot(snapshot, original)}</p>
            ${
              snapshot.picture.state === "none" || original === "missing" || original === "damaged"
                ? html`<button type="button" class="button" @click=${() => send({ type: "result-get" })}>
                    ${t("Get Result")}
                  </button>`
                : nothing
            }`
    }
  </div>`;
}

function whyNot({ picture }: ConvertPageSnapshot, failure: PictureFailure | undefined): string {
  switch (picture.state === "none" ? "missing" : failure) {
    case undefined:
      return t("Reading the picture…");
    case "missing":
      return t("The file of the result is missing.");
    case "damaged":
      return t("This picture can't be decoded here.");
    case "too-large":
      return t("This picture is too large to be converted here: more than 64 MB or 100 megapixels.");
  }
}

function form(context: ConvertContext, original: OriginalPicture): TemplateResult {
  const { choices, snapshot, save } = context;
  const submitted = (event: Event): void => {
    event.preventDefault();
    if (!snapshot.isSaving) save();
  };
  return html`<form class="convert-form fields" @submit=${submitted}>
    ${formats(context)} ${choices.format === "image/png" ? nothing : quality(context)} ${sizes(context, original)}
    ${snapshot.path === undefined ? nothing : place(context, snapshot.path)} ${results(context, original)}
    ${savedFiles(context)}
  </form>`;
}

function formats({ choices, change }: ConvertContext): TemplateResult {
  return html`<fieldset>
    <legend>${t("Format")}</legend>
    ${convertedFormats.map(
      (format) =>
        html`<label
          ><input
            type="radio"
            name="format"
            .checked=${choices.format === format}
            @change=${() => change({ format })}
          />${formatNames[format]}</label
        >`,
    )}
  </fieldset>`;
}

function quality({ choices, change }: ConvertContext): TemplateResult {
  const { min, max, step } = qualityLimits;
  return html`<label class="convert-field">
    <span>${t("Quality")}</span>
    <span class="convert-line">
      <input
        type="range"
        min=${min}
        max=${max}
        step=${step}
        .value=${String(choices.quality)}
        @input=${(event: Event) => change({ quality: numberOf(event) })}
      /><output>${choices.quality}</output>
    </span>
  </label>`;
}

function sizes({ choices, change }: ConvertContext, { size }: OriginalPicture): TemplateResult {
  const { width = size.width, isDouble } = choices;
  const canDouble = offersDouble(size, width);
  const typed = (event: Event): void => {
    const pixels = Math.round(numberOf(event));
    if (pixels >= 1 && pixels <= size.width) change({ width: pixels });
  };
  const left = (event: Event): void => {
    const pixels = Math.round(numberOf(event));
    if (!(pixels >= 1)) return;
    const next = Math.min(pixels, size.width);
    // The template leaves a value as it is that it has set before.
    if (event.currentTarget instanceof HTMLInputElement) event.currentTarget.value = String(next);
    change({ width: next });
  };
  return html`<label class="convert-field">
      <span>${t("Width")}</span>
      <span class="convert-line">
        <input
          type="number"
          min="1"
          max=${size.width}
          required
          .value=${String(width)}
          @input=${typed}
          @change=${left}
        /><span class="quiet-text">${t("of {0} pixels", groupedNumber(size.width))}</span>
      </span>
    </label>
    <label class="convert-check">
      <input
        type="checkbox"
        .checked=${isDouble && canDouble}
        ?disabled=${!canDouble}
        @change=${({ currentTarget }: Event) =>
          change({ isDouble: currentTarget instanceof HTMLInputElement && currentTarget.checked })}
      />
      <span
        >${t("Also at 2×, for sharp displays")}
        ${
          canDouble || size.width < 2
            ? nothing
            : html`<span class="quiet-text convert-hint"
                >${t("Needs a width of at most {0}.", groupedNumber(Math.floor(size.width / 2)))}</span
              >`
        }
      </span>
    </label>`;
}

/** Without an ending, which the format gives. */
function place({ choices, change }: ConvertContext, proposed: string): TemplateResult {
  return html`<label class="convert-field">
    <span>${t("File in the workspace")}</span>
    <input
      type="text"
      maxlength="1000"
      required
      spellcheck="false"
      .value=${choices.path ?? proposed}
      @input=${({ currentTarget }: Event) => {
        if (currentTarget instanceof HTMLInputElement) change({ path: currentTarget.value });
      }}
    />
  </label>`;
}

/** What would be saved, in what it differs from the original, and the button. */
function results(context: ConvertContext, { file, size, isAnimated, hasAlpha }: OriginalPicture): TemplateResult {
  const { choices, made, isCurrent, snapshot } = context;
  const { format, path = snapshot.path ?? "" } = choices;
  const name = path.split(/[/\\]/).at(-1) ?? "";
  const isEmpty = snapshot.path !== undefined && name === "";
  const cantHold = isCurrent && made?.pictures === undefined;
  const isLarge = made?.pictures?.some(({ file: { size: bytes } }) => bytes > maxPictureBytes) === true;
  const notes = [
    ...(isAnimated ? [t("The picture moves: only its first frame is kept.")] : []),
    ...(hasAlpha && format === "image/jpeg" ? [t("JPEG has no transparency: what is transparent becomes white.")] : []),
    ...(cantHold ? [t("This format can't hold a picture of this size.")] : []),
    ...(isLarge ? [t("A file of more than 64 MB can't be saved here: choose another format or a smaller width.")] : []),
  ];
  return html`<dl class="convert-results" aria-busy=${!isCurrent}>
      ${made?.pictures?.map(
        ({ scale, file: { size: bytes }, ...pixels }) =>
          html`<div>
            <dt>${revealName(convertedName(name, made.of.format, scale))}</dt>
            <dd>${[pixelWords(pixels), sizeWords(bytes)].join(" · ")}</dd>
          </div>`,
      )}
      <div>
        <dt class="quiet-text">${t("Original")}</dt>
        <dd class="quiet-text">${[pixelWords(size), sizeWords(file.size)].join(" · ")}</dd>
      </div>
    </dl>
    ${notes.map((note) => html`<p class="convert-note">${note}</p>`)}
    <div class="buttons">
      <button
        type="submit"
        class="button"
        aria-disabled=${snapshot.isSaving}
        ?disabled=${isEmpty || cantHold || isLarge}
      >
        ${t("Save")}
      </button>
    </div>`;
}

function savedFiles({ snapshot: { saved }, send }: ConvertContext): TemplateResult | typeof nothing {
  if (saved === undefined) return nothing;
  return html`<div class="convert-saved">
    <p>${savedWords(saved.files)}</p>
    <div class="buttons">
      <button type="button" class="button secondary" @click=${() => send({ type: "markup-copy" })}>
        ${t("Copy Markup")}
      </button>
      <button type="button" class="button secondary" @click=${() => send({ type: "saved-show" })}>${t("Show")}</button>
    </div>
  </div>`;
}

export function savedWords(files: string): string {
  return t("Saved as {0}", revealName(files));
}

function numberOf({ currentTarget }: Event): number {
  return currentTarget instanceof HTMLInputElement ? currentTarget.valueAsNumber : NaN;
}
