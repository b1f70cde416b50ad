/** What the programs say of their models: the size of the context, and what a model takes (A14). Of a program that does not say it nothing is known. */
import * as z from "zod/mini";
import { definedFields } from "../../../base/definedFields";
import { asNumber, asRecord, asText } from "../../../base/jsonValue";
import { fetchJson } from "./fetchJson";

export interface ModelFacts {
  /** The most that the model can have, or what it was loaded with where that can't be changed by a request. Tokens. */
  readonly contextSize?: number;
  /** With which the program loads it unless a request says otherwise. */
  readonly usualSize?: number;
  readonly tools?: boolean;
  readonly images?: boolean;
  readonly thinking?: boolean;
  /** False for a model of another kind, such as one for embeddings. */
  readonly chats?: boolean;
}

const shownSchema = z.looseObject({
  model_info: z.optional(z.record(z.string(), z.unknown())),
  capabilities: z.optional(z.array(z.string())),
  parameters: z.optional(z.string()),
});

/** `/api/show`. */
export async function factsOfOllama(port: number, model: string, signal: AbortSignal): Promise<ModelFacts> {
  const shown = shownSchema.safeParse(await fetchJson(port, "/api/show", signal, { model }));
  if (!shown.success) return {};
  const { model_info: info = {}, capabilities, parameters = "" } = shown.data;
  const architecture = asText(info["general.architecture"]) ?? "";
  const usual = /^num_ctx\s+(\d{1,9})\s*$/m.exec(parameters)?.[1];
  return definedFields({
    contextSize: asSize(info[`${architecture}.context_length`]),
    usualSize: asSize(usual),
    tools: capabilities?.includes("tools"),
    images: capabilities?.includes("vision"),
    thinking: capabilities?.includes("thinking"),
    chats: capabilities?.includes("completion"),
  });
}

const studioSchema = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })) });

/** `/api/v0/models`, by the id of a model. */
export async function factsOfLmStudio(port: number, signal: AbortSignal): Promise<ReadonlyMap<string, ModelFacts>> {
  const listed = studioSchema.safeParse(await fetchJson(port, "/api/v0/models", signal));
  if (!listed.success) return new Map();
  return new Map(
    listed.data.data.map((model) => {
      const capabilities = z.array(z.string()).safeParse(model["capabilities"]);
      const type = asText(model["type"]);
      const facts = definedFields({
        // A loaded model has no more than this, whatever it could have.
        contextSize: asSize(model["loaded_context_length"]) ?? asSize(model["max_context_length"]),
        tools: capabilities.success ? capabilities.data.includes("tool_use") : undefined,
        images: type === undefined ? undefined : type === "vlm",
        chats: type === undefined ? undefined : type !== "embeddings",
      });
      return [model.id, facts];
    }),
  );
}

/** `/props`; a llama.cpp has one model, and each of its slots this much. */
export async function factsOfLlama(port: number, signal: AbortSignal): Promise<ModelFacts> {
  const props = asRecord(await fetchJson(port, "/props", signal));
  const settings = asRecord(props?.["default_generation_settings"]);
  const vision = asRecord(props?.["modalities"])?.["vision"];
  return definedFields({
    contextSize: asSize(settings?.["n_ctx"]),
    images: typeof vision === "boolean" ? vision : undefined,
  });
}

function asSize(value: unknown): number | undefined {
  const size = asNumber(value);
  return size !== undefined && Number.isSafeInteger(size) && size > 0 ? size : undefined;
}
