/** What a stored request holds besides type, model and prompt, for *Duplicate with Changes*. */
import type { MetadataObject } from "./metadata";
import { readInputAssets, type SentAssets } from "./references";

export interface SentExtras {
  readonly assets: SentAssets;
  readonly metadata: MetadataObject;
}

/** A body that can't be read has none. */
export function readExtras(body: string | undefined): SentExtras {
  const request = asObject(parse(body));
  return {
    assets: readInputAssets(asObject(request["input_assets_json"])),
    metadata: asObject(request["metadata_json"]),
  };
}

function parse(body: string | undefined): unknown {
  try {
    return JSON.parse(body ?? "{}");
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): MetadataObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as MetadataObject) : {};
}
