/** The person's own price list (T18), and what a task or tokens cost by it: the service names no amounts. Pure. */
import * as z from "zod/mini";
import type { Immutable } from "../../base/immutable";

/** An entry of `sluice.prices`. */
export interface PriceEntry {
  /** An id, in which `*` is any text. Missing: every model, for tasks only. */
  readonly model?: string;
  /** The price of a million tokens. */
  readonly input?: number;
  readonly output?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  /** The type of task that `task` and `second` are for; missing: every type. */
  readonly type?: string;
  readonly task?: number;
  /** For a second of the result, by the duration that the task asks for. */
  readonly second?: number;
}

export interface PriceList {
  readonly currency: string;
  /** The first one that fits counts. */
  readonly entries: readonly PriceEntry[];
}

/** Of a request, as the gateway reported them. Those of the cache are parts of `input`. */
export interface TokenCounts {
  readonly input?: number | undefined;
  readonly output?: number | undefined;
  readonly cacheRead?: number | undefined;
  readonly cacheWrite?: number | undefined;
}

/** `undefined` where the list has no price for the model's tokens. */
export function tokenPricesOf({ entries }: PriceList, model: string): PriceEntry | undefined {
  return entries.find(
    (one) => one.model !== undefined && fits(one, model) && (one.input !== undefined || one.output !== undefined),
  );
}

/** `undefined` where the list has no price for the model's tokens, or the gateway reported none. */
export function priceOfTokens(
  list: PriceList,
  model: string,
  { input, output, cacheRead = 0, cacheWrite = 0 }: TokenCounts,
): Price | undefined {
  if (input === undefined && output === undefined) return undefined;
  const { currency } = list;
  const entry = tokenPricesOf(list, model);
  if (!entry) return undefined;
  const { input: inputPrice = 0, output: outputPrice = 0 } = entry;
  // A gateway may report more of the cache than of all input.
  const plain = Math.max(0, (input ?? 0) - cacheRead - cacheWrite);
  const millions =
    plain * inputPrice +
    cacheRead * (entry.cacheRead ?? inputPrice) +
    cacheWrite * (entry.cacheWrite ?? inputPrice) +
    (output ?? 0) * outputPrice;
  return { amount: millions / 1_000_000, currency };
}

/**
 * `seconds`: of the result, as the task asks for. Where the list has a price a second and they are not known, the rest of the
 * price is a lower bound. `undefined` where the list has no price.
 */
export function priceOfTask(
  { currency, entries }: PriceList,
  { type, model, seconds }: { readonly type: string; readonly model: string; readonly seconds?: number },
): Price | undefined {
  const entry = entries.find(
    (one) =>
      fits(one, model) &&
      (one.type === undefined || one.type === type) &&
      (one.task !== undefined || one.second !== undefined),
  );
  if (!entry) return undefined;
  const { task: amount = 0, second = 0 } = entry;
  if (second === 0) return { amount, currency };
  return seconds === undefined
    ? { amount, currency, isPartial: true }
    : { amount: amount + second * seconds, currency };
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

// Computes amounts by the person's list (T18).

export const amountSchema = z.number().check(z.minimum(0));

export const priceSchema = z.object({
  amount: z.number(),
  /** An ISO code, or what the gateway calls its units: `USD`, `credits`. */
  currency: z.string(),
  /** The amount is a lower bound: a part of the price, or the price of some, is not known or is in another currency. */
  isPartial: z.exactOptional(z.literal(true)),
});
export type Price = Immutable<z.infer<typeof priceSchema>>;

/** `undefined` where none is known. */
export function sumOfPrices(prices: Iterable<Price | undefined>): Price | undefined {
  let sum: Price | undefined;
  let isPartial = false;
  for (const price of prices) {
    if (price === undefined || (sum !== undefined && sum.currency !== price.currency)) isPartial = true;
    else {
      sum = { amount: (sum?.amount ?? 0) + price.amount, currency: price.currency };
      isPartial ||= price.isPartial === true;
    }
  }
  return sum && isPartial ? { ...sum, isPartial } : sum;
}
