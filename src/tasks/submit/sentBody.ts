/** What the stored body of a request holds besides type, model and prompt. */
import type { MetadataObject } from "./metadata";

export interface SentBody {
  readonly metadata: MetadataObject;
  readonly inputAssets: MetadataObject;
}

/** A body that can't be read has neither. Both are objects, or the text of one: a task of another program may have sent text. */
export function readSentBody(body: string | undefined): SentBody {
  const request = objectOf(body);
  return { metadata: objectOf(request["metadata_json"]), inputAssets: objectOf(request["input_assets_json"]) };
}

function objectOf(value: unknown): MetadataObject {
  const read = typeof value === "string" ? parse(value) : value;
  return typeof read === "object" && read !== null && !Array.isArray(read) ? (read as MetadataObject) : {};
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
