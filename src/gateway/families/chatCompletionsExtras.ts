/** What stands beside the text of a chat completion: details of the thinking that must come back unchanged, sources and pictures. */
import type { Answer } from "../answer";
import { asArray, asNumber, asRecord, asText, type JsonRecord } from "../jsonValue";

/** The `data` of an opaque part of this family: written by the decoder, read by the request. */
export interface ChatCompletionsOpaque {
  /** Where the thinking came from. Only `reasoning_content` is ever sent back (contract.md 1.2). */
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

/** Fragments of one index and type are one detail: their texts joined, everything else as last said (contract.md 1.4). */
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
        if (known === undefined) {
          const detail = { ...record };
          details.push(detail);
          if (key !== undefined) byKey.set(key, detail);
        } else mergeDetail(known, record);
      }
    },
    all: details,
  };
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

export interface Sources {
  push(chunk: JsonRecord, delta: JsonRecord | undefined): void;
  end(): void;
}

/** Sources are told at the end and once: some servers repeat the whole list in each chunk. */
export function createSources(answer: Answer): Sources {
  const found = new Map<string, { url?: string; title?: string; raw: unknown }>();
  const add = (raw: unknown): void => {
    const record = asRecord(raw);
    const citation = asRecord(record?.["url_citation"]) ?? record;
    const url = asText(raw) ?? asText(citation?.["url"]);
    const title = asText(citation?.["title"]);
    if (url === undefined) return;
    const known = found.get(url);
    if (known === undefined || (known.title === undefined && title !== undefined)) {
      found.set(url, { url, ...(title === undefined ? {} : { title }), raw });
    }
  };
  return {
    push(chunk, delta) {
      for (const list of [delta?.["annotations"], chunk["citations"], chunk["search_results"]]) {
        asArray(list).forEach(add);
      }
    },
    end() {
      for (const source of found.values()) answer.emit({ type: "citation", block: answer.newBlock(), ...source });
      found.clear();
    },
  };
}

/** A picture that came as a data URL; others are not fetched. */
export function readPicture(part: unknown): { mimeType: string; data: string } | undefined {
  const image = asRecord(part)?.["image_url"];
  const url = asText(image) ?? asText(asRecord(image)?.["url"]);
  const read = /^data:([^;,]+);base64,([A-Za-z0-9+/=\s]*)$/.exec(url ?? "");
  return read?.[1] === undefined || read[2] === undefined ? undefined : { mimeType: read[1], data: read[2] };
}
