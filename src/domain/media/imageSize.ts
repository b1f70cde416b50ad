/**
 * Reads the size and the EXIF rotation of a picture from its header, and whether the file is complete. Nothing is decoded, so a file of any content
 * costs little.
 */

export interface ImageSize {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

export type SizedType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

interface Format {
  /** `undefined` where the header is cut or names no size. */
  readonly sizeOf: (view: DataView) => ImageSize | undefined;
  /** False for a file that was cut: services refuse a request for it, and with it the whole chat. */
  readonly isWhole: (view: DataView) => boolean;
}

const formats: Readonly<Record<SizedType, Format>> = {
  "image/png": { sizeOf: pngSize, isWhole: isWholePng },
  "image/jpeg": { sizeOf: jpegSize, isWhole: isWholeJpeg },
  "image/gif": { sizeOf: gifSize, isWhole: isWholeGif },
  "image/webp": { sizeOf: webpSize, isWhole: (view) => view.getUint32(4, true) + 8 <= view.byteLength },
};

/** `undefined` for a file that is damaged: without a size, or cut. `type` is found by the first bytes, not by the name. */
export function imageSizeOf(bytes: Uint8Array, type: SizedType): ImageSize | undefined {
  const size = declaredSizeOf(bytes, type);
  return size !== undefined && formats[type].isWhole(viewOf(bytes)) ? size : undefined;
}

/** The size in the header, also of a file that was cut. */
export function declaredSizeOf(bytes: Uint8Array, type: SizedType): ImageSize | undefined {
  const size = formats[type].sizeOf(viewOf(bytes));
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
}

export function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

function textAt(view: DataView, at: number, length: number): string {
  return String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + at, length));
}

const pngSignature = 8;
/** Length, type and checksum of a chunk. */
const pngFrame = 12;

function pngSize(view: DataView): ImageSize | undefined {
  if (view.byteLength < 24 || textAt(view, 12, 4) !== "IHDR") return undefined;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

/** Whether the chunks follow one another to the last one, with some data among them. */
function isWholePng(view: DataView): boolean {
  let hasData = false;
  for (let at = pngSignature; at + pngFrame <= view.byteLength; at += pngFrame + view.getUint32(at)) {
    const type = textAt(view, at + 4, 4);
    if (type === "IEND") return hasData;
    hasData ||= type === "IDAT" && view.getUint32(at) > 0;
  }
  return false;
}

function gifSize(view: DataView): ImageSize | undefined {
  return view.byteLength < 10 ? undefined : { width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

/** Whether the file ends with the trailer. Some programs fill the file with zeros behind it. */
function isWholeGif(view: DataView): boolean {
  let end = view.byteLength - 1;
  while (end > 0 && view.getUint8(end) === 0) end -= 1;
  return view.getUint8(end) === 0x3b;
}

function jpegSize(view: DataView): ImageSize | undefined {
  const frame = jpegFrame(view);
  return frame === undefined ? undefined : { height: view.getUint16(frame + 5), width: view.getUint16(frame + 7) };
}

/** The offset of the frame, which follows segments that may hold a whole thumbnail. */
function jpegFrame(view: DataView): number | undefined {
  let at = 2;
  while (at + 9 <= view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return at;
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return undefined;
}

/** Whether the end marker is there; cameras write more behind it. */
function isWholeJpeg(view: DataView): boolean {
  const frame = jpegFrame(view) ?? view.byteLength;
  for (let at = view.byteLength - 2; at > frame; at -= 1)
    if (view.getUint8(at) === 0xff && view.getUint8(at + 1) === 0xd9) return true;
  return false;
}

function webpSize(view: DataView): ImageSize | undefined {
  if (view.byteLength < 30) return undefined;
  const form = textAt(view, 12, 4);
  const threeBytes = (at: number): number => view.getUint16(at, true) + (view.getUint8(at + 2) << 16);
  if (form === "VP8X") return { width: threeBytes(24) + 1, height: threeBytes(27) + 1 };
  if (form === "VP8 ") return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (form !== "VP8L") return undefined;
  const bits = view.getUint32(21, true);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

// Reads the rotation from the EXIF data: cameras store the picture lying, and viewers turn it.

/** Bytes of a file that are looked at: the data comes before the picture. */
const maxHead = 256 * 1024;
const orientationTag = 0x0112;

/** 1 to 8; 1 where nothing turns it. From 5 on, width and height are exchanged. */
export function orientationOf(bytes: Uint8Array, mimeType: string): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, maxHead));
  try {
    const start =
      mimeType === "image/jpeg"
        ? exifInJpeg(view)
        : mimeType === "image/png"
          ? exifInPng(view)
          : mimeType === "image/webp"
            ? exifInWebp(view)
            : undefined;
    const found = start === undefined ? 1 : orientationIn(view, start);
    return found >= 1 && found <= 8 ? found : 1;
  } catch (error) {
    // The data ends before the length that it declares.
    if (error instanceof RangeError) return 1;
    throw error;
  }
}

/** The offset of the TIFF header. */
function exifInJpeg(view: DataView): number | undefined {
  for (let at = 2; view.getUint8(at) === 0xff;) {
    const marker = view.getUint8(at + 1);
    // Here the picture itself begins, or a marker has no length.
    if (marker === 0xda || marker === 0xd9) return undefined;
    if (marker === 0xe1 && isText(view, at + 4, "Exif\0\0")) return at + 10;
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

function exifInPng(view: DataView): number | undefined {
  for (let at = 8; !isText(view, at + 4, "IDAT"); at += 12 + view.getUint32(at))
    if (isText(view, at + 4, "eXIf")) return at + 8;
  return undefined;
}

function exifInWebp(view: DataView): number | undefined {
  for (let at = 12; ;) {
    const length = view.getUint32(at + 4, true);
    if (isText(view, at, "EXIF")) return isText(view, at + 8, "Exif\0\0") ? at + 14 : at + 8;
    at += 8 + length + (length % 2);
  }
}

function orientationIn(view: DataView, start: number): number {
  const isLittle = isText(view, start, "II");
  const folder = start + view.getUint32(start + 4, isLittle);
  const count = view.getUint16(folder, isLittle);
  for (let index = 0; index < count; index += 1) {
    const entry = folder + 2 + index * 12;
    if (view.getUint16(entry, isLittle) === orientationTag) return view.getUint16(entry + 8, isLittle);
  }
  return 1;
}

function isText(view: DataView, at: number, text: string): boolean {
  return Array.from(text).every((letter, index) => view.getUint8(at + index) === letter.charCodeAt(0));
}
