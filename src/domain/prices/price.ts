/** An amount by the person's own price list: the service names none (T18). Pure. */
import * as z from "zod/mini";
import type { Immutable } from "../../base/immutable";

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
