/** Decides which pictures may be attached to a prompt: their types, by the first bytes, and how large they may be. */
import { pictureTypeOf, pictureTypesFor } from "../media/pictureTypes";

/** The types that all three families send, or leave out with a note. */
export const imageTypes = pictureTypesFor("prompt");
export type ImageType = (typeof imageTypes)[number];

/** Bytes of one image: as base64 they are 5 MB, the smallest limit of a service. */
export const imageSizeCap = 3.75 * 1024 * 1024;
/** Pixels of the longer side: with many images in a request, services refuse larger ones. */
export const imageSideCap = 2000;
/** Pixels of the longer side to which a larger image is scaled: services reduce larger ones to about this size. */
export const scaledSide = 1568;
/** Pixels of an image that is scaled: a few bytes can declare any size, and decoding takes four bytes of memory for each pixel. */
export const imagePixelCap = 50_000_000;
/** Bytes of an image that is scaled. */
export const scalableSizeCap = 20 * 1024 * 1024;
/** Images in one request: services refuse more than about a hundred. */
export const imageCountCap = 50;
/** Characters of base64 in one request, which also has the images of earlier prompts: services refuse a request of 20 MB. */
export const imageTotalCap = 15 * 1024 * 1024;

/** `undefined` for anything else, whatever its name says. */
export function imageTypeOf(bytes: Uint8Array): ImageType | undefined {
  return pictureTypeOf(bytes, "prompt");
}
