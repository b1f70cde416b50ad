/** Estimates tokens by the length of a text, where no service has counted them. Pure. */

/** Bytes of text and code per token in most tokenizers; a Chinese character has three bytes. */
export const bytesPerToken = 4;
/** The tokens that services count for a picture of common size. */
export const tokensPerImage = 1200;
/** A smaller size is taken for a mistake of the gateway: each request would be preceded by a summary, which is paid. */
export const leastContextSize = 1000;
/** The size that is assumed for a model whose context size is not known. */
export const unknownContextSize = 100_000;
const largerSizes = [200_000, 1_000_000, 2_000_000, 10_000_000];

/** The size that is assumed where none is known: the first usual one that holds what the chat takes already. */
export function assumedContextSize(used: number): number {
  return [unknownContextSize, ...largerSizes].find((size) => used < size) ?? used * 2;
}

export function tokensOfBytes(bytes: number): number {
  return Math.round(bytes / bytesPerToken);
}

export function tokensOfText(text: string): number {
  return tokensOfBytes(Buffer.byteLength(text));
}
