/** Converts the picture as it is chosen, so that size and look of the files are known before they are saved (T17). */
import type { TemplateResult } from "lit-html";
import { convertedSizes } from "../../../domain/media/convertedPicture";
import { maxPictureBytes } from "../../../domain/media/pictureBounds";
import type { ConvertPageIntent, ConvertPageSnapshot } from "../../contract/convertPageContract";
import type { PageActions } from "../../../webview/page";
import type { PictureFailure } from "../../../domain/words/taskTypeWords";
import { type ConvertChoices, readConvertChoices } from "./convertChoices";
import {
  convertPicture,
  type MadePicture,
  type MadePictures,
  type OriginalPicture,
  readOriginal,
} from "./convertPicture";
import { convertTemplate } from "./convertTemplate";

export class ConvertPage {
  readonly #actions: PageActions<ConvertPageIntent>;
  #choices: ConvertChoices;
  /** Of the picture that is read or was read. */
  #address: string | undefined;
  #original: OriginalPicture | PictureFailure | undefined;
  #made: MadePictures | undefined;
  #making: Promise<void> | undefined;
  /** Of the first of `#made`. */
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
    // As a choice, so that it is kept over a reload of the window.
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

  /** Resolves when the pictures are those of the choices. One after the other; of what is chosen meanwhile, the last is made next. */
  #make(): Promise<void> {
    this.#making ??= this.#makeAll().finally(() => (this.#making = undefined));
    return this.#making;
  }

  async #makeAll(): Promise<void> {
    while (typeof this.#original === "object" && !this.#isCurrent) {
      const [original, of] = [this.#original, this.#choices];
      const made = await makePictures(original, of);
      // Another picture is shown since.
      if (this.#original !== original) continue;
      this.#made = { of, ...made };
      const [first] = this.#made.pictures ?? [];
      if (this.#preview !== undefined) URL.revokeObjectURL(this.#preview);
      this.#preview = first && URL.createObjectURL(first.file);
      this.#actions.redraw();
    }
  }

  async #save({ path: proposed }: ConvertPageSnapshot): Promise<void> {
    const { path = proposed } = this.#choices;
    await this.#make();
    const { format } = this.#choices;
    const made = this.#made?.pictures;
    if (made === undefined || made.some(({ file }) => file.size > maxPictureBytes)) return;
    const pictures = await Promise.all(made.map(async ({ file }) => new Uint8Array(await file.arrayBuffer())));
    this.#actions.send({ type: "picture-save", format, pictures, ...(path === undefined ? {} : { path }) });
  }
}

/** The choice of a place is none of the picture. */
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
      pictures.push({ ...size, file: await convertPicture(original, size, format, quality) });
    return { pictures };
  } catch {
    return {};
  }
}
