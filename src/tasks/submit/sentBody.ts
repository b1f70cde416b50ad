/** What the stored body of a request holds besides type, model and prompt. */
import { asRecord, parseJson } from "../../base/jsonValue";
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
  return asRecord(typeof value === "string" ? parseJson(value) : value) ?? {};
}
