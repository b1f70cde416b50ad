/** The caps that a person sets on tasks and money a day: they stop a submission before anything of it is written or sent (T10, T18). */
import { startOfDay } from "../../base/localDay";
import { type Environment, priceListOf, tasksPerDay } from "../../domain/environment";
import { AppFailure } from "../../domain/errors/appError";
import { amountIn, capCurrency, type Price, sumsOfPrices } from "../../domain/prices/priceList";
import { capCodeOf, withDay } from "../../domain/task/dayCapCode";
import type { TaskIntent } from "../../domain/task/task";

/** The caps of a day. They are counted in the transaction that writes the task, so that they hold for all windows together. */
export interface DayCap {
  /** The start of the day in local time, milliseconds since 1970. */
  readonly since: number;
  /** The most tasks since then; 0 for no cap. */
  readonly maxTasks: number;
  /** Tasks that are wanted now, with the one that is written. */
  readonly more: number;
  /** Missing where none is set, or nothing that is wanted has a price. */
  readonly money?: {
    /** The most since then. */
    readonly most: Pick<Price, "amount" | "currency">;
    /** The price of all that is wanted, as far as it is known in the same currency. */
    readonly more: readonly Price[];
  };
}

/** `wanted` are those of the tasks that are not written yet. `undefined` where no cap is set. */
export function dayCap(
  { clock, settings }: { readonly clock: Pick<Environment["clock"], "now"> } & Pick<Environment, "settings">,
  wanted: readonly Pick<TaskIntent, "price">[],
): DayCap | undefined {
  const maxTasks = tasksPerDay(settings);
  const known = wanted.flatMap(({ price }) => price ?? []);
  const currency = capCurrency(priceListOf(settings), known);
  const most = { amount: settings.get("caps.moneyPerDay"), currency };
  const more = most.amount > 0 ? known.filter((price) => price.currency === currency) : [];
  if (maxTasks <= 0 && more.length === 0) return undefined;
  const cap = { since: startOfDay(clock.now()), maxTasks, more: wanted.length };
  return more.length === 0 ? cap : { ...cap, money: { most, more: sumsOfPrices(more) } };
}

/**
 * Throws an `AppFailure` of kind `capped` where too much more is wanted. `made` is what was made since the start of the day: `tasks` counts all
 * tasks, `spentIn` returns the price of those that cost something in a currency, by source.
 */
export function keepWithin(
  { maxTasks, more, money }: DayCap,
  made: { readonly tasks: () => number; readonly spentIn: (currency: string) => readonly Price[] },
): void {
  if (maxTasks > 0) {
    const tasks = made.tasks();
    if (tasks + more > maxTasks)
      throw capped(
        withDay(String(maxTasks), tasks, more),
        `${tasks} tasks today, ${more} more wanted, ${maxTasks} allowed.`,
      );
  }
  if (!money) return;
  const { currency, amount } = money.most;
  const all = made.spentIn(currency);
  const [spent, wanted] = [amountIn(currency, all), amountIn(currency, money.more)];
  // A price that is a lower bound does not fit any more once the cap is used up, even where it is 0.
  const isUsedUp = money.more.some(({ isPartial }) => isPartial === true) && spent >= amount;
  // Sums of decimal fractions differ in their last digits.
  if (!isUsedUp && spent + wanted <= amount * (1 + 1e-9)) return;
  const sources = [...all, ...money.more].map(({ source }) => source);
  const text = `${currency} ${spent} today, ${wanted} more wanted, ${amount} allowed.`;
  throw capped(withDay(capCodeOf(money.most), spent, wanted, [...new Set(sources)]), text);
}

function capped(code: string, message: string): AppFailure {
  return new AppFailure({ kind: "capped", code, message, notSent: true });
}
