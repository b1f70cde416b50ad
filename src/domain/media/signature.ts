/** The first bytes by which a file format is known. For the tables of pictures and of media. */

/** Text at an offset of the file, each byte as one character. */
export type Signature = readonly (readonly [offset: number, text: string])[];

/** Whether the file begins as any of the signatures says. */
export function hasSignature(start: Uint8Array, signatures: readonly Signature[]): boolean {
  const textAt = (offset: number, length: number): string =>
    String.fromCharCode(...start.subarray(offset, offset + length));
  return signatures.some((parts) => parts.every(([offset, text]) => textAt(offset, text.length) === text));
}
