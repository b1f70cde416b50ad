/** The options of a caller in VS Code that Sluice understands, over those that the person set for the model. */
import * as z from "zod/mini";
import { definedFields } from "../base/definedFields";
import type { ModelOptions } from "../domain/modelOptions";

const temperature = z.number().check(z.minimum(0), z.maximum(2));
const tokens = z.int().check(z.positive());
/** Callers use the names of the APIs that they know. */
const limitNames = ["max_tokens", "maxTokens", "max_completion_tokens", "max_output_tokens", "maxOutputTokens"];

/** Anything else is ignored. The person's limit on an answer is never exceeded. */
export function readRequestOptions(options: unknown, model: ModelOptions): ModelOptions {
  const given = new Map(typeof options === "object" && options !== null ? Object.entries(options) : []);
  const wanted = limitNames.flatMap((name) => tokens.safeParse(given.get(name)).data ?? []);
  const limits = [...wanted.slice(0, 1), ...(model.maxOutputTokens === undefined ? [] : [model.maxOutputTokens])];
  return {
    ...model,
    ...definedFields({
      temperature: temperature.safeParse(given.get("temperature")).data ?? model.temperature,
      maxOutputTokens: limits.length === 0 ? undefined : Math.min(...limits),
    }),
  };
}
