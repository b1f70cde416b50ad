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
});

/** Entries that can't be read are left out: VS Code marks them in settings.json. `entries`: of any shape. */
export function readPriceList(entries: unknown, currency: string): PriceList {
  const list = Array.isArray(entries) ? entries : [];
  const read = (entry: unknown): readonly PriceEntry[] => {
    const { success, data } = priceEntrySchema.safeParse(entry);
    return success ? [data] : [];
  };
  return { currency, entries: list.flatMap(read) };
}
