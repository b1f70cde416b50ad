/** The page that converts a picture (T17): it converts with each choice, so that size and look of the files are known before they are saved. */
import { type TemplateResult, html, nothing } from "lit-html";
import { t } from "@vscode/l10n";
import {
  convertedSizes,
  type ConvertedFormat,
  convertedFormats,
  type ConvertedSize,
  convertedName,
  formatNames,
  offersDouble,
  isAnimated,
} from "../../domain/media/convertedPicture";
import { maxPictureBytes } from "../../domain/media/pictureBounds";
import type { ConvertPageIntent, ConvertPageSnapshot } from "../contract/convertPageContract";
import type { PageActions } from "../../webview/page";
import type { PictureFailure } from "../../domain/words/taskTypeWords";
import type { ImageSize } from "../../domain/media/imageSize";
import { pictureTypeOf, type PictureType } from "../../domain/media/pictureTypes";
import { readPicture } from "../../webview/pictureChecks";
import { groupedNumber, pixelWords, sizeWords } from "../../domain/words/sizeWords";
import { revealName } from "../../webview/hiddenCharacters";

export class ConvertPageView {
  readonly #actions: PageActions<ConvertPageIntent>;
  #choices: ConvertChoices;
  /** The address of the picture that is read or was read. */
  #address: string | undefined;
  #original: OriginalPicture | PictureFailure | undefined;
  #made: MadePictures | undefined;
  #making: Promise<void> | undefined;
  /** The object URL of the first picture of `#made`. */
  #preview: string | undefined;

  constructor(actions: PageActions<ConvertPageIntent>) {
    this.#actions = actions;
    this.#choices = readConvertChoices(actions.kept);
  }

  get choices(): ConvertChoices {
    return this.#choices;
  }

  render(snapshot: ConvertPageSnapshot): TemplateResult {
    const { width } = snapshot;
    // The proposed width becomes a choice, so that it is kept over a reload of the window.
    if (width !== undefined && this.#choices.width === undefined) this.#change({ width });
    const address = snapshot.picture.state === "here" ? snapshot.picture.url : undefined;
    if (address !== this.#address) {
      this.#address = address;
      this.#original = undefined;
      if (address !== undefined) void this.#read(address);
    }
    return convertTemplate({
      snapshot,
      choices: this.#choices,
      original: this.#original,
      made: this.#made,
      isCurrent: this.#isCurrent,
      preview: this.#preview,
      change: (change) => this.#change(change),
      save: () => void this.#save(snapshot),
      send: this.#actions.send,
    });
  }

  get #isCurrent(): boolean {
    return this.#made !== undefined && makesSame(this.#made.of, this.#choices);
  }

  #change(change: Partial<ConvertChoices>): void {
    this.#choices = { ...this.#choices, ...change };
    this.#actions.keep();
    this.#actions.redraw();
    void this.#make();
  }

  async #read(address: string): Promise<void> {
    const original = await readOriginal(address);
    if (this.#address !== address) return;
    this.#original = original;
    this.#made = undefined;
    this.#actions.redraw();
    await this.#make();
  }

  /** Resolves when the pictures match the choices. They are made one after the other; of the choices that change meanwhile, the last is made next. */
  #make(): Promise<void> {
    this.#making ??= this.#makeAll().finally(() => (this.#making = undefined));
    return this.#making;
  }

  async #makeAll(): Promise<void> {
    while (typeof this.#original === "object" && !this.#isCurrent) {
      const [original, of] = [this.#original, this.#choices];
      const made = await makePictures(original, of);
      // Another picture is shown by now.
      if (this.#original !== original) continue;
      this.#made = { of, ...made };
      const [first] = this.#made.pictures ?? [];
      if (this.#preview !== undefined) URL.revokeObjectURL(this.#preview);
      this.#preview = first && URL.createObjectURL(first.file);
      this.#actions.redraw();
    }
  }

  async #save({ path: proposed, hasPrompt: before }: ConvertPageSnapshot): Promise<void> {
    const { path = proposed, hasPrompt = before } = this.#choices;
    await this.#make();
    const { format } = this.#choices;
    const made = this.#made?.pictures;
    if (made === undefined || made.some(({ file }) => file.size > maxPictureBytes)) return;
    const pictures = await Promise.all(made.map(async ({ file }) => new Uint8Array(await file.arrayBuffer())));
    this.#actions.send({ type: "picture-save", format, pictures, hasPrompt, ...(path === undefined ? {} : { path }) });
  }
}

/** The choices of place and marks do not change the picture, so they are not compared. */
function makesSame(one: ConvertChoices, other: ConvertChoices): boolean {
  const isSameQuality = one.quality === other.quality || one.format === "image/png";
  return one.format === other.format && isSameQuality && one.width === other.width && one.isDouble === other.isDouble;
}

async function makePictures(
  original: OriginalPicture,
  { format, quality, width = original.size.width, isDouble }: ConvertChoices,
): Promise<Pick<MadePictures, "pictures">> {
  try {
    const pictures: MadePicture[] = [];
    for (const size of convertedSizes(original.size, width, isDouble))
      pictures.push({
        ...size,
        file: isUnchanged(original, size, format)
          ? original.file
          : await convertPicture(original, size, format, quality),
      });
    return { pictures };
  } catch {
    return {};
  }
}

/** Whether the file is saved as it is, with all metadata on its origin, because converting a PNG to a PNG of the same size changes nothing. */
function isUnchanged(
  { type, size, isAnimated: moves }: OriginalPicture,
  { width }: ImageSize,
  format: ConvertedFormat,
): boolean {
  return format === "image/png" && type === format && width === size.width && !moves;
}

// VS Code keeps these choices while the tab is hidden and over a reload of the window.

interface ConvertChoices {
  readonly format: ConvertedFormat;
  /** Per cent; PNG loses nothing. */
  readonly quality: number;
  /** The width in pixels of the file for one pixel a point; missing for that of the original. */
  readonly width?: number;
  readonly isDouble: boolean;
  /** Prompt and seed are written into the files; missing for the choice that was made last. */
  readonly hasPrompt?: boolean;
  /** The path that the person wrote in place of the proposed one. */
  readonly path?: string;
}

const qualityLimits = { min: 10, max: 100, step: 5 } as const;

const firstChoices: ConvertChoices = { format: "image/webp", quality: 80, isDouble: false };

/** Reads the kept choices. One that can't be read gets its initial value. */
function readConvertChoices(kept: unknown): ConvertChoices {
  const { format, quality, width, isDouble, hasPrompt, path } = fieldsOf(fieldsOf(kept)["choices"]);
  const { min, max } = qualityLimits;
  return {
    format: convertedFormats.find((one) => one === format) ?? firstChoices.format,
    quality: typeof quality === "number" && quality >= min && quality <= max ? quality : firstChoices.quality,
    isDouble: isDouble === true,
    ...(typeof width === "number" && width >= 1 ? { width } : {}),
    ...(typeof hasPrompt === "boolean" ? { hasPrompt } : {}),
    ...(typeof path === "string" ? { path } : {}),
  };
}

function fieldsOf(value: unknown): Partial<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? value : {};
}

// Decodes and encodes pictures with the browser's own code: the extension host has no such code.

interface OriginalPicture {
  readonly file: Blob;
  readonly type: PictureType | undefined;
  /** Pixels after the rotation that EXIF declares: the browser applies it when it decodes. */
  readonly size: ImageSize;
  readonly isAnimated: boolean;
  readonly hasAlpha: boolean;
}

interface MadePicture extends ConvertedSize {
  readonly file: Blob;
}

/** The pictures with the choices that they were made with; `pictures` is missing where the format can't hold them. */
interface MadePictures {
  readonly of: ConvertChoices;
  readonly pictures?: readonly MadePicture[];
}

/** Pixels of the side of the small copy in which transparency is looked for. */
const sampleSide = 256;

async function readOriginal(address: string): Promise<OriginalPicture | PictureFailure> {
  const read = await readPicture(address);
  if (typeof read === "string") return read;
  const { file, bytes } = read;
  try {
    const whole = await createImageBitmap(file);
    const size = { width: whole.width, height: whole.height };
    const canvas = new OffscreenCanvas(Math.min(size.width, sampleSide), Math.min(size.height, sampleSide));
    const context = canvas.getContext("2d");
    context?.drawImage(whole, 0, 0, canvas.width, canvas.height);
    whole.close();
    const sample = context?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
    let hasAlpha = false;
    for (let at = 3; at < sample.length && !hasAlpha; at += 4) hasAlpha = sample[at] !== 255;
    const type = pictureTypeOf(bytes, "result");
    return { file, type, size, hasAlpha, isAnimated: isAnimated(bytes, type) };
  } catch {
    return "damaged";
  }
}

/** Rejects where the format can't hold a picture of that size. `quality`: per cent. */
async function convertPicture(
  { file }: OriginalPicture,
  { width, height }: ConvertedSize,
  format: ConvertedFormat,
  quality: number,
): Promise<Blob> {
  const scaled = await createImageBitmap(file, { resizeWidth: width, resizeHeight: height, resizeQuality: "high" });
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("There is no memory for the picture.");
  if (format === "image/jpeg") {
    context.fillStyle = "#fff";
    context.fillRect(0, 0, width, height);
  }
  context.drawImage(scaled, 0, 0, width, height);
  scaled.close();
  const made = await canvas.convertToBlob({ type: format, quality: quality / 100 });
  // A browser that can't write the format writes PNG.
  if (made.type !== format) throw new Error("The format can't hold the picture.");
  return made;
}

// The template has the picture, and next to it format, quality, size, place, and the files that would be saved.

interface ConvertContext {
  readonly snapshot: ConvertPageSnapshot;
  readonly choices: ConvertChoices;
  readonly original: OriginalPicture | PictureFailure | undefined;
  readonly made: MadePictures | undefined;
  /** `made` was made with these choices. */
  readonly isCurrent: boolean;
  /** The address of the first picture that was made. */
  readonly preview: string | undefined;
  readonly change: (change: Partial<ConvertChoices>) => void;
  readonly save: () => void;
  readonly send: (intent: ConvertPageIntent) => void;
}

function convertTemplate(context: ConvertContext): TemplateResult {
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
    ${snapshot.path === undefined ? nothing : place(context, snapshot.path)} ${marks(context, original)}
    ${results(context, original)} ${savedFiles(context)}
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
    // The template does not set a value again that it has set before, so it is set here.
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
          // It stays where the width is small enough, so that nothing below moves while a width is typed.
          size.width < 2
            ? nothing
            : html`<span class="quiet-text convert-hint"
                >${t("Needs a width of at most {0}.", groupedNumber(Math.floor(size.width / 2)))}</span
              >`
        }
      </span>
    </label>`;
}

/** The field for the path of the file without an ending, which the format gives. */
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

/** The choice of which metadata on their origin the files contain. The place is as high without it, so that nothing below moves with the width. */
function marks({ choices, snapshot, change }: ConvertContext, original: OriginalPicture): TemplateResult {
  const { format, width = original.size.width, hasPrompt = snapshot.hasPrompt } = choices;
  const { height } = original.size;
  const isKept = isUnchanged(original, { width, height }, format) && !choices.isDouble;
  const kept = t("Saved unchanged, with all that the file says of where it came from.");
  return html`<div class="convert-marks">
    <p class="quiet-text ${isKept ? "" : "unseen"}">${kept}</p>
    <label class="convert-check ${isKept ? "unseen" : ""}">
      <input
        type="checkbox"
        .checked=${hasPrompt}
        @change=${({ currentTarget }: Event) =>
          change({ hasPrompt: currentTarget instanceof HTMLInputElement && currentTarget.checked })}
      />
      <span
        >${t("Prompt and seed in the file")}
        <span class="quiet-text convert-hint"
          >${t("That a model made it, which one, and the task are always in it.")}</span
        ></span
      >
    </label>
  </div>`;
}

/** The files that would be saved, notes on how they differ from the original, and the button. */
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
  const empty = Math.max(0, (choices.isDouble ? 2 : 1) - (made?.pictures?.length ?? 0));
  return html`<dl class="convert-results" aria-busy=${!isCurrent}>
      ${made?.pictures?.map(
        ({ scale, file: { size: bytes }, ...pixels }) =>
          html`<div>
            <dt>${revealName(convertedName(name, made.of.format, scale))}</dt>
            <dd>${[pixelWords(pixels), sizeWords(bytes)].join(" · ")}</dd>
          </div>`,
      )}
      ${Array.from({ length: empty }, () => html`<div class="unseen" aria-hidden="true"><dt> </dt></div>`)}
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
