/** What a person set for a model, as the messages family writes it, and the limit that it wants in each request. */
import { definedFields } from "../../../base/definedFields";
import type { ModelOptions } from "../../../domain/modelOptions";
import type { ChatForm } from "../../chatForms";
import type { JsonRecord } from "../../http/jsonValue";

/** The limit is required, and counts the thinking as well. */
const leastLimit = 8192;
const leastBudget = 1024;
const budgets = { low: 4096, medium: 8192, high: 24_576 } as const;

export function writeMessagesOptions(options: ModelOptions = {}, { thinkingBudget }: ChatForm): JsonRecord {
  const { temperature, thinking } = options;
  const effort = thinking === "off" || typeof thinking !== "string" ? undefined : thinking;
  const wanted = effort === undefined ? 0 : budgets[effort];
  const limit = options.maxOutputTokens ?? Math.max(leastLimit, options.outputSize ?? leastLimit + wanted);
  return {
    max_tokens: limit,
    ...definedFields({ temperature }),
    ...(thinking === "off" ? { thinking: { type: "disabled" } } : {}),
    ...(effort === undefined ? {} : thinkingBudget ? writeBudget(wanted, limit) : writeEffort(effort)),
  };
}

function writeEffort(effort: keyof typeof budgets): JsonRecord {
  // The newest models do not show what they think unless they are asked to.
  return { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort } };
}

/** Something must be left for the answer itself; where there is no room for both there is no thinking. */
function writeBudget(wanted: number, limit: number): JsonRecord {
  const budget = Math.min(wanted, limit - leastBudget);
  return budget < leastBudget ? {} : { thinking: { type: "enabled", budget_tokens: budget } };
}
