/** The cap that a person sets on tasks a day: it stops a submission before anything of it is written or sent (T10). */
import type { Clock } from "../../base/clock";
import { startOfDay } from "../../base/localDay";
import { AppFailure } from "../../domain/errors/appError";

/** Counted in the transaction that writes the task, so that it holds for all windows together. */
export interface DayCap {
  /** The start of the day in local time, milliseconds since 1970. */
  readonly since: number;
  /** The most tasks since then. */
  readonly maxTasks: number;
  /** Tasks that are wanted now, with the one that is written. */
  readonly more: number;
}

export interface CapPorts {
  readonly clock: Clock;
  /** 0 for no cap. */
  readonly tasksPerDay: () => number;
}

/** `undefined` where no cap is set. */
export function dayCap({ clock, tasksPerDay }: CapPorts, more: number): DayCap | undefined {
  const maxTasks = tasksPerDay();
  return maxTasks > 0 ? { since: startOfDay(clock.now()), maxTasks, more } : undefined;
}

/** `made`: tasks since the start of the day. Throws an `AppFailure` of kind `capped` where too many more are wanted. */
export function keepWithin({ maxTasks, more }: DayCap, made: number): void {
  if (made + more <= maxTasks) return;
  throw new AppFailure({
    kind: "capped",
    code: String(maxTasks),
    message: `${made} tasks today, ${more} more wanted, ${maxTasks} allowed.`,
    notSent: true,
  });
}
