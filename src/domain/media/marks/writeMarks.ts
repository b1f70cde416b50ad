/** Writes marks into a picture's file as XMP: one part is added, and the pixels stay unchanged. */
import { type ImageSize, imageSizeOf, viewOf } from "../imageSize";
import { pictureTypeOf } from "../pictureTypes";
import {
  type PictureFilePart,
  isCredentials,
  isXmp,
  jpegXmpHeader,
  type MarkedType,
  pictureFileParts,
  pngXmpKeyword,
  startsWith,
} from "./fileParts";
import { drawnSourceType, generatedSourceType, markLimits, type PictureMarks, xmpNamespaces } from "./marks";

/** Bytes by which a file grows at most. */
export const maxMarkBytes = 3 * 1024;
/** Bytes of the headers of a part, and of those that make a plain WebP file an extended one. */
const maxFrameBytes = 64;

/**
 * Returns a copy of the file with the marks in the place of its XMP, or the same array where nothing can be written: for a file that is damaged or
 * cut, one of another format than PNG, JPEG and WebP, and one with content credentials, whose signature covers each of its bytes. A prompt that is
 * too long for `maxMarkBytes` is cut. `hasCredentials` is not written. Never throws.
 */
export function writeMarks(bytes: Uint8Array, marks: PictureMarks): Uint8Array {
  const type = markedTypeOf(bytes);
  if (type === undefined) return bytes;
  const parts: PictureFilePart[] = [];
  for (const part of pictureFileParts(bytes, type)) {
    if (isCredentials(part)) return bytes;
    if (parts.length === maxParts) return bytes;
    parts.push(part);
  }
  const size = imageSizeOf(bytes, type);
  if (size === undefined) return bytes;
  const xmp = utf8.encode(xmpOf(marks));
  switch (type) {
    case "image/png":
      return intoPng(bytes, parts, xmp);
    case "image/jpeg":
      return intoJpeg(bytes, parts, xmp);
    case "image/webp":
      return intoWebp(bytes, parts, xmp, size);
  }
}

/** Enough for a picture of 64 MB in chunks of 1 KB, the smallest that encoders write. */
const maxParts = 100_000;
const utf8 = new TextEncoder();

export function markedTypeOf(bytes: Uint8Array): MarkedType | undefined {
  const type = pictureTypeOf(bytes, "prompt");
  return type === "image/gif" ? undefined : type;
}

/** Inserts XMP behind the header and before the data, because some readers stop at the data. */
function intoPng(bytes: Uint8Array, parts: readonly PictureFilePart[], xmp: Uint8Array): Uint8Array {
  const [header] = parts;
  if (header === undefined) return bytes;
  const body = joined(utf8.encode(`iTXt${pngXmpKeyword}\0\0\0\0\0`), xmp);
  const frame = new Uint8Array(4);
  viewOf(frame).setUint32(0, body.length - 4);
  const checksum = new Uint8Array(4);
  viewOf(checksum).setUint32(0, crc32(body));
  return withPart(bytes, parts, header.end, joined(frame, body, checksum));
}

/** Inserts XMP behind the header of JFIF and the EXIF data, which come first. */
function intoJpeg(bytes: Uint8Array, parts: readonly PictureFilePart[], xmp: Uint8Array): Uint8Array {
  let at = 2;
  for (const part of parts) {
    if (part.type !== "APP0" && !(part.type === "APP1" && startsWith(part.data, "Exif\0"))) break;
    at = part.end;
  }
  const body = joined(utf8.encode(jpegXmpHeader), xmp);
  const frame = Uint8Array.of(0xff, 0xe1, 0, 0);
  viewOf(frame).setUint16(2, body.length + 2);
  return withPart(bytes, parts, at, joined(frame, body));
}

/** Flags of the extended format. */
const [xmpFlag, alphaFlag] = [0x04, 0x10];
/** The offset at which the header of the extended format ends, with its flags and size. */
const shortestFirstChunk = 30;

/** Appends XMP at the end, where the format has it. A plain file gets the header of the extended format, without which readers ignore XMP. */
function intoWebp(bytes: Uint8Array, parts: readonly PictureFilePart[], xmp: Uint8Array, size: ImageSize): Uint8Array {
  const last = parts.at(-1);
  const [first] = parts;
  const isWhole = last !== undefined && last.end >= Math.min(bytes.length, viewOf(bytes).getUint32(4, true) + 8);
  if (!isWhole || first === undefined || first.end < shortestFirstChunk) return bytes;
  const chunk = joined(utf8.encode("XMP "), new Uint8Array(4), xmp, new Uint8Array(xmp.length % 2));
  viewOf(chunk).setUint32(4, xmp.length, true);
  // The last chunk may lack the byte that pads it.
  const padding = new Uint8Array(isXmp(last) ? 0 : last.end % 2);
  const marked = withPart(bytes.subarray(0, last.end), parts, last.end, joined(padding, chunk));
  const isExtended = first.type === "VP8X";
  const header = isExtended ? new Uint8Array() : extendedHeader(first, size);
  const made = joined(marked.subarray(0, 12), header, marked.subarray(12));
  const view = viewOf(made);
  view.setUint8(20, view.getUint8(20) | xmpFlag);
  view.setUint32(4, made.length - 8, true);
  return made;
}

function extendedHeader({ type, data }: PictureFilePart, { width, height }: ImageSize): Uint8Array {
  const header = joined(utf8.encode("VP8X"), Uint8Array.of(10, 0, 0, 0), new Uint8Array(10));
  const view = viewOf(header);
  // The lossless format has a flag for transparency behind its size; the plain lossy one has no transparency.
  const hasAlpha = type === "VP8L" && ((data[4] ?? 0) & 0x10) !== 0;
  view.setUint8(8, hasAlpha ? alphaFlag : 0);
  for (const [at, pixels] of [
    [12, width - 1],
    [15, height - 1],
  ] as const) {
    view.setUint16(at, pixels & 0xffff, true);
    view.setUint8(at + 2, pixels >>> 16);
  }
  return header;
}

/** The file without its parts of XMP, and with another part at the offset. */
function withPart(bytes: Uint8Array, parts: readonly PictureFilePart[], at: number, part: Uint8Array): Uint8Array {
  const pieces: Uint8Array[] = [];
  let from = 0;
  const keepTo = (to: number): void => void pieces.push(bytes.subarray(from, to));
  let isWritten = false;
  for (const one of parts) {
    if (!isWritten && one.start >= at) {
      keepTo(at);
      pieces.push(part);
      [from, isWritten] = [at, true];
    }
    if (!isXmp(one)) continue;
    keepTo(one.start);
    from = one.end;
  }
  if (isWritten) keepTo(bytes.length);
  else {
    keepTo(at);
    pieces.push(part, bytes.subarray(at));
  }
  return joined(...pieces);
}

function joined(...pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

// The packet of XMP (ISO 16684-1): RDF with a namespace for each property.

/** Makes a packet of at most `maxMarkBytes` with the headers around it. */
function xmpOf(marks: PictureMarks): string {
  const empty = packetOf(marks, "");
  const room =
    maxMarkBytes - maxFrameBytes - utf8.encode(empty).length - element("Iptc4xmpExt:AIPromptInformation", "").length;
  const prompt = marks.prompt === undefined ? "" : firstEscapedBytes(marks.prompt, room);
  return prompt === "" ? empty : packetOf(marks, prompt);
}

/** `prompt` is escaped. */
function packetOf(
  { isGenerated, isRehearsed, model, task, seed, hadCredentials }: PictureMarks,
  prompt: string,
): string {
  const sourceType = isGenerated ? generatedSourceType : isRehearsed ? drawnSourceType : undefined;
  const escaped = (text: string, limit: number): string => firstEscapedBytes(text.slice(0, limit), maxNameBytes);
  const properties = [
    ...(sourceType === undefined ? [] : [element("Iptc4xmpExt:DigitalSourceType", sourceType)]),
    ...(model === undefined ? [] : [element("Iptc4xmpExt:AISystemUsed", escaped(model, markLimits.model))]),
    ...(prompt === "" ? [] : [element("Iptc4xmpExt:AIPromptInformation", prompt)]),
    ...(task === undefined ? [] : [element("sluice:Task", escaped(task, markLimits.task))]),
    ...(seed === undefined ? [] : [element("sluice:Seed", String(seed))]),
    ...(isRehearsed ? [element("sluice:Rehearsed", "True")] : []),
    ...(hadCredentials ? [element("sluice:OriginalHadCredentials", "True")] : []),
  ];
  const { rdf, ...used } = xmpNamespaces;
  const namespaces = Object.entries(used).map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`);
  // Every packet of XMP has this id.
  return [
    `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>`,
    `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="${rdf}"><rdf:Description rdf:about=""${namespaces.join("")}>`,
    ...properties,
    `</rdf:Description></rdf:RDF></x:xmpmeta>`,
    `<?xpacket end="r"?>`,
  ].join("");
}

/** Bytes of a model's name and a task's id. */
const maxNameBytes = 400;

function element(name: string, content: string): string {
  return `<${name}>${content}</${name}>`;
}

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#xD;" };

/** The longest beginning of a text, in whole characters, that takes at most so many bytes once it is escaped. What XML can't hold is left out. */
function firstEscapedBytes(text: string, maxBytes: number): string {
  let escaped = "";
  let length = 0;
  // Only as much of the text as can fit is looked at.
  for (const character of text.slice(0, maxBytes).toWellFormed()) {
    if (isNoXml(character)) continue;
    const next = escapes[character] ?? character;
    length += utf8.encode(next).length;
    if (length > maxBytes) break;
    escaped += next;
  }
  return escaped;
}

/** Whether no XML document may have the character (XML 1.0, 2.2). */
function isNoXml(character: string): boolean {
  return /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.test(character);
}

/** The checksum of PNG's chunks (W3C Portable Network Graphics, annex D). */
function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return (sum ^ 0xffffffff) >>> 0;
}
