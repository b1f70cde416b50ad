/** The values of the task interface in all the forms that gateways write: states, times, texts, result assets (Q-K6, Q-K8, Q-K9, Q-K14). */
import * as z from "zod/mini";
import { definedFields } from "../../base/definedFields";
import { type MediaKind, mediaKinds } from "../../domain/task/mediaKinds";
import { type ResultAssets, type TaskState, taskStates } from "../../domain/task/task";
import { asNumber, asRecord, asText } from "../../base/jsonValue";
import { parseLooseJson } from "../../base/looseJson";
import { findAddresses } from "./resultAddresses";

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

/** A state of the gateway's document as number, numeric text or name; anything else is `unknown` with its raw text. */
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

/** Milliseconds since 1970. A time without a zone is UTC, as the gateway's document says. */
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

/** Before it, a time is one that was never set: Go writes `0001-01-01T00:00:00Z` for it, others the beginning of 1970. */
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

/** What a task has made. `more`: the addresses of further results, of which a task keeps no file. */
export interface ReadAssets {
  readonly assets?: ResultAssets;
  readonly more?: readonly string[];
}

/** Further results of one task; in all, so that a row on disk stays small. */
const maxMore = 20;

/**
 * `result_assets_json`: an object serialised as a string, as the gateway's document has it, or the object itself. What was paid for is
 * also read in the forms beside it; `kind` is what the task makes, for an address that does not say.
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
  // A picture in the answer itself is no address, and may be large.
  const more = found.flatMap(({ url, kind: own }) =>
    known.has(url) || own === "thumbnail" || url.startsWith("data:") ? [] : [url],
  );
  return {
    assets: { kind: "assets", ...urls, ...definedFields({ thumbnailUrl, seed }) },
    ...(more.length === 0 ? {} : { more: more.slice(0, maxMore) }),
  };
}

/** One URL, the first of several, or an object around it. */
function readUrl(value: unknown): string | undefined {
  const one: unknown = Array.isArray(value) ? value[0] : value;
  const url = asText(one) ?? asText(asRecord(one)?.["url"]);
  return url === undefined || url.length <= maxTextLength || url.startsWith("data:") ? url : undefined;
}

/** Empty where the value is nested too deeply for JSON.stringify, so that the fields beside it are still read: they may name a paid task. */
function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return "";
  }
}
