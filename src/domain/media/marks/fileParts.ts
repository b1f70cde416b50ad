/**
 * The parts of a picture's file: chunks of PNG and WebP, segments of JPEG. Nothing is decoded and nothing is copied, so a file of any
 * content costs no more than the number of its parts.
 */
import { viewOf } from "../imageSize";

export interface PictureFilePart {
  /** The four letters of a chunk, or the name of a segment that is read here: `APP0`, `APP1`, `APP11`, `APP13`; empty for any other segment. */
  readonly type: string;
  /** Offsets of the whole part in the file, with its header. */
  readonly start: number;
  readonly end: number;
  /** A view of its content in the file. */
  readonly data: Uint8Array;
}

export type MarkedType = "image/png" | "image/jpeg" | "image/webp";

/** Yields the parts up to the first that is cut; of JPEG only the segments before the picture's data. `type` is found by the file's first bytes. */
export function pictureFileParts(bytes: Uint8Array, type: MarkedType): Iterable<PictureFilePart> {
  switch (type) {
    case "image/png":
      return pngParts(bytes);
    case "image/jpeg":
      return jpegParts(bytes);
    case "image/webp":
      return webpParts(bytes);
  }
}

/** W3C Portable Network Graphics, 5.3: length, type, data, checksum. */
function* pngParts(bytes: Uint8Array): Generator<PictureFilePart> {
  const view = viewOf(bytes);
  for (let at = 8; at + 12 <= bytes.length;) {
    const from = at + 8;
    const to = from + view.getUint32(at);
    const end = to + 4;
    if (end > bytes.length) return;
    const type = latin1(bytes.subarray(at + 4, from));
    yield { type, start: at, end, data: bytes.subarray(from, to) };
    if (type === "IEND") return;
    at = end;
  }
}

const segmentNames: Readonly<Record<number, string>> = { 0xe0: "APP0", 0xe1: "APP1", 0xeb: "APP11", 0xed: "APP13" };

/** ITU T.81, annex B: a marker, and a length that counts itself. */
function* jpegParts(bytes: Uint8Array): Generator<PictureFilePart> {
  const view = viewOf(bytes);
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff;) {
    const marker = view.getUint8(at + 1);
    // Any number of 0xff bytes may come before a marker.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    // Here the data of the picture begins, or a marker has no length; no metadata follows either.
    if (marker === 0xda || marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd9)) return;
    const length = view.getUint16(at + 2);
    const end = at + 2 + length;
    if (length < 2 || end > bytes.length) return;
    yield { type: segmentNames[marker] ?? "", start: at, end, data: bytes.subarray(at + 4, end) };
    at = end;
  }
}

/** RFC 9649: a chunk of an odd length is followed by a byte that pads it. */
function* webpParts(bytes: Uint8Array): Generator<PictureFilePart> {
  const view = viewOf(bytes);
  if (bytes.length < 12) return;
  const fileEnd = Math.min(view.getUint32(4, true) + 8, bytes.length);
  for (let at = 12; at + 8 <= fileEnd;) {
    const from = at + 8;
    const length = view.getUint32(at + 4, true);
    const to = from + length;
    if (to > fileEnd) return;
    const end = Math.min(to + (length % 2), fileEnd);
    yield { type: latin1(bytes.subarray(at, from - 4)), start: at, end, data: bytes.subarray(from, to) };
    at = end;
  }
}

/** The keyword, or the address of a namespace, that XMP has in each format (ISO 16684-1 and -3). */
export const pngXmpKeyword = "XML:com.adobe.xmp";
export const jpegXmpHeader = "http://ns.adobe.com/xap/1.0/\0";

/** Whether the part holds XMP, compressed or not. */
export function isXmp({ type, data }: PictureFilePart): boolean {
  switch (type) {
    // libvips writes it compressed.
    case "tEXt":
    case "zTXt":
    case "iTXt":
      return startsWith(data, `${pngXmpKeyword}\0`);
    case "APP1":
      return startsWith(data, jpegXmpHeader);
    case "XMP ":
      return true;
    default:
      return false;
  }
}

/** Whether the part holds content credentials, or a piece of them (C2PA 2.2, A.3). */
export function isCredentials({ type, data }: PictureFilePart): boolean {
  switch (type) {
    case "caBX":
    case "C2PA":
      return true;
    case "APP11":
      // This is a box of JPEG XT whose description has that label. Only the first of several segments has the label.
      return startsWith(data, "JP") && latin1(data.subarray(0, 64)).includes("c2pa");
    default:
      return false;
  }
}

/** `text`: a byte a character. */
export function startsWith(data: Uint8Array, text: string): boolean {
  return data.length >= text.length && latin1(data.subarray(0, text.length)) === text;
}

/** Decodes short pieces only, because each byte becomes an argument of a call. */
function latin1(data: Uint8Array): string {
  return String.fromCharCode(...data);
}
