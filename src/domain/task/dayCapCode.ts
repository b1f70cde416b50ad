/** Which cap of a day stopped a submission, as the `code` of an error of kind `capped`: `12` for tasks, `5 USD` for money, and on lines of their own what was there, what was wanted and who says the amounts. */
import { type AmountSource, amountSources, type Price } from "../prices/priceList";

export function capCodeOf({ amount, currency }: Money): string {
  return `${amount} ${currency}`;
}

type Money = Pick<Price, "amount" | "currency">;

/** `made`: tasks or money of the day so far; `more`: what was wanted; `sources`: of the money. */
export function withDay(code: string, made: number, more: number, sources: readonly AmountSource[] = []): string {
  return [code, made, more, ...(sources.length === 0 ? [] : [sources.join(" ")])].join("\n");
}

/** The cap alone where the code has no day that can be read. */
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
