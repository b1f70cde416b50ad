/** Images that tools return: within the bounds that all families take, scaled where they are larger. */
import type { ImageType } from "../chat/imageTypes";

/** Within the bounds of `chat/imageTypes`; `width` and `height` in pixels. */
export interface ShownImage {
  /** Where it comes from, as shown to the person: a path, or the name of a tool. */
  readonly name: string;
  readonly mimeType: ImageType;
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/**
 * The image with its longer side reduced to so many pixels, in a type that `chat/imageTypes` names. `undefined` where it can't be decoded,
 * or nothing here can scale it now. Rejects with an abort only.
 */
export type ScaleImage = (bytes: Uint8Array, side: number, signal: AbortSignal) => Promise<Uint8Array | undefined>;

/** Has the page, which has a decoder for all types, reduce an image to that many pixels of its longer side. `data` is base64. */
export interface ScaleMessage {
  readonly type: "image-scale";
  readonly key: number;
  readonly data: string;
  readonly side: number;
}
