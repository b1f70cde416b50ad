/** What asks a page that is shown to reduce an image for a tool. */

/** Has the page, which has a decoder for all types, reduce an image to that many pixels of its longer side. `data` is base64. */
export interface ScaleMessage {
  readonly type: "image-scale";
  readonly key: number;
  readonly data: string;
  readonly side: number;
}
