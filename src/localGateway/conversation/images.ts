/** Reads the images of a prompt: kind and size from their first bytes, errors as strict services report them. */
import { invalidRequest } from "../http/httpError";

export interface PromptImage {
  /** `address`: a URL, which this gateway never opens. */
  readonly kind: ImageKind | "address";
  /** Pixels; missing when the header does not say. */
  readonly width?: number;
  readonly height?: number;
}

type ImageKind = "PNG" | "JPEG" | "GIF" | "WebP";

const kinds: Readonly<Record<string, ImageKind>> = {
  "image/png": "PNG",
  "image/jpeg": "JPEG",
  "image/jpg": "JPEG",
  "image/gif": "GIF",
  "image/webp": "WebP",
};

/** Throws a 400 for invalid base64, an unsupported type, and bytes of another type than declared. */
export function readImageData(mimeType: string, base64: string, field: string): PromptImage {
  const wanted = kinds[mimeType.toLowerCase()];
  if (wanted === undefined) {
    throw invalidRequest(`${field}: ${mimeType} is not supported; use PNG, JPEG, GIF or WebP.`, field);
  }
  if (base64 === "" || base64.length % 4 === 1 || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(base64)) {
    throw invalidRequest(`${field}: the image is not valid base64.`, field);
  }
  const bytes = Buffer.from(base64, "base64");
  const kind = kindOf(bytes);
  if (kind === undefined) throw invalidRequest(`${field}: the image can't be read.`, field);
  if (kind !== wanted) throw invalidRequest(`${field}: the image is ${kind}, not ${mimeType}.`, field);
  return { kind, ...sizeOf(kind, bytes) };
}

/** `data:image/png;base64,…`, or an address. */
export function readImageUrl(url: string, field: string): PromptImage {
  if (/^https?:\/\//i.test(url)) return { kind: "address" };
  const [whole, mimeType = ""] = /^data:([^;,]+)(?:;[^;,]+)*;base64,/i.exec(url.slice(0, 200)) ?? [];
  if (whole === undefined) throw invalidRequest(`${field}: an image is a data URL with base64 or an address.`, field);
  return readImageData(mimeType, url.slice(whole.length), field);
}

/** `a PNG of 640 × 480`. */
export function describeImage({ kind, width, height }: PromptImage): string {
  if (kind === "address") return "an image at an address that I did not open";
  const size = width === undefined || height === undefined ? "" : ` of ${width} × ${height}`;
  return `a ${kind}${size}`;
}

function kindOf(bytes: Buffer): ImageKind | undefined {
  const text = bytes.toString("latin1", 0, 12);
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "PNG";
  if (text.startsWith("\xff\xd8\xff")) return "JPEG";
  if (text.startsWith("GIF87a") || text.startsWith("GIF89a")) return "GIF";
  return text.startsWith("RIFF") && text.slice(8) === "WEBP" ? "WebP" : undefined;
}

type Size = Pick<PromptImage, "width" | "height">;

function sizeOf(kind: ImageKind, bytes: Buffer): Size {
  if (kind === "PNG") return bytes.length < 24 ? {} : { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  if (kind === "GIF") return bytes.length < 10 ? {} : { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  return kind === "JPEG" ? jpegSize(bytes) : webpSize(bytes);
}

/** Walks the segments up to the start of frame. */
function jpegSize(bytes: Buffer): Size {
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return {};
}

function webpSize(bytes: Buffer): Size {
  if (bytes.length < 30) return {};
  const form = bytes.toString("latin1", 12, 16);
  if (form === "VP8X") return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (form === "VP8 ") return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  if (form !== "VP8L") return {};
  const bits = bytes.readUInt32LE(21);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}
