/** The caps that a person sets on the tasks and the money of a day. They stop a submission before anything of it is written or sent (T10, T18). */
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
  /** The maximum number of tasks since `since`; 0 for no cap. */
  readonly maxTasks: number;
  /** The number of tasks that are still to be written, with the one that this transaction writes. */
  readonly newTasks: number;
  /** Missing where no cap on money is set, or no task that is still to be written has a price in its currency. */
  readonly money?: {
    /** The most money that may be spent since `since`. */
    readonly most: Pick<Price, "amount" | "currency">;
    /** The prices of the tasks that are still to be written, as far as they are known in the same currency: a sum for each source. */
    readonly more: readonly Price[];
  };
}

/** `wanted` are the tasks that are still to be written. `undefined` where no cap applies to them. */
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
  const cap = { since: startOfDay(clock.now()), maxTasks, newTasks: wanted.length };
  return more.length === 0 ? cap : { ...cap, money: { most, more: sumsOfPrices(more) } };
}

/**
 * Throws an `AppFailure` of kind `capped` where the tasks that are still to be written exceed a cap. `made` has what was made since the start of the
 * day: `tasks` counts all tasks, `spentIn` sums the prices in a currency, by source.
 */
export function keepWithin(
  { maxTasks, newTasks, money }: DayCap,
  made: { readonly tasks: () => number; readonly spentIn: (currency: string) => readonly Price[] },
): void {
  if (maxTasks > 0) {
    const tasks = made.tasks();
    if (tasks + newTasks > maxTasks)
      throw capped(
        withDay(String(maxTasks), tasks, newTasks),
        `${tasks} tasks today, ${newTasks} more wanted, ${maxTasks} allowed.`,
      );
  }
  if (!money) return;
  const { currency, amount } = money.most;
  const all = made.spentIn(currency);
  const [spent, wanted] = [amountIn(currency, all), amountIn(currency, money.more)];
  // A partial price is a lower bound, so the task may cost more. Once the cap is used up it is refused, even where that bound is 0.
  const isUsedUp = money.more.some(({ isPartial }) => isPartial === true) && spent >= amount;
  // The tolerance is for decimal fractions, whose sums in binary differ in the last digits.
  if (!isUsedUp && spent + wanted <= amount * (1 + 1e-9)) return;
  const sources = [...all, ...money.more].map(({ source }) => source);
  const text = `${currency} ${spent} today, ${wanted} more wanted, ${amount} allowed.`;
  throw capped(withDay(capCodeOf(money.most), spent, wanted, [...new Set(sources)]), text);
}

function capped(code: string, message: string): AppFailure {
  return new AppFailure({ kind: "capped", code, message, notSent: true });
}
