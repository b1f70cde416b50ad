/** Usage of the messages family: totals that are spread over several events, the last value of each counts. */
import { definedFields } from "../../../base/definedFields";
import { asCount, asRecord } from "../../jsonValue";
import type { Answer } from "../shared/answer";

export class MessagesUsage {
  readonly #raw: Record<string, unknown> = {};

  push(usage: unknown): void {
    for (const [name, value] of Object.entries(asRecord(usage) ?? {})) {
      if (value !== null && value !== undefined) this.#raw[name] = value;
    }
  }

  /** Does nothing if no event had any usage. */
  emit(answer: Answer): void {
    const raw = this.#raw;
    if (Object.keys(raw).length === 0) return;
    const uncached = asCount(raw["input_tokens"]);
    const cacheRead = asCount(raw["cache_read_input_tokens"]);
    const cacheWrite = asCount(raw["cache_creation_input_tokens"]);
    const output = asCount(raw["output_tokens"]);
    const reasoning = asCount(asRecord(raw["output_tokens_details"])?.["thinking_tokens"]);
    const counted = [uncached, cacheRead, cacheWrite].filter((tokens) => tokens !== undefined);
    // This family's `input_tokens` excludes the cached ones; everywhere else `input` is the whole prompt.
    const input = counted.length === 0 ? undefined : counted.reduce((sum, tokens) => sum + tokens, 0);
    answer.emit({ type: "usage", ...definedFields({ input, output, reasoning, cacheRead, cacheWrite }), raw });
  }
}
