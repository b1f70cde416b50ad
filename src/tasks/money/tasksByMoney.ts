/** All tasks by what is known of their money (T10). In time slices, because there may be 100,000 tasks. */
import type { TimeSlices } from "../../base/async/timeSlices";
import type { MoneyGroup } from "../../domain/task/moneyGroup";
import { acceptedOf } from "../../domain/task/phase";
import type { Task } from "../../domain/task/task";
import { isReleaseNotSeen, moneyOf, type TaskMoney } from "./money";

export interface TasksByMoney {
  /** The newest task first in each; a group without tasks is missing. */
  readonly groups: ReadonlyMap<MoneyGroup, readonly Task[]>;
  /** For how many tasks the gateway has named each hold. */
  readonly holds: ReadonlyMap<string, number>;
  readonly count: number;
}

/** `tasks`: the oldest first; they must not change their order meanwhile. */
export async function groupByMoney(tasks: readonly Task[], slices: TimeSlices): Promise<TasksByMoney> {
  const groups = new Map<MoneyGroup, Task[]>();
  const holds = new Map<string, number>();
  let read = 0;
  for (const task of tasks.toReversed()) {
    const group = moneyGroup(moneyOf(task));
    const listed = groups.get(group);
    if (listed) listed.push(task);
    else groups.set(group, [task]);
    const hold = holdOf(task);
    if (hold !== undefined) holds.set(hold, (holds.get(hold) ?? 0) + 1);
    if ((read += 1) % 500 === 0 && slices.isSpent) await slices.next();
  }
  return { groups, holds, count: tasks.length };
}

/** A task that may have a second hold is to be checked, whatever became of the first. */
function moneyGroup({ hold, others, mayHaveTwin }: TaskMoney): MoneyGroup {
  if (others > 0 || mayHaveTwin) return "toCheck";
  switch (hold) {
    case "open":
    case "unclear":
      return "reserved";
    case "settled":
      return "charged";
    case "none":
    case "released":
      return "notCharged";
    case "not-known":
    case "release-not-seen":
      return "toCheck";
    case "not-named":
      return "notNamed";
  }
}

/** Other tasks for which the gateway has named the hold of this one. */
export function othersWithHold({ holds }: TasksByMoney, task: Task): number {
  const hold = holdOf(task);
  return hold === undefined ? 0 : (holds.get(hold) ?? 1) - 1;
}

/** The tasks whose events may show a release: first those whose events were never read, then the others, each newest first. */
export function releasesNotSeen({ groups }: TasksByMoney): readonly string[] {
  const ended = (groups.get("toCheck") ?? []).filter(isReleaseNotSeen);
  const wasRead = (task: Task): number => (acceptedOf(task)?.events === undefined ? 0 : 1);
  return ended.toSorted((one, other) => wasRead(one) - wasRead(other)).map(({ intent }) => intent.id);
}

/** A key that is unique over all accounts; `undefined` where the gateway named no hold. */
function holdOf(task: Task): string | undefined {
  const { origin, account } = task.intent.home;
  const holdId = acceptedOf(task)?.holdId;
  return holdId === undefined ? undefined : JSON.stringify([origin, account, holdId]);
}
