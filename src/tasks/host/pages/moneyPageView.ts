/** The money of all tasks as its page shows it (T10). Pure, so that it can be tested without an editor. Each amount names its source. */
import { t } from "@vscode/l10n";
import { definedFields } from "../../../base/definedFields";
import { type MoneyGroup, moneyGroups } from "../../../domain/task/moneyGroup";
import { acceptedOf } from "../../../domain/task/phase";
import type { Task } from "../../../domain/task/task";
import { describePrice, describePrices } from "../../../domain/words/describePrice";
import { cutLabel } from "../../../domain/words/label";
import { plural } from "../../../domain/words/plural";
import { quoteForeign } from "../../../domain/words/quoteForeign";
import { taskTypeName } from "../../../domain/words/taskTypeWords";
import type { MoneyRowView, MoneyView } from "../../contract/moneyPageContract";
import { othersWithHold, pricesOfTasks, priceOfTask, type TasksByMoney } from "../../money";
import { moneySentence, moneyLine, stateName } from "../../view/taskWords";
import { variantOf } from "../../view/taskRow";
import { createTimes, type Times } from "../../../domain/words/timeFormats";
import { toneOf } from "../../view/pageFacts";

export interface MoneyContext {
  readonly now: number;
  readonly locale: string;
  /** Tasks on disk that can't be counted. */
  readonly notRead: number;
}

/** The most rows of a group; further tasks are only counted. */
const maxRows = 200;

export function moneyView(money: TasksByMoney, chosen: MoneyGroup, context: MoneyContext): MoneyView {
  const { now, locale, notRead } = context;
  const times = createTimes(locale, now);
  const found = money.groups.get(chosen) ?? [];
  const of = money.count + notRead;
  const incomplete =
    notRead === 0
      ? undefined
      : plural(of, { other: "{0} of {1} tasks are counted: the others can't be read now." }, money.count, of);
  return {
    tiles: moneyGroups.map((group) => {
      const tasks = money.groups.get(group) ?? [];
      return { group, count: tasks.length, ...definedFields({ price: priceOfAll(tasks, locale) }) };
    }),
    rows: found.slice(0, maxRows).map((task) => rowOf(task, times, locale, othersWithHold(money, task))),
    more: Math.max(0, found.length - maxRows),
    ...definedFields({ incomplete }),
  };
}

/** `undefined` where no task has a price. */
function priceOfAll(tasks: readonly Task[], locale: string): string | undefined {
  const sums = pricesOfTasks(tasks);
  return sums.length === 0 ? undefined : describePrices(sums, locale);
}

/** `others`: tasks for which the gateway has named the same hold. */
function rowOf(task: Task, times: Times, locale: string, others: number): MoneyRowView {
  const { id, prompt, type, model, createdAt } = task.intent;
  const price = priceOfTask(task);
  return {
    id,
    title: cutLabel(prompt),
    about: [taskTypeName(type), ...variantOf(task), model, times.short(createdAt)].join(" · "),
    state: stateName(task),
    tone: toneOf(task),
    money: moneySentence(task, times),
    ...definedFields({ price: price && describePrice(price, locale) }),
    details: [moneyLine(task, times), ...idsOf(task, others)],
  };
}

function idsOf(task: Task, others: number): readonly string[] {
  const accepted = acceptedOf(task);
  if (!accepted) return [];
  const { taskId, holdId } = accepted;
  return [
    t("task {0}", quoteForeign(taskId, 100)),
    ...(holdId === undefined ? [] : [t("hold {0}", quoteForeign(holdId, 100))]),
    ...(accepted.others ?? []).map((other) => t("also {0}", quoteForeign(other.holdId ?? other.taskId, 100))),
    ...(holdId === undefined || others === 0
      ? []
      : [
          plural(others, {
            one: "the gateway named the same hold for 1 other task",
            other: "the gateway named the same hold for {0} other tasks",
          }),
        ]),
  ];
}
