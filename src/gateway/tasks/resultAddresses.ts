/** Finds the addresses of results in what gateways write in their place: other names, lists, objects in lists, data in base64. */
import { isRecord } from "../../base/jsonValue";
import { type MediaKind, mediaKindOf, mediaKinds, mediaFacts } from "../../domain/task/mediaKinds";

export interface FoundAddress {
  readonly url: string;
  /** `undefined` where neither its name nor its address says. */
  readonly kind: MediaKind | "thumbnail" | undefined;
}

/** Bounds for what a gateway may send: values that are looked at, and levels of lists and objects. */
const maxValues = 500;
const maxLevels = 6;
/** Characters of an address that is no data. */
const maxAddress = 8000;

/** Names of what was sent, or of other pages about the task: their addresses are no results. */
const otherWords = new Set([
  "input",
  "inputs",
  "reference",
  "references",
  "init",
  "mask",
  "source",
  "control",
  "callback",
  "webhook",
  "status",
  "cancel",
  "get",
  "stream",
  "log",
  "logs",
  "docs",
  "prompt",
  "model",
  "request",
  "homepage",
  "avatar",
  "console",
  "dashboard",
  "billing",
  "help",
  "support",
  "error",
  "license",
]);
const thumbnailWords = new Set(["thumbnail", "thumb", "preview", "cover", "poster", "thumbnails"]);
const addressWords = new Set([
  "url",
  "urls",
  "uri",
  "href",
  "link",
  "output",
  "outputs",
  "result",
  "results",
  "file",
  "files",
  "asset",
  "assets",
  "path",
  "src",
]);
const dataWords = new Set(["b64", "base64"]);

/** In the order of the value, each address once. */
export function findAddresses(value: unknown): readonly FoundAddress[] {
  const found = new Map<string, FoundAddress>();
  let left = maxValues;
  const look = (one: unknown, names: readonly string[], level: number): void => {
    left -= 1;
    if (left < 0 || level > maxLevels) return;
    if (typeof one === "string") {
      const address = readAddress(one.trim(), names);
      if (address !== undefined && !found.has(address.url)) found.set(address.url, address);
    } else if (Array.isArray(one)) for (const item of one as readonly unknown[]) look(item, names, level + 1);
    else if (isRecord(one))
      for (const [name, inner] of Object.entries(one)) {
        const own = wordsOf(name);
        if (!own.some((word) => otherWords.has(word))) look(inner, [...names, ...own], level + 1);
      }
  };
  look(value, [], 0);
  return [...found.values()];
}

/** *imageUrls* and *image_urls* are the same words. */
function wordsOf(name: string): readonly string[] {
  return name
    .slice(0, 100)
    .replaceAll(/([a-z\d])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== "");
}

function readAddress(text: string, names: readonly string[]): FoundAddress | undefined {
  if (names.some((name) => dataWords.has(name)) && isBase64(text)) {
    const type = typeOfData(text);
    return { url: `data:${type};base64,${text}`, kind: kindOf(names, text, type) };
  }
  if (/^data:/i.test(text)) return { url: text, kind: kindOf(names, "", /^data:([^;,]*)/i.exec(text)?.[1] ?? "") };
  if (text === "" || text.length > maxAddress || /\s/.test(text)) return undefined;
  const isAddress = /^(?:https?:)?\/\//i.test(text);
  const isNamed = names.some((name) => addressWords.has(name));
  const isFile = mediaKindOf(text.replace(/[?#].*$/s, "")) !== undefined;
  return isAddress || isFile || (isNamed && text.includes("/"))
    ? { url: text, kind: kindOf(names, text, "") }
    : undefined;
}

function kindOf(names: readonly string[], address: string, mimeType: string): FoundAddress["kind"] {
  if (names.some((name) => thumbnailWords.has(name))) return "thumbnail";
  const path = address.replace(/[?#].*$/s, "");
  return (
    mediaKinds.find((kind) => mimeType.toLowerCase().startsWith(`${mediaFacts(kind).mimeClass}/`)) ??
    mediaKindOf(path) ??
    mediaKinds.find((kind) => names.some((name) => isNameOf(kind, name)))
  );
}

function isNameOf(kind: MediaKind, name: string): boolean {
  return [kind, ...(mediaFacts(kind).synonyms ?? [])].some((word) => name === word || name === `${word}s`);
}

function isBase64(text: string): boolean {
  return text.length >= 32 && /^[A-Za-z0-9+/_-]+={0,2}$/.test(text);
}

/** By the first bytes; what is not known is recognised when it is fetched. */
function typeOfData(text: string): string {
  const types = {
    iVBORw0: "image/png",
    "/9j/": "image/jpeg",
    R0lGOD: "image/gif",
    UklGR: "image/webp",
    GkXf: "video/webm",
  };
  return Object.entries(types).find(([start]) => text.startsWith(start))?.[1] ?? "application/octet-stream";
}
