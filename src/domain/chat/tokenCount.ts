/** Tokens by the length of a text, where no service has counted them. Pure. */

/** Bytes of text and code in most tokenizers; a Chinese character has three. */
export const bytesPerToken = 4;
/** What services count for a picture of common size. */
export const tokensPerImage = 1200;
/** Where the size of a model's context is not known. */
export const unknownContextSize = 100_000;

export function tokensOfBytes(bytes: number): number {
  return Math.round(bytes / bytesPerToken);
}

export function tokensOfText(text: string): number {
  return tokensOfBytes(Buffer.byteLength(text));
}
