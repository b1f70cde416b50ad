/** Reads the images of a prompt: kind and size from their first bytes, errors as strict services report them. */
import { definedFields } from "../../base/definedFields";
import { declaredSizeOf, type SizedType } from "../../domain/media/imageSize";
import { invalidRequest } from "../http/httpError";
import { mainColor } from "./mainColor";

export interface PromptImage {
  /** `address`: a URL, which this gateway never opens. */
  readonly kind: ImageKind | "address";
  /** Pixels; missing when the header does not say. */
  readonly width?: number;
  readonly height?: number;
  /** In words; missing where the pixels can't be read here. */
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

/** `data:image/png;base64,…`, or an address. */
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
