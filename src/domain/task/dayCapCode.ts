/**
 * Writes the cap of a day that stopped a submission as the `code` of an error of kind `capped`: `12` for tasks, `5 USD` for money. Further lines hold
 * the sum of the day, what was wanted, and the sources of the amounts.
 */
import { type AmountSource, amountSources, type Price } from "../prices/priceList";

export function capCodeOf({ amount, currency }: Money): string {
  return `${amount} ${currency}`;
}

type Money = Pick<Price, "amount" | "currency">;

/** `made`: tasks or money of the day so far; `more`: what was wanted; `sources`: those of the money. */
export function withDay(code: string, made: number, more: number, sources: readonly AmountSource[] = []): string {
  return [code, made, more, ...(sources.length === 0 ? [] : [sources.join(" ")])].join("\n");
}

/** `made` and `more` are missing where the code does not hold both in a readable form. */
export function readCapCode(code: string): {
  readonly cap: string;
  readonly made?: number;
  readonly more?: number;
  readonly sources: readonly AmountSource[];
} {
  const [cap = "", made, more, by = "your-list"] = code.split("\n");
  const words = by.split(" ");
  const sources = amountSources.filter((one) => words.includes(one));
  const read = (text: string | undefined): number | undefined =>
    text === undefined || !Number.isFinite(Number(text)) ? undefined : Number(text);
  const [known, wanted] = [read(made), read(more)];
  return { cap, sources, ...(known === undefined || wanted === undefined ? {} : { made: known, more: wanted }) };
}

/** `undefined` for a cap of tasks. */
export function moneyOfCapCode(code: string): Money | undefined {
  const { cap } = readCapCode(code);
  const space = cap.indexOf(" ");
  const amount = Number(cap.slice(0, space));
  return space > 0 && Number.isFinite(amount) ? { amount, currency: cap.slice(space + 1) } : undefined;
}
