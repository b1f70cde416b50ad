/** The setting `sluice.prices`: its entries as VS Code checks them, and as they are read. */
import * as z from "zod/mini";
import { amountSchema as amount, type PriceEntry, type PriceList } from "../prices/priceList";
import { taskTypes } from "./taskTypes";

/** package.json has it as JSON Schema. */
export const priceEntrySchema = z.strictObject({
  model: z.exactOptional(z.string().check(z.minLength(1), z.maxLength(200))),
  input: z.exactOptional(amount),
  output: z.exactOptional(amount),
  cacheRead: z.exactOptional(amount),
  cacheWrite: z.exactOptional(amount),
  type: z.exactOptional(z.enum(taskTypes)),
  task: z.exactOptional(amount),
  second: z.exactOptional(amount),
  /** Of all prices and of the caps of money: that of the first entry that has one. */
  currency: z.exactOptional(z.string().check(z.regex(/^\S.{0,15}$/))),
});

const defaultCurrency = "USD";

/** Entries that can't be read are left out: VS Code marks them in settings.json. `given`: of any shape. */
export function readPriceList(given: unknown): PriceList {
  const list: readonly unknown[] = Array.isArray(given) ? given : [];
  const read = list.flatMap((entry: unknown) => {
    const { success, data } = priceEntrySchema.safeParse(entry);
    return success ? [data] : [];
  });
  const named = read.find(({ currency }) => currency !== undefined);
  const isPrice = (entry: PriceEntry): boolean => Object.keys(entry).length > 0;
  const entries = read.map(({ currency: _, ...entry }): PriceEntry => entry).filter(isPrice);
  return { currency: named?.currency ?? defaultCurrency, entries };
}
