/** The user's model options in the fields of the generate-content family. */
import { definedFields } from "../../../base/definedFields";
import type { ModelOptions, Thinking } from "../../../domain/modelOptions";
import type { JsonRecord } from "../../jsonValue";

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
  // Mutually exclusive: models up to version 2 take a number of tokens.
  const amount =
    (geminiVersion(model) ?? 3) < 3 ? { thinkingBudget: budgets[thinking] } : { thinkingLevel: levels[thinking] };
  return thinking === "off" ? amount : { includeThoughts: true, ...amount };
}

/** The version in a model's id; `undefined` for other ids. */
export function geminiVersion(model: string): number | undefined {
  const version = /gemini-(\d+)/i.exec(model)?.[1];
  return version === undefined ? undefined : Number(version);
}
