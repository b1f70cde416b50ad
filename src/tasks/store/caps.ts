/** The caps that a person sets on tasks and money a day: they stop a submission before anything of it is written or sent (T10, T18). */
import { startOfDay } from "../../base/localDay";
import { type Environment, priceListOf, tasksPerDay } from "../../domain/environment";
import { AppFailure } from "../../domain/errors/appError";
import { type Price, sumOfPrices } from "../../domain/prices/priceList";
import { capCodeOf, withDay } from "../../domain/task/dayCapCode";
import type { TaskIntent } from "../../domain/task/task";

/** Counted in the transaction that writes the task, so that it holds for all windows together. */
export interface DayCap {
  /** The start of the day in local time, milliseconds since 1970. */
  readonly since: number;
  /** The most tasks since then; 0 for no cap. */
  readonly maxTasks: number;
  /** Tasks that are wanted now, with the one that is written. */
  readonly more: number;
  /** Missing where none is set, or nothing that is wanted has a price. */
  readonly money?: {
    /** The most since then, by the person's price list. */
    readonly most: Price;
    /** What all that is wanted costs, in the same currency. */
    readonly more: Price;
  };
}

/** `wanted`: those of the tasks that are not written yet. `undefined` where no cap is set. */
export function dayCap(
  { clock, settings }: { readonly clock: Pick<Environment["clock"], "now"> } & Pick<Environment, "settings">,
  wanted: readonly Pick<TaskIntent, "price">[],
): DayCap | undefined {
  const maxTasks = tasksPerDay(settings);
  const most = { amount: settings.get("caps.moneyPerDay"), currency: priceListOf(settings).currency };
  const priced = wanted.flatMap(({ price }) => (price?.currency === most.currency ? [price] : []));
  const more = most.amount > 0 ? sumOfPrices(priced) : undefined;
  if (maxTasks <= 0 && more === undefined) return undefined;
  const cap = { since: startOfDay(clock.now()), maxTasks, more: wanted.length };
  return more === undefined ? cap : { ...cap, money: { most, more } };
}

/**
 * Of what was made since the start of the day, `tasks` counts all, and `spentIn` sums up those that have a price in a currency.
 * Throws an `AppFailure` of kind `capped` where too much more is wanted.
 */
export function keepWithin(
  { maxTasks, more, money }: DayCap,
  made: { readonly tasks: () => number; readonly spentIn: (currency: string) => number },
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
  const spent = made.spentIn(currency);
  const { amount: wanted, isPartial } = money.more;
  // A lower bound is never all: it does not fit into nothing.
  const isUsedUp = isPartial === true && spent >= amount;
  // Sums of decimal fractions differ in their last digits.
  if (!isUsedUp && spent + wanted <= amount * (1 + 1e-9)) return;
  const text = `${currency} ${spent} today, ${wanted} more wanted, ${amount} allowed, by the person's price list.`;
  throw capped(withDay(capCodeOf(money.most), spent, wanted), text);
}

function capped(code: string, message: string): AppFailure {
  return new AppFailure({ kind: "capped", code, message, notSent: true });
}
