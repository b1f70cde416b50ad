/** Signatures of file formats (magic numbers): bytes at fixed offsets. For the tables of pictures and of media. */

/** The file contains each of these texts at its offset; a byte is one character. */
export type Signature = readonly (readonly [offset: number, text: string])[];

/** Whether the beginning of a file matches at least one of the signatures. */
export function hasSignature(start: Uint8Array, signatures: readonly Signature[]): boolean {
  const textAt = (offset: number, length: number): string =>
    String.fromCharCode(...start.subarray(offset, offset + length));
  return signatures.some((parts) => parts.every(([offset, text]) => textAt(offset, text.length) === text));
}
