/** The tasks of a day as facts for the page of usage. Pure. */
import { startOfNextDay } from "../../../base/localDay";
import type { Task } from "../../../domain/task/task";
import type { UsageList } from "../../contract/usagePageContract";
import { stateName } from "../../view/taskWords";
import { toneOf } from "../../view/pageFacts";

/** The most rows of a day's list; further tasks are only counted. */
const maxListLength = 200;

export function usageList(tasks: Iterable<Task>, start: number): UsageList {
  const end = startOfNextDay(start);
  const all = [...tasks].filter(({ intent }) => intent.createdAt >= start && intent.createdAt < end).reverse();
  return {
    start,
    tasks: all.slice(0, maxListLength).map((task) => {
      const { id, prompt, type, model, createdAt } = task.intent;
      return { id, prompt, type, model, createdAt, tone: toneOf(task), state: stateName(task) };
    }),
    more: Math.max(0, all.length - maxListLength),
  };
}
