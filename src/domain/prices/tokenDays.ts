/** What models took in chats, a day: for the usage page (T13). Pure. */
import type { Price } from "./price";
import { type PriceList, priceOfTokens } from "./priceList";
import { startOfDay } from "../../base/localDay";

/** Tokens of the answers and summaries of one model. */
export interface TokenUsage {
  /** Of the first of them; milliseconds since 1970. */
  readonly at: number;
  readonly model: string;
  readonly input: number;
  readonly output: number;
  /** Of `input`: read from the service's cache. */
  readonly cached: number;
}

/** Of one model. */
export type ModelTokens = Omit<TokenUsage, "at">;

export interface TokenDay {
  /** Midnight here, milliseconds since 1970. */
  readonly start: number;
  /** The most input first. */
  readonly models: readonly ModelTokens[];
}

/** Days of local time, newest first; those without any are missing. */
export function tokensByDay(usages: readonly TokenUsage[]): readonly TokenDay[] {
  const days = Map.groupBy(usages, ({ at }) => startOfDay(at));
  return [...days]
    .map(([start, ofDay]) => ({ start, models: tokensByModel(ofDay) }))
    .sort((one, other) => other.start - one.start);
}

/** The most input first. */
export function tokensByModel(usages: readonly ModelTokens[]): readonly ModelTokens[] {
  const sum = (all: readonly ModelTokens[], name: "input" | "output" | "cached"): number =>
    all.reduce((total, one) => total + one[name], 0);
  return [...Map.groupBy(usages, ({ model }) => model)]
    .map(([model, all]) => ({
      model,
      input: sum(all, "input"),
      output: sum(all, "output"),
      cached: sum(all, "cached"),
    }))
    .sort((one, other) => other.input - one.input || (one.model < other.model ? -1 : 1));
}

/** By the person's price list. `undefined` where it has no price for the model. */
export function priceOfModel(prices: PriceList, { model, input, cached, output }: ModelTokens): Price | undefined {
  return priceOfTokens(prices, model, { input, output, cacheRead: cached });
}
