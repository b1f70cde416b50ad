/** What is known of the money of all tasks, as its page shows it (T10). Pure, so that it can be tested without an editor. No amounts: no response holds one. */
import { t } from "@vscode/l10n";
import { definedFields } from "../../../base/definedFields";
import { type MoneyGroup, moneyGroups } from "../../../domain/task/moneyGroup";
import { acceptedOf } from "../../../domain/task/phase";
import type { Task } from "../../../domain/task/task";
import { cutLabel } from "../../../domain/words/label";
import { plural } from "../../../domain/words/plural";
import { quoteForeign } from "../../../domain/words/quoteForeign";
import { taskTypeName } from "../../../domain/words/taskTypeWords";
import type { MoneyRowView, MoneyView } from "../../../protocol/moneyPageContract";
import { moneyOf, type MoneyStep } from "../../../tasks/money/money";
import { othersWithHold, type TasksByMoney } from "../../../tasks/money/tasksByMoney";
import { createTimes, moneyLine, stateName, type Times } from "../../../tasks/view/taskWords";
import { toneOf } from "./taskPageView";

export interface MoneyContext {
  readonly now: number;
  readonly locale: string;
  /** Tasks on disk that can't be counted. */
  readonly notRead: number;
}

/** Rows of a group; more are counted only. */
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
    tiles: moneyGroups.map((group) => ({ group, count: money.groups.get(group)?.length ?? 0 })),
    rows: found.slice(0, maxRows).map((task) => rowOf(task, times, othersWithHold(money, task))),
    more: Math.max(0, found.length - maxRows),
    ...definedFields({ incomplete }),
  };
}

/** `others`: tasks for which the gateway has named the same hold. */
function rowOf(task: Task, times: Times, others: number): MoneyRowView {
  const { id, prompt, type, model, createdAt } = task.intent;
  return {
    id,
    title: cutLabel(prompt),
    about: `${taskTypeName(type)} · ${model} · ${times.short(createdAt)}`,
    state: stateName(task),
    tone: toneOf(task),
    money: moneySentence(task, times),
    details: [moneyLine(task, times), ...idsOf(task, others)],
  };
}

function moneySentence(task: Task, times: Times): string {
  const { hold, opened, ended, others, mayHaveTwin } = moneyOf(task);
  if (others > 0) return t("Check in the gateway's console: it made more than one task or hold for this one.");
  if (mayHaveTwin) return t("Check in the gateway's console: the first request may have made a second task.");
  const at = (step: MoneyStep | undefined): string => (step ? times.short(step.at) : "");
  switch (hold) {
    case "open":
      return t("Reserved at {0}", at(opened));
    case "unclear":
      return t("Reserved at {0}; whether it still is, is not known", at(opened));
    case "settled":
      return t("Charged at {0}", at(ended));
    case "released":
      return t("Not charged: given back at {0}", at(ended));
    case "release-not-seen":
      return t("Checking: not seen given back yet");
    case "not-known":
      return t("Not known whether the gateway has made the task");
    case "not-named":
      return t("The gateway has not said what it reserved");
    case "none":
      return task.submission.state === "prepared" ? t("Not charged: nothing is sent yet") : t("Not charged");
  }
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
