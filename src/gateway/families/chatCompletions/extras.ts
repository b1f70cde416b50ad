/** Fields beside the text of a chat completion: thinking details that must be sent back unchanged, sources and pictures. */
import { asArray, asNumber, asRecord, asText, type JsonRecord } from "../../../base/jsonValue";
import type { Sources } from "../shared/sources";

/** The `data` of an opaque part of this family: written by the decoder, read by the request. */
export interface ChatCompletionsOpaque {
  /** The field of the thinking, if it has to be sent back in it: beside calls, and only for `reasoning_content`. */
  readonly reasoningField?: string;
  /** Merged, in order. */
  readonly reasoningDetails?: readonly JsonRecord[];
  /** `extra_content` of the message, and of its calls by `call`: thought signatures. */
  readonly extraContent?: JsonRecord;
  readonly callExtraContent?: Readonly<Record<string, unknown>>;
}

/** Fields whose fragments are joined. */
const joined = ["text", "summary", "data"];

/** Fragments of one index, type and id are one detail: their texts are joined, the last value of any other field counts. */
export class ReasoningDetails {
  readonly #details: Record<string, unknown>[] = [];
  readonly #byKey = new Map<string, Record<string, unknown>>();

  get all(): readonly JsonRecord[] {
    return this.#details;
  }

  push(fragments: readonly unknown[]): void {
    for (const fragment of fragments) {
      const record = asRecord(fragment);
      if (record === undefined) continue;
      const index = asNumber(record["index"]);
      const key = index === undefined ? undefined : `${index}:${asText(record["type"]) ?? ""}`;
      const known = key === undefined ? undefined : this.#byKey.get(key);
      if (known === undefined || isAnother(known, record)) {
        const detail = { ...record };
        this.#details.push(detail);
        if (key !== undefined) this.#byKey.set(key, detail);
      } else mergeDetail(known, record);
    }
  }
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

/** The sources in a chunk: annotations, and the lists that some servers repeat in each chunk. */
export function readSources(chunk: JsonRecord, delta: JsonRecord | undefined, sources: Sources): void {
  const { citations, search_results: results, web_search: found } = chunk;
  const annotations = delta?.["annotations"];
  // Hardly any chunk has one, and this runs for every chunk.
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
