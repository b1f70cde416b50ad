/** Amounts with their source (T18): what a gateway states, and what a task or tokens cost by its price list or by the person's. Pure. */
import * as z from "zod/mini";
import { definedFields } from "../../base/definedFields";
import type { Immutable } from "../../base/immutable";

/** An entry of `sluice.prices`, or what a gateway lists for one model. */
export interface PriceEntry {
  /** An id, in which `*` is any text. Missing: every model, for tasks only. */
  readonly model?: string;
  /** The price of each request, in addition to its tokens. Gateways list it; the setting has none. */
  readonly request?: number;
  /** The price of a million tokens. */
  readonly input?: number;
  readonly output?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  /** The price of a cache that is kept for an hour. */
  readonly cacheWriteHour?: number;
  /** The type of task that `task` and `second` are for; missing: every type. */
  readonly type?: string;
  readonly task?: number;
  /** The price of a second of the result, by the duration that the task asks for. */
  readonly second?: number;
}

export interface PriceList {
  readonly source: Exclude<AmountSource, "gateway">;
  readonly currency: string;
  /** The first one that fits counts. */
  readonly entries: readonly PriceEntry[];
}

/** The tokens of a request, as the gateway reported them. Those of the cache are parts of `input`. */
export interface TokenCounts {
  readonly input?: number | undefined;
  readonly output?: number | undefined;
  readonly cacheRead?: number | undefined;
  readonly cacheWrite?: number | undefined;
  /** The part of `cacheWrite` that is kept for an hour, which costs more. */
  readonly cacheWriteHour?: number | undefined;
}

/** `undefined` where the list has no price for the model's tokens. */
export function tokenPricesOf({ entries }: PriceList, model: string): PriceEntry | undefined {
  return entries.find(
    (one) => one.model !== undefined && fits(one, model) && (one.input !== undefined || one.output !== undefined),
  );
}

/**
 * `undefined` where the list has no price for what was counted, or the gateway reported nothing. Where it has one for a part only, that part is a
 * lower bound: the price of the rest is not known, which is never 0.
 */
export function priceOfTokens(
  list: PriceList,
  model: string,
  { input, output, cacheRead = 0, cacheWrite = 0, cacheWriteHour = 0 }: TokenCounts,
): Price | undefined {
  if (input === undefined && output === undefined) return undefined;
  const { currency, source } = list;
  const entry = tokenPricesOf(list, model);
  if (!entry) return undefined;
  const hour = Math.min(cacheWriteHour, cacheWrite);
  const counted = [
    // A gateway may report more tokens of the cache than of all input.
    { tokens: Math.max(0, (input ?? 0) - cacheRead - cacheWrite), price: entry.input },
    { tokens: cacheRead, price: entry.cacheRead ?? entry.input },
    { tokens: cacheWrite - hour, price: entry.cacheWrite ?? entry.input },
    { tokens: hour, price: entry.cacheWriteHour ?? entry.cacheWrite ?? entry.input },
    { tokens: output ?? 0, price: entry.output },
  ].filter(({ tokens }) => tokens > 0);
  const isUnknown = ({ price }: { readonly price?: number | undefined }): boolean => price === undefined;
  if (counted.length > 0 && counted.every(isUnknown) && entry.request === undefined) return undefined;
  const millions = counted.reduce((sum, { tokens, price = 0 }) => sum + tokens * price, 0);
  // A cache for an hour costs more than one for a few minutes, so without its own price the amount is a lower bound.
  const isPartial = counted.some(isUnknown) || (hour > 0 && entry.cacheWriteHour === undefined) || undefined;
  return { amount: (entry.request ?? 0) + millions / 1_000_000, currency, source, ...definedFields({ isPartial }) };
}

export interface PricedTask {
  readonly type: string;
  readonly model: string;
}

/** `undefined` where the list has no price for tasks of the type by the model. */
export function taskPricesOf({ entries }: PriceList, { type, model }: PricedTask): PriceEntry | undefined {
  return entries.find(
    (one) =>
      fits(one, model) &&
      (one.type === undefined || one.type === type) &&
      (one.task !== undefined || one.second !== undefined),
  );
}

/**
 * `seconds` is the duration of the result that the task asks for. Where the list has a price a second and the duration is not known, the price of the
 * task alone is a lower bound. `undefined` where the list has no price.
 */
export function priceOfTask(
  list: PriceList,
  { seconds, ...asked }: PricedTask & { readonly seconds?: number },
): Price | undefined {
  const entry = taskPricesOf(list, asked);
  if (!entry) return undefined;
  const { currency, source } = list;
  const { task: amount = 0, second = 0 } = entry;
  if (second === 0) return { amount, currency, source };
  return seconds === undefined
    ? { amount, currency, source, isPartial: true }
    : { amount: amount + second * seconds, currency, source };
}

function fits({ model: pattern }: PriceEntry, model: string): boolean {
  if (pattern === undefined) return true;
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return model === pattern;
  if (!model.startsWith(first) || model.length < first.length + last.length || !model.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = model.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= model.length - last.length;
}

/** The source of an amount, the best one first: the gateway states it, its list of models has the price, or `sluice.prices` has. */
export const amountSources = ["gateway", "gateway-list", "your-list"] as const;
export type AmountSource = (typeof amountSources)[number];

export const amountSchema = z.number().check(z.minimum(0));

export const priceSchema = z.object({
  amount: z.number(),
  /** An ISO code, or what the gateway calls its units: `USD`, `credits`. */
  currency: z.string(),
  /** Amounts that were stored before there were other sources are by the person's list. */
  source: z._default(z.enum(amountSources), "your-list"),
  /** The amount is a lower bound: a part of the price, or the price of some, is not known. */
  isPartial: z.exactOptional(z.literal(true)),
});
export type Price = Immutable<z.infer<typeof priceSchema>>;

/** Prices as `sumsOfPrices` makes them. What was stored before there were several sources is one amount. */
export const pricesSchema = z.union([
  z.array(priceSchema),
  z.pipe(
    priceSchema,
    z.transform((price) => [price]),
  ),
]);

/**
 * The sum for each source and currency, because amounts of different sources or currencies can't be added; the best source first. An amount that is
 * not known makes each sum a lower bound. Empty where none is known.
 */
export function sumsOfPrices(prices: Iterable<Price | undefined>): readonly Price[] {
  const sums = new Map<string, Price>();
  let isIncomplete = false;
  for (const price of prices) {
    if (price === undefined) {
      isIncomplete = true;
      continue;
    }
    const { currency, source } = price;
    const key = `${source} ${currency}`;
    const before = sums.get(key);
    const amount = (before?.amount ?? 0) + price.amount;
    const isPartial = before?.isPartial ?? price.isPartial;
    sums.set(key, { amount, currency, source, ...definedFields({ isPartial }) });
  }
  const found = [...sums.values()].sort((one, other) => rankOf(one) - rankOf(other));
  return isIncomplete ? found.map((sum) => ({ ...sum, isPartial: true })) : found;
}

function rankOf({ source }: Price): number {
  return amountSources.indexOf(source);
}

/** The sum in one currency, for a cap. All sources count; amounts in another currency can't be compared with the cap. */
export function amountIn(currency: string, prices: readonly Price[]): number {
  return prices.reduce((sum, price) => (price.currency === currency ? sum + price.amount : sum), 0);
}

/** The currency of the person's caps: that of their list, else that of the first amount that is known; dollars where none is. */
export function capCurrency({ entries, currency }: PriceList, known: readonly Pick<Price, "currency">[]): string {
  return entries.length > 0 || currency !== defaultCurrency ? currency : (known[0]?.currency ?? defaultCurrency);
}

/**
 * The currencies of known amounts that the person's caps can't count, because amounts of two currencies can't be compared; in the order in which
 * they were met.
 */
export function uncountedCurrencies(list: PriceList, known: readonly Pick<Price, "currency">[]): readonly string[] {
  const counted = capCurrency(list, known);
  return [...new Set(known.map(({ currency }) => currency))].filter((currency) => currency !== counted);
}

export const defaultCurrency = "USD";

export const noPriceList: PriceList = { source: "your-list", currency: defaultCurrency, entries: [] };

/** An amount beyond it is not believed. */
const maxAmount = 1e12;

/**
 * An amount as a gateway writes it: a number, or one in ASCII digits. Anything else is not known, which is never 0: negative, not finite, beyond
 * any use, or in other digits.
 */
export function readAmount(value: unknown): number | undefined {
  const isText =
    typeof value === "string" && value.length <= 40 && /^\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(value.trim());
  const amount = typeof value === "number" ? value : isText ? Number(value) : Number.NaN;
  return amount >= 0 && amount <= maxAmount ? amount : undefined;
}
