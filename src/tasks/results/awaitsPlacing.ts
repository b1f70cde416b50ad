/** Decides whether a result waits for its place in the project, without the code that places it, which is loaded later. */
import { hasSucceeded } from "../../domain/task/phase";
import type { Task } from "../../domain/task/task";

/** Milliseconds after which a placing that was begun is taken for one that was cut. Doing it twice changes nothing. */
const placingTime = 10_000;

/** Whether the result is to be placed without a click, now or later, by a window that has its folder open. */
export function awaitsPlacing(task: Task): boolean {
  return placingWait(task, 0) !== undefined;
}

/** Milliseconds until the result is to be placed; `undefined` when there is nothing to place. `now` in milliseconds since 1970. */
export function placingWait(task: Task, now: number): number | undefined {
  if (task.intent.destination === undefined || !hasSucceeded(task)) return undefined;
  const { saved, placement } = task.submission;
  if (saved === undefined) return undefined;
  if (placement === undefined) return 0;
  // The clock may have been set either way meanwhile, so only the distance counts.
  return placement.state === "placing" ? Math.max(0, placingTime - Math.abs(now - placement.at)) : undefined;
}
