/** Which cap of a day stopped a submission, as the `code` of an error of kind `capped`: `12` for tasks, `5 USD` for money. */
import type { Price } from "../prices/price";

export function capCodeOf({ amount, currency }: Price): string {
  return `${amount} ${currency}`;
}

/** `undefined` for a cap of tasks. */
export function moneyOfCapCode(code: string): Price | undefined {
  const space = code.indexOf(" ");
  const amount = Number(code.slice(0, space));
  return space > 0 && Number.isFinite(amount) ? { amount, currency: code.slice(space + 1) } : undefined;
}
