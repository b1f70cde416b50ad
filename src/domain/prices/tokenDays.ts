/** Adds up the tokens of chats: by day for the usage page (T13), and by model for prices (T18). Pure. */
import * as z from "zod/mini";
import { type Price, type PriceList, priceOfTokens, sumsOfPrices, type TokenCounts } from "./priceList";
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
  /** The cost that the gateway stated, or that its list gave then. Missing where neither had an amount. */
  readonly cost?: Price;
  /** The local gateway was asked, which charges nothing. */
  readonly isFree?: true;
}

interface TokenSum {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
}

/** The tokens of one model. */
export interface ModelTokens extends TokenSum {
  readonly model: string;
  readonly costs: readonly Price[];
  /** The tokens without a stated cost, of which some gateway may have charged for. */
  readonly unpriced: TokenSum;
}

export interface TokenDay {
  /** Midnight here, milliseconds since 1970. */
  readonly start: number;
  /** The models with the most input first. */
  readonly models: readonly ModelTokens[];
}

/** Returns days of local time, newest first; days without any usage are missing. */
export function tokensByDay(usages: readonly TokenUsage[]): readonly TokenDay[] {
  const days = Map.groupBy(usages, ({ at }) => startOfDay(at));
  return [...days]
    .map(([start, ofDay]) => ({ start, models: tokensByModel(ofDay.map(tokensOfUsage)) }))
    .sort((one, other) => other.start - one.start);
}

const noTokens: TokenSum = { input: 0, output: 0, cached: 0 };

function tokensOfUsage({ at: _, cost, isFree, ...tokens }: TokenUsage): ModelTokens {
  const { model: _model, ...sum } = tokens;
  if (isFree) return { ...tokens, costs: [], unpriced: noTokens };
  return { ...tokens, costs: cost === undefined ? [] : [cost], unpriced: cost === undefined ? sum : noTokens };
}

/** Adds up the tokens by model, the most input first. */
export function tokensByModel(tokens: readonly ModelTokens[]): readonly ModelTokens[] {
  return [...Map.groupBy(tokens, ({ model }) => model)]
    .map(([model, all]) => ({
      model,
      ...sumOfTokens(all),
      costs: sumsOfPrices(all.flatMap(({ costs }) => costs)),
      unpriced: sumOfTokens(all.map(({ unpriced }) => unpriced)),
    }))
    .sort((one, other) => other.input - one.input || (one.model < other.model ? -1 : 1));
}

function sumOfTokens(all: readonly TokenSum[]): TokenSum {
  const sum = (name: keyof TokenSum): number => all.reduce((total, one) => total + one[name], 0);
  return { input: sum("input"), output: sum("output"), cached: sum("cached") };
}

// Adds up tokens by model, because prices are set by model (T18).

const count = z.number();
export const spentTokensSchema = z.object({
  model: z.string(),
  input: count,
  output: count,
  cacheRead: count,
  cacheWrite: count,
  /** The part of `cacheWrite` that is kept for an hour; missing where there is none. */
  cacheWriteHour: z.exactOptional(count),
});
export type SpentTokens = Immutable<z.infer<typeof spentTokensSchema>>;

/** `spent` with one more request. */
export function addSpent(spent: readonly SpentTokens[], model: string, counts: TokenCounts): readonly SpentTokens[] {
  const at = spent.findIndex((one) => one.model === model);
  const sum = spentTokensOf(model, counts, spent[at]);
  return at < 0 ? [...spent, sum] : spent.with(at, sum);
}

/** The tokens of one request, and those `before` it. Gateways may write any count, so those that are no positive numbers are left out. */
export function spentTokensOf(
  model: string,
  { input, output, cacheRead, cacheWrite, cacheWriteHour }: TokenCounts,
  before: SpentTokens = { model, input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
): SpentTokens {
  const hour = (before.cacheWriteHour ?? 0) + countOf(cacheWriteHour);
  return {
    model,
    input: before.input + countOf(input),
    output: before.output + countOf(output),
    cacheRead: before.cacheRead + countOf(cacheRead),
    cacheWrite: before.cacheWrite + countOf(cacheWrite),
    ...(hour > 0 && { cacheWriteHour: hour }),
  };
}

/** The whole cost: the stated amounts (`costs`), and the rest by the list. Empty where nothing is known. */
export function pricesOfSpent(
  list: PriceList,
  spent: readonly SpentTokens[],
  costs: readonly Price[] = [],
): readonly Price[] {
  return sumsOfPrices([...costs, ...spent.map((one) => priceOfTokens(list, one.model, one))]);
}

function countOf(tokens = 0): number {
  return Number.isNaN(tokens) ? 0 : Math.round(Math.min(Math.max(0, tokens), 1e12));
}

/** The stated amounts, and the rest by the person's price list. Empty where nothing is known. */
export function pricesOfModel(prices: PriceList, { model, costs, unpriced }: ModelTokens): readonly Price[] {
  const { input, output, cached: cacheRead } = unpriced;
  if (input === 0 && output === 0) return costs;
  return sumsOfPrices([...costs, priceOfTokens(prices, model, { input, output, cacheRead })]);
}
