/** What a downloaded file is, by its first bytes: pictures and videos that may be kept, and pages that may not (T8). */

export interface MediaType {
  readonly mimeType: string;
  /** With the dot. */
  readonly ending: string;
  readonly kind: "image" | "video";
}

const image = (mimeType: string, ending: string): MediaType => ({ mimeType, ending, kind: "image" });
const video = (mimeType: string, ending: string): MediaType => ({ mimeType, ending, kind: "video" });

/** Every ending that a result may get, and spellings that people use for them. */
export const mediaEndings: ReadonlySet<string> = new Set(
  "png jpg jpeg webp gif avif svg mp4 m4v mov webm bin".split(" ").map((ending) => `.${ending}`),
);

/** Bytes that `readMediaType` looks at. */
export const sniffedLength = 1024;

/**
 * `declared` is the Content-Type. The bytes decide: a page that is declared a picture is none, and a picture that is declared
 * wrongly is one. `undefined`: not to be kept. A binary format that is unknown here is kept under `.bin`, because it was paid for.
 */
export function readMediaType(start: Uint8Array, declared: string): MediaType | undefined {
  const known = readMagic(start);
  if (known) return known;
  if (isSvg(start)) return image("image/svg+xml", ".svg");
  if (isPage(declared) || isText(start)) return undefined;
  return declared.startsWith("video/") ? video(declared, ".bin") : image(declared, ".bin");
}

export function mediaKindOf(path: string): "image" | "video" {
  return /\.(?:mp4|m4v|mov|webm)$/i.test(path) ? "video" : "image";
}

function readMagic(start: Uint8Array): MediaType | undefined {
  const bytes = Buffer.from(start.buffer, start.byteOffset, start.byteLength);
  const ascii = (from: number, to: number): string => bytes.toString("latin1", from, to);
  if (ascii(0, 8) === "\x89PNG\r\n\x1a\n") return image("image/png", ".png");
  if (ascii(0, 3) === "\xff\xd8\xff") return image("image/jpeg", ".jpg");
  if (/^GIF8[79]a/.test(ascii(0, 6))) return image("image/gif", ".gif");
  if (ascii(0, 4) === "RIFF" && ascii(8, 12) === "WEBP") return image("image/webp", ".webp");
  if (ascii(0, 4) === "\x1aE\xdf\xa3" && ascii(0, 64).includes("webm")) return video("video/webm", ".webm");
  return ascii(4, 8) === "ftyp" ? readBrand(ascii(8, 12), ascii(16, 64)) : undefined;
}

/** The ISO base media file format is that of AVIF, MP4 and QuickTime; the brands tell which. */
function readBrand(major: string, compatible: string): MediaType {
  if (/^avi[fs]$/.test(major) || (/^mi[fa]/.test(major) && /avi[fs]/.test(compatible)))
    return image("image/avif", ".avif");
  if (/^(?:heic|heix|mif1|msf1)$/.test(major)) return image("image/heic", ".bin");
  return major === "qt  " ? video("video/quicktime", ".mov") : video("video/mp4", ".mp4");
}

/** It begins with `<svg`, after what XML allows in front of it. */
function isSvg(start: Uint8Array): boolean {
  const text = new TextDecoder().decode(start).trimStart();
  return /^(?:<\?xml[^>]*\?>\s*|<!--[\s\S]*?-->\s*|<!DOCTYPE\s+svg[^>]*>\s*)*<svg[\s>]/i.test(text);
}

function isPage(declared: string): boolean {
  return /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml)\b)/i.test(declared);
}

/** No picture or video format consists of printable characters only. */
function isText(start: Uint8Array): boolean {
  return !start.some((byte) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d);
}
