/** Reads the images of a prompt: kind, size and main color. Its errors are those of strict services. */
import { inflateSync } from "node:zlib";
import { definedFields } from "../../base/definedFields";
import { declaredSizeOf, type SizedType } from "../../domain/media/imageSize";
import { invalidRequest } from "../http/httpError";

export interface PromptImage {
  /** `address`: a URL, which this gateway never opens. */
  readonly kind: ImageKind | "address";
  /** Pixels; missing when the header does not state them. */
  readonly width?: number;
  readonly height?: number;
  /** The main color in words; missing if the pixels can't be read here. */
  readonly color?: string;
}

type ImageKind = "PNG" | "JPEG" | "GIF" | "WebP";

const typeOfKind: Readonly<Record<ImageKind, SizedType>> = {
  PNG: "image/png",
  JPEG: "image/jpeg",
  GIF: "image/gif",
  WebP: "image/webp",
};
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
  const color = kind === "PNG" ? mainColor(bytes) : undefined;
  return { kind, ...declaredSizeOf(bytes, typeOfKind[kind]), ...definedFields({ color }) };
}

/** Reads `data:image/png;base64,…`, or an address. */
export function readImageUrl(url: string, field: string): PromptImage {
  if (/^https?:\/\//i.test(url)) return { kind: "address" };
  const [whole, mimeType = ""] = /^data:([^;,]+)(?:;[^;,]+)*;base64,/i.exec(url.slice(0, 200)) ?? [];
  if (whole === undefined) throw invalidRequest(`${field}: an image is a data URL with base64 or an address.`, field);
  return readImageData(mimeType, url.slice(whole.length), field);
}

/** `a PNG of 640 × 480, mostly blue`. */
export function describeImage({ kind, width, height, color }: PromptImage): string {
  if (kind === "address") return "an image at an address that I did not open";
  const size = width === undefined || height === undefined ? "" : ` of ${width} × ${height}`;
  return `a ${kind}${size}${color === undefined ? "" : `, mostly ${color}`}`;
}

function kindOf(bytes: Buffer): ImageKind | undefined {
  const text = bytes.toString("latin1", 0, 12);
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "PNG";
  if (text.startsWith("\xff\xd8\xff")) return "JPEG";
  if (text.startsWith("GIF87a") || text.startsWith("GIF89a")) return "GIF";
  return text.startsWith("RIFF") && text.slice(8) === "WEBP" ? "WebP" : undefined;
}

// Names the main color of a PNG, by which the demo model shows that it got the pixels of an image.

/** Pixels. The color of a larger image is not determined. */
const maxPixels = 8_000_000;

const palette: readonly (readonly [name: string, red: number, green: number, blue: number])[] = [
  ["black", 0, 0, 0],
  ["grey", 128, 128, 128],
  ["white", 255, 255, 255],
  ["red", 220, 40, 40],
  ["orange", 240, 140, 30],
  ["yellow", 240, 220, 50],
  ["green", 50, 160, 70],
  ["turquoise", 50, 190, 190],
  ["blue", 50, 90, 200],
  ["purple", 130, 60, 170],
  ["pink", 240, 130, 180],
  ["brown", 120, 75, 40],
];

/** `undefined` unless it is a PNG with eight bits a channel and without interlacing. */
function mainColor(png: Buffer): string | undefined {
  try {
    return countColors(png);
  } catch {
    return undefined;
  }
}

/** The bytes of a pixel by the colour type; palettes are not read. */
const channelsOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 };

function countColors(png: Buffer): string | undefined {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const channels = channelsOf[png.readUInt8(25)];
  const isPlain = png.readUInt8(24) === 8 && png.readUInt8(28) === 0;
  if (!isPlain || channels === undefined || width * height > maxPixels) return undefined;
  const stride = width * channels;
  const lines = inflateSync(dataOf(png), { maxOutputLength: (stride + 1) * height });
  const counts = new Map<string, number>();
  let above = new Uint8Array(stride);
  for (let y = 0; y < height; y += 1) {
    const start = y * (stride + 1);
    const row = unfilter(lines.readUInt8(start), lines.subarray(start + 1, start + 1 + stride), above, channels);
    for (let x = 0; x < stride; x += channels) {
      const name = nearest(row, x, channels);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    above = row;
  }
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0];
}

function dataOf(png: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 8; at + 12 <= png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString("latin1", at + 4, at + 8) === "IDAT")
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  return Buffer.concat(parts);
}

function unfilter(filter: number, line: Uint8Array, above: Uint8Array, channels: number): Uint8Array<ArrayBuffer> {
  const row = new Uint8Array(line.length);
  for (let x = 0; x < line.length; x += 1) {
    const left = x < channels ? 0 : (row[x - channels] ?? 0);
    const corner = x < channels ? 0 : (above[x - channels] ?? 0);
    row[x] = (line[x] ?? 0) + predicted(filter, left, above[x] ?? 0, corner);
  }
  return row;
}

/** The prediction of the format's five filters: none, left, above, their mean, and the neighbour nearest to the plane of all three (Paeth). */
function predicted(filter: number, left: number, above: number, corner: number): number {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  const plane = left + above - corner;
  const [toLeft, toAbove, toCorner] = [Math.abs(plane - left), Math.abs(plane - above), Math.abs(plane - corner)];
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

function nearest(row: Uint8Array, at: number, channels: number): string {
  const isGrey = channels < 3;
  const [red, green, blue] = [row[at] ?? 0, row[isGrey ? at : at + 1] ?? 0, row[isGrey ? at : at + 2] ?? 0];
  let best = "";
  let least = Infinity;
  for (const [name, ...other] of palette) {
    const distance = (other[0] - red) ** 2 + (other[1] - green) ** 2 + (other[2] - blue) ** 2;
    if (distance >= least) continue;
    best = name;
    least = distance;
  }
  return best;
}
