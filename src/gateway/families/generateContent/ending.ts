/** Finish reason, usage and sources of the generate-content family. */
import { definedFields } from "../../../base/definedFields";
import type { Finish, Usage } from "../../../domain/chat/chatEvent";
import { asArray, asCount, asRecord, asText, isRecord, type JsonRecord } from "../../../base/jsonValue";
import type { Sources } from "../shared/sources";

const finishes: Readonly<Record<string, Finish>> = {
  STOP: "stop",
  MAX_TOKENS: "length",
  SAFETY: "content-filter",
  RECITATION: "content-filter",
  LANGUAGE: "content-filter",
  BLOCKLIST: "content-filter",
  PROHIBITED_CONTENT: "content-filter",
  SPII: "content-filter",
  MODEL_ARMOR: "content-filter",
  MALFORMED_FUNCTION_CALL: "error",
  UNEXPECTED_TOOL_CALL: "error",
  CONTINUATION: "pause",
};

/** An unlisted reason is `unknown`, and is shown raw. */
export function readCandidateFinish(reason: string): Finish {
  const name = reason.toUpperCase();
  if (name.startsWith("IMAGE_")) return "content-filter";
  return Object.hasOwn(finishes, name) ? (finishes[name] ?? "unknown") : "unknown";
}

/** Tokens. This family counts thinking apart from the output, and the tools' part of the prompt apart from the prompt. */
export function readUsage(raw: JsonRecord): Usage {
  const input = sum(asCount(raw["promptTokenCount"]), asCount(raw["toolUsePromptTokenCount"]));
  const reasoning = asCount(raw["thoughtsTokenCount"]);
  const output = sum(asCount(raw["candidatesTokenCount"]), reasoning);
  const cacheRead = asCount(raw["cachedContentTokenCount"]);
  return {
    ...definedFields({ input, output, reasoning, cacheRead }),
    raw,
  };
}

function sum(first: number | undefined, second: number | undefined): number | undefined {
  return first === undefined ? second : first + (second ?? 0);
}

/** The fields of a candidate that name what the model has read or repeats. */
export const groundingFields = ["groundingMetadata", "citationMetadata", "urlContextMetadata"] as const;

export function readGroundingSources(candidate: JsonRecord, sources: Sources): void {
  const chunks = asArray(asRecord(candidate["groundingMetadata"])?.["groundingChunks"]);
  const metadata = asRecord(candidate["citationMetadata"]);
  const citations = [...asArray(metadata?.["citations"]), ...asArray(metadata?.["citationSources"])];
  const pages = asArray(asRecord(candidate["urlContextMetadata"])?.["urlMetadata"]);
  for (const raw of [...chunks, ...citations, ...pages]) {
    if (!isRecord(raw) || Object.keys(raw).length === 0) continue;
    const source = asRecord(raw["web"]) ?? asRecord(raw["retrievedContext"]) ?? asRecord(raw["maps"]) ?? raw;
    const url = asText(source["uri"]) ?? asText(source["retrievedUrl"]);
    sources.add({ url, title: asText(source["title"]), raw });
  }
}
