/** The setting `sluice.prices`: its entries as VS Code checks them, and as they are read. */
import * as z from "zod/mini";
import { amountSchema as amount, defaultCurrency, type PriceEntry, type PriceList } from "../prices/priceList";
import { taskTypes } from "./taskTypes";

const balanceSchema = z.strictObject({
  /** The address of the gateway: the path is asked there and nowhere else. */
  gateway: z.string().check(z.minLength(1), z.maxLength(2_000)),
  path: z.string().check(z.regex(/^\/(?!\/)[^\s#]{0,500}$/)),
  /** Names and indices with dots between: `data.0.left`. */
  field: z.string().check(z.minLength(1), z.maxLength(200)),
  currency: z.exactOptional(z.string().check(z.regex(/^\S.{0,15}$/))),
});

/** package.json has it as JSON Schema. */
export const priceEntrySchema = z.strictObject({
  model: z.exactOptional(z.string().check(z.minLength(1), z.maxLength(200))),
  input: z.exactOptional(amount),
  output: z.exactOptional(amount),
  cacheRead: z.exactOptional(amount),
  cacheWrite: z.exactOptional(amount),
  cacheWriteHour: z.exactOptional(amount),
  type: z.exactOptional(z.enum(taskTypes)),
  task: z.exactOptional(amount),
  second: z.exactOptional(amount),
  /** The currency of all prices and of the caps of money: that of the first entry that has one counts. */
  currency: z.exactOptional(z.string().check(z.regex(/^\S.{0,15}$/))),
  /** An entry of its own that names where the gateway states what is left. */
  balance: z.exactOptional(balanceSchema),
});

/** The place where a gateway that Sluice does not know states what is left (T18). */
export interface BalanceSetting {
  readonly path: string;
  readonly field: string;
  readonly currency: string;
}

/** Reads the first entry of `sluice.prices` with a balance for that origin. `given` may have any shape. */
export function readBalanceSetting(given: unknown, origin: string): BalanceSetting | undefined {
  for (const entry of Array.isArray(given) ? (given as readonly unknown[]) : []) {
    const { success, data } = z.object({ balance: balanceSchema }).safeParse(entry);
    if (!success || !URL.canParse(data.balance.gateway) || new URL(data.balance.gateway).origin !== origin) continue;
    const { path, field, currency = defaultCurrency } = data.balance;
    return { path, field, currency };
  }
  return undefined;
}

/** Entries that can't be read are left out: VS Code marks them in settings.json. `given` may have any shape. */
export function readPriceList(given: unknown): PriceList {
  const list: readonly unknown[] = Array.isArray(given) ? given : [];
  const read = list.flatMap((entry: unknown) => {
    const { success, data } = priceEntrySchema.safeParse(entry);
    return success ? [data] : [];
  });
  const named = read.find(({ currency }) => currency !== undefined);
  const isPrice = (entry: PriceEntry): boolean => Object.keys(entry).length > 0;
  const entries = read.map(({ currency: _, balance: __, ...entry }): PriceEntry => entry).filter(isPrice);
  return { source: "your-list", currency: named?.currency ?? defaultCurrency, entries };
}
