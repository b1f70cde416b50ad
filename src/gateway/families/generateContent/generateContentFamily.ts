/** The generate-content family for the registry. */
import { AppFailure } from "../../../domain/errors/appError";
import type { ApiVersion } from "../../http/addresses";
import type { FamilyDefinition } from "../shared/familyDefinition";
import { GenerateContentDecoder } from "./decoder";
import { buildGenerateContentRequest } from "./request";
import { firstGenerateContentVariant, generateContentRules, type GenerateContentVariant } from "./variants";

export interface GenerateContentSettings {
  readonly authentication?: "bearer" | "x-goog-api-key" | "query";
  /** The only prefix of the path; when left out, the other one is tried after a 404. */
  readonly version?: ApiVersion;
}

export const generateContentFamily: FamilyDefinition<GenerateContentVariant, GenerateContentSettings> = {
  family: "generate-content",
  firstVariant: firstGenerateContentVariant,
  variantRules: generateContentRules,
  createDecoder: (answer) => new GenerateContentDecoder(answer),
  writeRequest: (request, variant, settings) => ({
    path: `/models/${modelPath(request.model)}:streamGenerateContent?alt=sse`,
    version: variant.version,
    headers: {},
    keyPlace: settings?.authentication ?? "bearer",
    body: buildGenerateContentRequest(request, variant),
  }),
  versionOf: (settings) => settings?.version,
};

/** An id may contain slashes, and may begin with the `models/` that is already in the path. */
function modelPath(model: string): string {
  const segments = model.replace(/^models\//, "").split("/");
  if (segments.some((segment) => segment === "" || segment === "." || segment === "..")) {
    throw new AppFailure({ kind: "not-found", message: `This is no id of a model: ${model}`, notSent: true });
  }
  return segments.map(encodeURIComponent).join("/");
}
