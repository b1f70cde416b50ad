/** What is known of pictures on disk, for views that are made without waiting: the first question about a file has its header read. */
import { BoundedMap } from "../../base/boundedMap";
import { lookAtPicture, type PictureFileState } from "./pictureFile";

/** Files that are remembered. A result is written once, under a name of its own. */
const kept = 1000;

export class PictureLooks {
  readonly #onLooked: () => void;
  readonly #known = new BoundedMap<string, PictureFileState | "waits">(kept);

  /** `onLooked`: a file that was asked for is known now. */
  constructor(onLooked: () => void) {
    this.#onLooked = onLooked;
  }

  of(path: string): PictureFileState | "waits" {
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    this.#known.set(path, "waits");
    void lookAtPicture(path).then((state) => {
      this.#known.set(path, state);
      this.#onLooked();
    });
    return "waits";
  }
}
