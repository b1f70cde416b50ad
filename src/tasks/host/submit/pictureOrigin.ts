/** Reads the prompt and seed that a picture from elsewhere carries, for the form, where the person may take them over. */
import { readMarks } from "../../../domain/media/marks/readMarks";
import { inflate } from "../../../node/inflate";

export interface PictureOrigin {
  /** The name of the picture. */
  readonly name: string;
  /** Foreign text: it is shown, and put into a field, as it is. */
  readonly prompt: string;
  readonly seed?: number;
}

/** `undefined` for a file that carries no prompt. */
export function originIn(name: string, bytes: Uint8Array): PictureOrigin | undefined {
  const { prompt, seed } = readMarks(bytes, inflate);
  return prompt === undefined ? undefined : { name, prompt, ...(seed === undefined ? {} : { seed }) };
}

/** The origin of a reference image, as it is sent. An image that is an address has no bytes here. */
export function originOf({ name, url }: { readonly name: string; readonly url: string }): PictureOrigin | undefined {
  const data = /^data:image\/[\w.+-]+;base64,/.exec(url.slice(0, 100));
  return data === null ? undefined : originIn(name, Buffer.from(url.slice(data[0].length), "base64"));
}
