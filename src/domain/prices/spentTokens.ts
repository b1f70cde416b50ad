/** What requests have taken, by model: prices are set by model (T18). Pure. */
import * as z from "zod/mini";
import type { Immutable } from "../../base/immutable";
import { type Price, sumOfPrices } from "./price";
import { type PriceList, priceOfTokens, type TokenCounts } from "./priceList";

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
