/** What a person set for a model, as the generate-content family writes it. */
import { definedFields } from "../../../base/definedFields";
import type { ModelOptions, Thinking } from "../../../domain/modelOptions";
import type { JsonRecord } from "../../http/jsonValue";

const budgets = { off: 0, low: 4096, medium: 8192, high: 24_576 } as const;
const levels = { off: "MINIMAL", low: "LOW", medium: "MEDIUM", high: "HIGH" } as const;

export function writeGenerationConfig(options: ModelOptions = {}, model: string): JsonRecord | undefined {
  const { maxOutputTokens, temperature, thinking } = options;
  const config = {
    ...definedFields({ maxOutputTokens, temperature }),
    ...(thinking === undefined || thinking === false ? {} : { thinkingConfig: writeThinking(thinking, model) }),
  };
  return Object.keys(config).length === 0 ? undefined : config;
}

function writeThinking(thinking: Exclude<Thinking, false>, model: string): JsonRecord {
  if (thinking === true) return { includeThoughts: true };
  // The two exclude each other: up to version 2 it is a number of tokens.
  const howMuch =
    (geminiVersion(model) ?? 3) < 3 ? { thinkingBudget: budgets[thinking] } : { thinkingLevel: levels[thinking] };
  return thinking === "off" ? howMuch : { includeThoughts: true, ...howMuch };
}

/** The number in a model's id; a gateway may call its models otherwise. */
export function geminiVersion(model: string): number | undefined {
  const version = /gemini-(\d+)/i.exec(model)?.[1];
  return version === undefined ? undefined : Number(version);
}
