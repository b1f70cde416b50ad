/** The cap that a person sets on tasks a day: it stops a submission before anything of it is written or sent (T10). */
import type { Clock } from "../base/clock";
import { startOfDay } from "../base/localDay";
import { GatewayFailure } from "../domain/errors";
import type { TaskBoard } from "./board";

export interface CapPorts {
  readonly board: Pick<TaskBoard, "countSince">;
  readonly clock: Clock;
  /** 0 for no cap. */
  readonly tasksPerDay?: () => number;
}

/** Rejects with a `GatewayFailure` of kind `capped` when so many more tasks are too many for this day of local time. */
export async function keepWithinCap({ board, clock, tasksPerDay }: CapPorts, more: number): Promise<void> {
  const cap = tasksPerDay?.() ?? 0;
  if (cap <= 0 || more === 0) return;
  const today = await board.countSince(startOfDay(clock.now()));
  if (today + more <= cap) return;
  throw new GatewayFailure({
    kind: "capped",
    code: String(cap),
    message: `${today} tasks today, ${more} more wanted, ${cap} allowed.`,
    notSent: true,
  });
}
