/** Which cap of a day stopped a submission, as the `code` of an error of kind `capped`: `12` for tasks, `5 USD` for money, and on lines of their own what was there and what was wanted. */
import type { Price } from "../prices/priceList";

export function capCodeOf({ amount, currency }: Price): string {
  return `${amount} ${currency}`;
}

/** `made`: tasks or money of the day so far; `more`: what was wanted. */
export function withDay(code: string, made: number, more: number): string {
  return [code, made, more].join("\n");
}

/** The cap alone where the code has no day that can be read. */
export function readCapCode(code: string): { readonly cap: string; readonly made?: number; readonly more?: number } {
  const [cap = "", made, more] = code.split("\n");
  const read = (text: string | undefined): number | undefined =>
    text === undefined || !Number.isFinite(Number(text)) ? undefined : Number(text);
  const [known, wanted] = [read(made), read(more)];
  return known === undefined || wanted === undefined ? { cap } : { cap, made: known, more: wanted };
}

/** `undefined` for a cap of tasks. */
export function moneyOfCapCode(code: string): Price | undefined {
  const { cap } = readCapCode(code);
  const space = cap.indexOf(" ");
  const amount = Number(cap.slice(0, space));
  return space > 0 && Number.isFinite(amount) ? { amount, currency: cap.slice(space + 1) } : undefined;
}
