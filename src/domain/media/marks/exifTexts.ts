/**
 * Reads the texts of EXIF data in which generators of pictures write what PNG has text chunks for: the comment of the user, and two that ComfyUI
 * uses.
 */
import { viewOf } from "../imageSize";

/** Tags of TIFF 6.0 and Exif 2.32. */
const tags = { make: 0x010f, model: 0x0110, exif: 0x8769, comment: 0x9286 } as const;
/** Entries of a directory that are looked at. */
const maxEntries = 200;

export interface ExifTexts {
  readonly make?: string;
  readonly model?: string;
  readonly comment?: string;
}

/** `exif`: begins with the TIFF header. What is damaged, or has more than `maxBytes`, is missing. */
export function exifTextsOf(exif: Uint8Array, maxBytes: number): ExifTexts {
  if (exif.length < 8) return {};
  const view = viewOf(exif);
  const isLittle = exif[0] === 0x49;
  const first = entriesAt(view, view.getUint32(4, isLittle), isLittle);
  const folder = first.get(tags.exif);
  const second = folder === undefined ? undefined : entriesAt(view, view.getUint32(folder, isLittle), isLittle);
  const bytesOf = (entry: number | undefined): Uint8Array | undefined => {
    const length = entry === undefined ? 0 : view.getUint32(entry - 4, isLittle);
    if (entry === undefined || length === 0 || length > maxBytes) return undefined;
    // A value of up to four bytes is stored in the place of its offset.
    const start = length <= 4 ? entry : view.getUint32(entry, isLittle);
    return start + length > exif.length ? undefined : exif.subarray(start, start + length);
  };
  const [make, model, comment] = [first.get(tags.make), first.get(tags.model), second?.get(tags.comment)].map(bytesOf);
  return {
    ...(make === undefined ? {} : { make: utf8(make) }),
    ...(model === undefined ? {} : { model: utf8(model) }),
    ...(comment === undefined ? {} : { comment: commentOf(comment, isLittle) }),
  };
}

/** The position of each entry's value, or of its offset, by tag. Types are ignored: text is read as text, whatever it is declared to be. */
function entriesAt(view: DataView, start: number, isLittle: boolean): ReadonlyMap<number, number> {
  const entries = new Map<number, number>();
  if (start + 2 > view.byteLength) return entries;
  const count = Math.min(view.getUint16(start, isLittle), maxEntries);
  for (let index = 0; index < count; index += 1) {
    const at = start + 2 + index * 12;
    if (at + 12 > view.byteLength) break;
    entries.set(view.getUint16(at, isLittle), at + 8);
  }
  return entries;
}

/** The first eight bytes name the encoding. */
function commentOf(bytes: Uint8Array, isLittle: boolean): string {
  const [encoding, text] = [String.fromCharCode(...bytes.subarray(0, 8)), bytes.subarray(8)];
  if (!encoding.startsWith("UNICODE")) return utf8(text);
  // Some programs write the one byte order and declare the other: the zero byte of a Latin letter shows which it is.
  const isLittleText = text[0] === 0 ? false : text[1] === 0 ? true : isLittle;
  return withoutEnd(new TextDecoder(isLittleText ? "utf-16le" : "utf-16be").decode(text));
}

function utf8(bytes: Uint8Array): string {
  return withoutEnd(new TextDecoder().decode(bytes));
}

/** A zero ends the text. */
function withoutEnd(text: string): string {
  const zero = text.indexOf("\0");
  return zero < 0 ? text : text.slice(0, zero);
}
