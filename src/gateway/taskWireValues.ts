/**
 * Reads the values of the task interface in all the forms that gateways write: states, times, texts, task types, result assets (Q-K6, Q-K8, Q-K9,
 * Q-K14).
 */
import * as z from "zod/mini";
import { definedFields } from "../base/definedFields";
import {
  type MediaKind,
  mediaKinds,
  mediaKindOf,
  mediaFacts,
  type TaskType,
  taskTypeFacts,
  taskTypes,
} from "../domain/task/taskTypes";
import { type ResultAssets, type TaskState, taskStates } from "../domain/task/task";
import { asNumber, asRecord, asText, isRecord } from "../base/jsonValue";
import { parseLooseJson } from "../base/looseJson";
import { defaultStylizedImageWord } from "../domain/gateway/modelAccess";

const maxRawLength = 2000;
/** Characters of one field. An address may hold a whole picture (`data:`). */
const maxTextLength = 8000;

const names: Readonly<Record<string, TaskState>> = {
  created: "created",
  pending: "created",
  submitted: "queued",
  queued: "queued",
  processing: "processing",
  in_progress: "processing",
  running: "processing",
  succeeded: "succeeded",
  success: "succeeded",
  completed: "succeeded",
  failed: "failed",
  failure: "failed",
  cancelled: "cancelled",
  canceled: "cancelled",
  expired: "expired",
  refunded: "refunded",
};

/** Reads a documented state as number, numeric text or name; anything else is `unknown` with its raw text. */
export function readState(value: unknown): { state: TaskState; rawStatus: string } {
  const written = typeof value === "string" ? value : value === undefined ? "" : writeJson(value);
  const rawStatus = written.slice(0, maxRawLength);
  const number = asNumber(value);
  if (number !== undefined) return { state: taskStates[number - 1] ?? "unknown", rawStatus };
  const name =
    typeof value === "string"
      ? value
          .trim()
          .toLowerCase()
          .replace(/^(?:task_)?status_/, "")
      : "";
  return { state: Object.hasOwn(names, name) ? (names[name] ?? "unknown") : "unknown", rawStatus };
}

/** Milliseconds since 1970. By the gateway's document a time without a zone is UTC. */
export const wireTime = z.catch(
  z.optional(
    z.pipe(
      z.union([z.string(), z.number()]),
      z.transform((value) => readTime(value)),
    ),
  ),
  undefined,
);

export function readTime(value: string | number): number | undefined {
  const number = asNumber(value);
  const time = number === undefined ? parseTime(value) : readTimeNumber(number);
  return time !== undefined && time >= earliest ? time : undefined;
}

function parseTime(value: string | number): number {
  const text = String(value).trim().replace(" ", "T");
  const hasZone = /(?:z|[+-]\d{2}:?\d{2})$/i.test(text);
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  return Date.parse(hasZone || isDay || !/^\d{4}-/.test(text) ? String(value) : `${text}Z`);
}

/** An earlier time was never set: Go writes `0001-01-01T00:00:00Z` for that, others the beginning of 1970. */
const earliest = Date.UTC(2000, 0, 1);

/** Seconds, milliseconds, microseconds or nanoseconds: 1e11 seconds is the year 5138, 1e11 milliseconds is 1973. */
function readTimeNumber(number: number): number | undefined {
  if (number <= 0 || number >= 1e20) return undefined;
  if (number < 1e11) return number * 1000;
  return number < 1e14 ? number : number < 1e17 ? number / 1e3 : number / 1e6;
}

/** Text, a number as text, or anything else as JSON; empty counts as absent, and long text is cut. */
export const wireText = z.optional(
  z.pipe(
    z.unknown(),
    z.transform((value): string | undefined => {
      if (value === null || value === undefined || value === "") return undefined;
      return (typeof value === "string" ? value : writeJson(value)).slice(0, maxTextLength) || undefined;
    }),
  ),
);

/** The results of a task. `more`: the addresses of further results, of which a task keeps no file. */
interface ReadAssets {
  readonly assets?: ResultAssets;
  readonly more?: readonly string[];
}

/** The most further results of one task, so that a row on disk stays small. */
const maxMore = 20;

/**
 * Reads `result_assets_json`: an object serialised as a string, as in the gateway's document, or the object itself. Other forms are read
 * too, because results are paid. `kind`: what the task makes, for an address that does not show its kind.
 */
export function readAssets(value: unknown, kind: MediaKind = "image"): ReadAssets {
  if (value === undefined || value === null) return {};
  const read = typeof value === "string" ? (parseLooseJson(value) ?? value) : value;
  const raw = (typeof value === "string" ? value : writeJson(value)).slice(0, maxRawLength);
  const object = asRecord(read) ?? {};
  const found = findAddresses(read);
  const named = (name: MediaKind | "thumbnail"): string | undefined => readUrl(object[`${name}_url`]);
  const ofKind = (name: MediaKind): string | undefined =>
    named(name) ?? found.find((one) => (one.kind ?? kind) === name)?.url;
  const urls = definedFields(Object.fromEntries(mediaKinds.map((name) => [`${name}Url`, ofKind(name)])));
  const thumbnailUrl = named("thumbnail") ?? found.find((one) => one.kind === "thumbnail")?.url;
  const seed = asNumber(object["seed"]);
  if (Object.keys(urls).length === 0 && thumbnailUrl === undefined) return { assets: { kind: "unreadable", raw } };
  const known = new Set<unknown>([...Object.values(urls), thumbnailUrl]);
  // A picture in the response itself is left out, because it has no address and may be large.
  const more = found.flatMap(({ url, kind: own }) =>
    known.has(url) || own === "thumbnail" || url.startsWith("data:") ? [] : [url],
  );
  return {
    assets: { kind: "assets", ...urls, ...definedFields({ thumbnailUrl, seed }) },
    ...(more.length === 0 ? {} : { more: more.slice(0, maxMore) }),
  };
}

/** Reads a URL, the first of several, or that of an object. */
function readUrl(value: unknown): string | undefined {
  const one: unknown = Array.isArray(value) ? value[0] : value;
  const url = asText(one) ?? asText(asRecord(one)?.["url"]);
  return url === undefined || url.length <= maxTextLength || url.startsWith("data:") ? url : undefined;
}

/** Empty if the value is nested too deeply for JSON.stringify, so that the other fields are still read: they may name a paid task. */
function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return "";
  }
}

// Finds the addresses of results in undocumented forms of gateways: other names, lists, objects in lists, data in base64.

interface FoundAddress {
  readonly url: string;
  /** `undefined` if neither its name nor its address shows the kind. */
  readonly kind: MediaKind | "thumbnail" | undefined;
}

/** The most values that are read of a gateway's response, and the most levels of lists and objects. */
const maxValues = 500;
const maxLevels = 8;
/** Characters of an address that is no data. */
const maxAddress = 8000;

/** Names of inputs, or of other pages about the task, whose addresses are no results. */
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

/** Finds the addresses in the order of the value, each once. */
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
  const type = typeOfData(text);
  // A picture or video is recognised by its first bytes, whatever its field is called.
  if ((names.some((name) => dataWords.has(name)) || type !== unknownData) && isBase64(text)) {
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

const unknownData = "application/octet-stream";

/** The type by the first bytes. Unknown data is recognised when it is fetched. */
function typeOfData(text: string): string {
  const types = {
    iVBORw0: "image/png",
    "/9j/": "image/jpeg",
    R0lGOD: "image/gif",
    UklGR: "image/webp",
    GkXf: "video/webm",
  };
  return Object.entries(types).find(([start]) => text.startsWith(start))?.[1] ?? unknownData;
}

// Translates the types of tasks to and from the words of the task interface.

export function writeTaskType(type: TaskType, vendorWord: string): string {
  const { hasVendorWord, wire } = taskTypeFacts(type);
  return hasVendorWord ? vendorWord : wire.word;
}

/** Reads the word of a request or the number of a response. Empty for anything else. */
export function readTaskTypes(value: unknown, vendorWord: string): readonly TaskType[] {
  const number = asNumber(value);
  return taskTypes.filter((type) =>
    number === undefined ? writeTaskType(type, vendorWord) === value : taskTypeFacts(type).wire.number === number,
  );
}

/** The type in a response; an unknown type is returned as the service wrote it. */
export function readTypeName(value: unknown): string | undefined {
  return readTaskTypes(value, defaultStylizedImageWord)[0] ?? asNumber(value)?.toString() ?? asText(value);
}
