/** Reference images of a task: checked before they are sent, and written as `input_assets_json`. */
import { Buffer } from "node:buffer";
import { definedFields } from "../../base/definedFields";
import type { ImageSize } from "../../domain/media/imageSize";
import { pictureSizeOf } from "../../domain/media/pictureBounds";
import { pictureTypeOf } from "../../domain/media/pictureTypes";

/** A picture as it will be sent: a URL unchanged, or a file as a data URL. */
export interface Reference {
  /** The file name or URL that the person is shown. */
  readonly name: string;
  readonly url: string;
  /** The size of the file; missing for a URL, which the gateway reads. */
  readonly bytes?: number;
  readonly mimeType?: string;
  /** The size in pixels that the header declares. */
  readonly size?: ImageSize;
}

export type ReferenceProblem = "empty" | "no-image" | "too-large" | "bad-url";

/** The name of the field where the person chose none. The gateway's document shows none. */
export const defaultReferenceField = "image";

/** `limit` in bytes. The type is that of the first bytes: a name proves nothing. */
export function imageReference(name: string, bytes: Uint8Array, limit: number): Reference | ReferenceProblem {
  if (bytes.length === 0) return "empty";
  if (bytes.length > limit) return "too-large";
  const mimeType = pictureTypeOf(bytes, "reference");
  if (mimeType === undefined) return "no-image";
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  const size = definedFields({ size: pictureSizeOf(bytes) });
  return { name, url: `data:${mimeType};base64,${data}`, bytes: bytes.length, mimeType, ...size };
}

/** An address that the gateway can read: `https:`, or `http:`. */
export function addressReference(text: string): Reference | ReferenceProblem {
  const url = text.trim();
  if (!URL.canParse(url)) return "bad-url";
  const { protocol, hostname } = new URL(url);
  return (protocol === "https:" || protocol === "http:") && hostname !== "" ? { name: url, url } : "bad-url";
}

/** `{"image": …}` for one, `{"images": […]}` for several; a field that the person named is used as it is. */
export function writeInputAssets(
  references: readonly Reference[],
  field: string = defaultReferenceField,
  others: Readonly<Record<string, unknown>> = {},
): string | undefined {
  const urls = references.map(({ url }) => url);
  if (urls.length === 0) return Object.keys(others).length === 0 ? undefined : JSON.stringify(others);
  const several = field === defaultReferenceField ? `${field}s` : field;
  return JSON.stringify({ ...others, ...(urls.length === 1 ? { [field]: urls[0] } : { [several]: urls }) });
}

export interface SentAssets {
  readonly references: readonly Reference[];
  readonly field: string;
  /** Everything else in `input_assets_json`, which is sent again as it was. */
  readonly others: Readonly<Record<string, unknown>>;
}

/** Reads what a stored `input_assets_json` holds. The first field with pictures is the one of the references. */
export function readInputAssets(assets: Readonly<Record<string, unknown>>): SentAssets {
  const others: Record<string, unknown> = {};
  let found: { readonly field: string; readonly references: readonly Reference[] } | undefined;
  for (const [field, value] of Object.entries(assets)) {
    const urls = found ? undefined : urlsIn(value);
    if (urls) found = { field, references: urls.map(referenceOf) };
    else others[field] = value;
  }
  const field = found?.field === `${defaultReferenceField}s` ? defaultReferenceField : found?.field;
  return { references: found?.references ?? [], field: field ?? defaultReferenceField, others };
}

function urlsIn(value: unknown): readonly string[] | undefined {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const urls = list.filter((one): one is string => typeof one === "string" && /^(?:https?:|data:image\/)/.test(one));
  return urls.length > 0 && urls.length === list.length ? urls : undefined;
}

function referenceOf(url: string, index: number): Reference {
  const [, mimeType, data = ""] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? [];
  const name = url.startsWith("data:") ? `image-${index + 1}` : url;
  if (mimeType === undefined) return { name, url };
  return {
    name,
    url,
    mimeType,
    bytes: Math.floor((data.replace(/(?<!=)=+$/, "").length * 3) / 4),
  };
}
