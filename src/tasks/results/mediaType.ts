/** Finds by its first bytes what a downloaded file is: pictures and videos that may be kept, and pages that may not (T8). */
import { definedFields } from "../../base/definedFields";
import { hasSignature } from "../../domain/media/pictureTypes";
import { mediaFacts, type MediaKind, mediaKinds } from "../../domain/task/taskTypes";

export interface MediaType {
  readonly mimeType: string;
  /** The ending with the dot; `.bin` for a format that is unknown here. */
  readonly ending: string;
  /** Missing for a format that is unknown here and that the service did not declare. */
  readonly kind?: MediaKind;
}

/** Formats of `mediaKindTable` that are recognised by code, as `[kind, ending]`; AVIF only where the file has a general brand. */
const codedFormats = {
  avif: ["image", ".avif"],
  svg: ["image", ".svg"],
  mp4: ["video", ".mp4"],
  quickTime: ["video", ".mov"],
  webm: ["video", ".webm"],
} as const satisfies Readonly<Record<string, readonly [MediaKind, string]>>;

/** Bytes that `readMediaType` looks at. */
export const sniffedLength = 1024;

/**
 * `declared` is the Content-Type. The bytes decide: a page that is declared a picture is none, and a picture that is declared
 * wrongly is one. `undefined`: not to be kept. A binary format that is unknown here is kept under `.bin`, because it was paid for.
 */
export function readMediaType(start: Uint8Array, declared: string): MediaType | undefined {
  const known = readMagic(start);
  if (known) return known;
  if (isSvg(start)) return typeOfFormat(codedFormats.svg);
  if (isPage(declared) || isText(start)) return undefined;
  const kind = mediaKinds.find((one) => declared.startsWith(`${mediaFacts(one).mimeClass}/`));
  return { mimeType: declared, ending: ".bin", ...definedFields({ kind }) };
}

function readMagic(start: Uint8Array): MediaType | undefined {
  const bytes = Buffer.from(start.buffer, start.byteOffset, start.byteLength);
  const ascii = (from: number, to: number): string => bytes.toString("latin1", from, to);
  for (const kind of mediaKinds)
    for (const { mimeType, ending, signatures = [] } of mediaFacts(kind).formats)
      if (hasSignature(start, signatures)) return { mimeType, ending, kind };
  if (ascii(0, 4) === "\x1aE\xdf\xa3" && ascii(0, 64).includes("webm")) return typeOfFormat(codedFormats.webm);
  return ascii(4, 8) === "ftyp" ? readBrand(ascii(8, 12), ascii(16, 64)) : undefined;
}

function typeOfFormat([kind, ending]: readonly [MediaKind, string]): MediaType {
  const mimeType = mediaFacts(kind).formats.find((format) => format.ending === ending)?.mimeType ?? "";
  return { mimeType, ending, kind };
}

/** AVIF, MP4 and QuickTime share the ISO base media file format; the brands show which it is. */
function readBrand(major: string, compatible: string): MediaType {
  if (/^mi[fa]/.test(major) && /avi[fs]/.test(compatible)) return typeOfFormat(codedFormats.avif);
  if (/^(?:heic|heix|mif1|msf1)$/.test(major)) return { mimeType: "image/heic", ending: ".bin", kind: "image" };
  return typeOfFormat(major === "qt  " ? codedFormats.quickTime : codedFormats.mp4);
}

/** The parts that XML allows in front of the first element. */
const prologue = [
  { begin: "<?xml", end: "?>" },
  { begin: "<!--", end: "-->" },
  { begin: "<!doctype svg", end: ">" },
] as const;

/** Whether it begins with `<svg` after a prologue. The parts of that are skipped one by one: a single pattern would try every way to divide it. */
function isSvg(start: Uint8Array): boolean {
  let rest = new TextDecoder().decode(start).trimStart().toLowerCase().replaceAll(/\s+/g, " ");
  for (;;) {
    const part = prologue.find(({ begin }) => rest.startsWith(begin));
    if (!part) return /^<svg[\s>]/.test(rest);
    const end = rest.indexOf(part.end, part.begin.length);
    if (end < 0) return false;
    rest = rest.slice(end + part.end.length).trimStart();
  }
}

function isPage(declared: string): boolean {
  return /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml)\b)/i.test(declared);
}

/** Whether the file begins with printable characters only, as no picture or video format does. */
function isText(start: Uint8Array): boolean {
  return !start.some((byte) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d);
}
