/** The text of a file's bytes, as VS Code decodes them. */

export interface DecodedText {
  readonly text: string;
  /** The bytes were not valid UTF-8: the text can be shown, but writing it back would damage the file. */
  readonly isDamaged: boolean;
}

/** UTF-8, or UTF-16 with a byte order mark. The mark is no part of the text. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
  try {
    return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes), isDamaged: false };
  } catch {
    return { text: new TextDecoder(encoding).decode(bytes), isDamaged: true };
  }
}
