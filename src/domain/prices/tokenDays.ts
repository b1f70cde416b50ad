/** Adds up the tokens of chats: by day for the usage page (T13), and by model for prices (T18). Pure. */
import * as z from "zod/mini";
import { type Price, type PriceList, priceOfTokens, sumOfPrices, type TokenCounts } from "./priceList";
import { startOfDay } from "../../base/localDay";
import type { Immutable } from "../../base/immutable";

/** Tokens of the answers and summaries of one model. */
export interface TokenUsage {
  /** The time of the first answer or summary; milliseconds since 1970. */
  readonly at: number;
  readonly model: string;
  readonly input: number;
  readonly output: number;
  /** The part of `input` that the service read from its cache. */
  readonly cached: number;
}

/** The tokens of one model. */
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

// Adds up tokens by model, because prices are set by model (T18).

const count = z.number();
export const spentTokensSchema = z.object({
  model: z.string(),
  input: count,
  output: count,
  cacheRead: count,
  cacheWrite: count,
});
export type SpentTokens = Immutable<z.infer<typeof spentTokensSchema>>;

/** `spent` with one more request. Counts that are no positive numbers are left out: a gateway writes them. */
export function addSpent(
  spent: readonly SpentTokens[],
  model: string,
  { input, output, cacheRead, cacheWrite }: TokenCounts,
): readonly SpentTokens[] {
  const at = spent.findIndex((one) => one.model === model);
  const before = spent[at] ?? { model, input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  const sum = {
    model,
    input: before.input + countOf(input),
    output: before.output + countOf(output),
    cacheRead: before.cacheRead + countOf(cacheRead),
    cacheWrite: before.cacheWrite + countOf(cacheWrite),
  };
  return at < 0 ? [...spent, sum] : spent.with(at, sum);
}

/** `undefined` where the list has no price for any of them. */
export function priceOfSpent(list: PriceList, spent: readonly SpentTokens[]): Price | undefined {
  return sumOfPrices(spent.map((one) => priceOfTokens(list, one.model, one)));
}

function countOf(tokens = 0): number {
  return Number.isNaN(tokens) ? 0 : Math.round(Math.min(Math.max(0, tokens), 1e12));
}

/** By the person's price list. `undefined` where it has no price for the model. */
export function priceOfModel(prices: PriceList, { model, input, cached, output }: ModelTokens): Price | undefined {
  return priceOfTokens(prices, model, { input, output, cacheRead: cached });
}
