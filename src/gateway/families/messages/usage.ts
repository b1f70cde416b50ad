/** Usage of the messages family: totals that are said in parts, where the last word on each counts. */
import { definedFields } from "../../../base/definedFields";
import type { Answer } from "../shared/answer";
import { asNumber, asRecord } from "../../http/jsonValue";

export interface MessagesUsage {
  push(usage: unknown): void;
  /** Tells what is known, if anything is. */
  tell(answer: Answer): void;
}

export function createMessagesUsage(): MessagesUsage {
  const raw: Record<string, unknown> = {};
  return {
    push(usage) {
      // They are totals already: never added up.
      for (const [name, value] of Object.entries(asRecord(usage) ?? {})) {
        if (value !== null && value !== undefined) raw[name] = value;
      }
    },
    tell(answer) {
      if (Object.keys(raw).length === 0) return;
      const uncached = asNumber(raw["input_tokens"]);
      const cacheRead = asNumber(raw["cache_read_input_tokens"]);
      const cacheWrite = asNumber(raw["cache_creation_input_tokens"]);
      const output = asNumber(raw["output_tokens"]);
      const reasoning = asNumber(asRecord(raw["output_tokens_details"])?.["thinking_tokens"]);
      const counted = [uncached, cacheRead, cacheWrite].filter((tokens) => tokens !== undefined);
      answer.emit({
        type: "usage",
        // In this family `input_tokens` leaves out what the cache held; everywhere else `input` is the whole prompt.
        ...(counted.length === 0 ? {} : { input: counted.reduce((sum, tokens) => sum + tokens, 0) }),
        ...definedFields({ output, reasoning, cacheRead, cacheWrite }),
        raw,
      });
    },
  };
}
