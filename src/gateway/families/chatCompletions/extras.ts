/** What stands beside the text of a chat completion: details of the thinking that must come back unchanged, sources and pictures. */
import { asArray, asNumber, asRecord, asText, type JsonRecord } from "../../http/jsonValue";
import type { Sources } from "../shared/sources";

/** The `data` of an opaque part of this family: written by the decoder, read by the request. */
export interface ChatCompletionsOpaque {
  /** Where the thinking came from, if it has to go back there: beside calls, and only as `reasoning_content`. */
  readonly reasoningField?: string;
  /** Merged, in order. */
  readonly reasoningDetails?: readonly JsonRecord[];
  /** `extra_content` of the message, and of its calls by `call`: thought signatures. */
  readonly extraContent?: JsonRecord;
  readonly callExtraContent?: Readonly<Record<string, unknown>>;
}

const joined = ["text", "summary", "data"];

export interface ReasoningDetails {
  push(fragments: readonly unknown[]): void;
  readonly all: readonly JsonRecord[];
}

/** Fragments of one index, type and id are one detail: their texts joined, everything else as last said. */
export function createReasoningDetails(): ReasoningDetails {
  const details: Record<string, unknown>[] = [];
  const byKey = new Map<string, Record<string, unknown>>();
  return {
    push(fragments) {
      for (const fragment of fragments) {
        const record = asRecord(fragment);
        if (record === undefined) continue;
        const index = asNumber(record["index"]);
        const key = index === undefined ? undefined : `${index}:${asText(record["type"]) ?? ""}`;
        const known = key === undefined ? undefined : byKey.get(key);
        if (known === undefined || isAnother(known, record)) {
          const detail = { ...record };
          details.push(detail);
          if (key !== undefined) byKey.set(key, detail);
        } else mergeDetail(known, record);
      }
    },
    all: details,
  };
}

/** Two signatures at one index, each with the id of its own call. */
function isAnother(detail: JsonRecord, fragment: JsonRecord): boolean {
  const id = asText(fragment["id"]);
  return id !== undefined && asText(detail["id"]) !== undefined && id !== detail["id"];
}

function mergeDetail(detail: Record<string, unknown>, fragment: JsonRecord): void {
  for (const [name, value] of Object.entries(fragment)) {
    const before = detail[name];
    if (value === null || value === "") continue;
    const joins = joined.includes(name) && typeof before === "string" && typeof value === "string";
    detail[name] = joins ? before + value : value;
  }
}

/** The text of a detail, for servers that send the thinking there only. */
export function readDetailText(fragments: readonly unknown[]): string {
  return fragments
    .map((fragment) => asText(asRecord(fragment)?.["text"]) ?? asText(asRecord(fragment)?.["summary"]) ?? "")
    .join("");
}

/** Everything in a chunk that names a source: annotations, and the lists that some servers repeat in each chunk. */
export function readSources(chunk: JsonRecord, delta: JsonRecord | undefined, sources: Sources): void {
  const { citations, search_results: results, web_search: found } = chunk;
  const annotations = delta?.["annotations"];
  // Hardly any chunk has one, and every chunk comes through here.
  if (citations === undefined && results === undefined && found === undefined && annotations === undefined) return;
  for (const list of [annotations, citations, results, found]) {
    for (const raw of asArray(list)) {
      const record = asRecord(raw);
      const citation = asRecord(record?.["url_citation"]) ?? record;
      const url = asText(raw) ?? asText(citation?.["url"]) ?? asText(citation?.["link"]);
      if (url !== undefined) sources.add({ url, title: asText(citation?.["title"]), raw });
    }
  }
}

/** A picture that came as a data URL; others are not fetched. */
export function readPicture(part: unknown): { mimeType: string; data: string } | undefined {
  const image = asRecord(part)?.["image_url"];
  const url = asText(image) ?? asText(asRecord(image)?.["url"]);
  const read = /^data:([^;,]+);base64,([A-Za-z0-9+/=\s]*)$/.exec(url ?? "");
  return read?.[1] === undefined || read[2] === undefined ? undefined : { mimeType: read[1], data: read[2] };
}
