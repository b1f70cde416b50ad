/** The user's model options in the fields of the messages family, and the output limit that it requires in each request. */
import { definedFields } from "../../../base/definedFields";
import type { ModelOptions } from "../../../domain/modelOptions";
import type { JsonRecord } from "../../jsonValue";
import type { MessagesVariant } from "./variants";

/** The limit is required, and includes the thinking. Tokens. */
const leastLimit = 8192;
const leastBudget = 1024;
const budgets = { low: 4096, medium: 8192, high: 24_576 } as const;

export function writeMessagesOptions(options: ModelOptions = {}, { thinkingBudget }: MessagesVariant): JsonRecord {
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
  // The newest models omit the thinking unless a display is requested.
  return { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort } };
}

/** Reserves tokens for the answer itself; without room for both, thinking is off. */
function writeBudget(wanted: number, limit: number): JsonRecord {
  const budget = Math.min(wanted, limit - leastBudget);
  return budget < leastBudget ? {} : { thinking: { type: "enabled", budget_tokens: budget } };
}
