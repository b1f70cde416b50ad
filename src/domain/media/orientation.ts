/** How a picture is turned by its EXIF data: cameras store it lying, and viewers turn it. */

/** Bytes of a file that are looked at: the data stands before the picture. */
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
    // It ends before what it announces.
    if (error instanceof RangeError) return 1;
    throw error;
  }
}

/** The offset of the TIFF header. */
function exifInJpeg(view: DataView): number | undefined {
  for (let at = 2; view.getUint8(at) === 0xff;) {
    const marker = view.getUint8(at + 1);
    // The picture itself begins, or a marker without a length.
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
