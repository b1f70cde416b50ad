/** A task as a row of the tree: strings only, so that it can be tested without an editor. No clock in a label. */
import { t } from "@vscode/l10n";
import { cutText } from "../../base/text/cutText";
import { cutLabel } from "../../domain/words/label";
import { joinWords } from "../../domain/words/joinWords";
import { quoteForeign } from "../../domain/words/quoteForeign";
import { isRunning, isUnsettled, phaseOf } from "../../domain/task/phase";
import type { Task } from "../../domain/task/task";
import { type TaskAction, taskActionFacts } from "../../domain/task/taskActions";
import { resultIcon } from "../../domain/task/taskTypes";
import { actionsOf } from "./taskActions";
import { isLongerThanUsual, type UsualTime } from "../money/usualTimes";
import { taskTypeName } from "../../domain/words/taskTypeWords";
import { resultRemark } from "./resultWords";
import {
  createTimes,
  moneyLine,
  type OutcomeUnknown,
  stateName,
  stateSentence,
  type Times,
  usualTimeText,
} from "./taskWords";

export interface TaskRow {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  /** A codicon and, where it has one, a theme colour. */
  readonly icon: { readonly id: string; readonly color?: string };
  readonly actions: readonly TaskAction[];
  /** `task` and its flags, for menus: `viewItem =~ /\bcancelable\b/`. */
  readonly contextValue: string;
  /** What the icon does not say: stale, cancel requested. */
  readonly remarks: readonly string[];
  /** The state in a sentence, and the error's meaning where there is one. */
  readonly state: string;
  readonly money: string;
  /** How long it usually takes; empty where that is not known. */
  readonly usual: string;
  /** The whole row as a sentence, for a screen reader. */
  readonly spoken: string;
}

/** In characters. A view of 300 pixels then has room for what follows it; the rest of the prompt ends the description. */
const labelLength = 20;
/** Where the remark is what a person has to act on. It never changes while the task is in that state. */
const labelLengthBeforeRemark = 15;

export function taskRow(task: Task, now: number, locale: string, usual?: UsualTime): TaskRow {
  const { intent } = task;
  const times = createTimes(locale, now);
  const money = moneyLine(task, times);
  const { submission } = task;
  const said = remarks(task, times, now, usual);
  const actions = actionsOf(task);
  const usually = usual ? usualTimeText(usual) : "";
  const type = taskTypeName(intent.type);
  const isNamed = !intent.isWatched || intent.prompt !== "" || submission.state !== "accepted";
  const longest = isUnsettled(task) ? labelLengthBeforeRemark : labelLength;
  const label = isNamed ? cutLabel(intent.prompt, longest) : t("Task {0}", cutText(submission.taskId, 50));
  const prompt = cutLabel(intent.prompt);
  const facts = [
    `${type.slice(0, 1).toLocaleUpperCase(locale)}${type.slice(1)}`,
    stateName(task),
    ...said.filter((remark) => remark !== stateName(task)),
    t("submitted {0}", times.short(intent.createdAt)),
    ...(isRunning(task) && usually !== "" ? [usually] : []),
    isRunning(task) && task.submission.holdId !== undefined ? t("hold open") : money,
  ];
  return {
    id: intent.id,
    label,
    // A narrow view cuts off the end: what the icon does not say comes first.
    description: [...said, type, times.short(intent.createdAt), ...restOf(prompt, label)].join(" · "),
    icon: iconOf(task),
    remarks: said,
    actions,
    contextValue: flagsOf(actions),
    state: stateSentence(task, times),
    money,
    usual: usually,
    spoken: t("{0}: {1}", joinWords(facts), prompt),
  };
}

/** What a cut label leaves out of the prompt. */
function restOf(prompt: string, label: string): string[] {
  const begun = label.slice(0, -1);
  return label === prompt || !prompt.startsWith(begun)
    ? []
    : [`…${prompt.slice(begun.length).replace(/^[\s,;:.–-]+/u, "")}`];
}

/** What the icon does not say. */
function remarks(task: Task, times: Times, now: number, usual: UsualTime | undefined): string[] {
  const { intent, submission } = task;
  if (submission.state === "outcome-unknown") return [reconcileRemark(submission, times)];
  if (submission.state === "not-accepted") return [phaseOf(task) === "withdrawn" ? t("not sent") : t("not accepted")];
  if (submission.state === "prepared") return [stateName(task)];
  if (submission.state !== "accepted") return [];
  const { remote, cancel, stale, others } = submission;
  const remarks: string[] = [];
  if (others) remarks.push(t("second hold"));
  if (intent.isWatched) remarks.push(t("not submitted here"));
  if (remote.state === "unknown" && remote.rawStatus !== "")
    remarks.push(t("status {0}", quoteForeign(remote.rawStatus, 40)));
  if (cancel?.state === "requested") remarks.push(t("cancel requested"));
  if (cancel?.state === "refused") remarks.push(t("cancel refused"));
  if (cancel?.state === "no-effect") remarks.push(t("cancel had no effect"));
  if (cancel?.state === "too-late") remarks.push(t("finished before the cancel"));
  const aboutResult = resultRemark(submission);
  if (aboutResult !== undefined) remarks.push(aboutResult);
  if (stale) remarks.push(t("stale since {0}", times.short(stale.since)));
  if (isLongerThanUsual(task, usual, now)) remarks.push(t("longer than usual"));
  return remarks;
}

function reconcileRemark({ reconcile }: OutcomeUnknown, times: Times): string {
  switch (reconcile?.state) {
    case undefined:
      return t("outcome unknown");
    case "under-way":
      return reconcile.waits ? t("outcome unknown · waiting to be sent") : t("outcome unknown · reconciling");
    case "failed":
      return t("outcome unknown · reconcile failed at {0}", times.short(reconcile.at));
  }
}

function iconOf(task: Task): TaskRow["icon"] {
  switch (phaseOf(task)) {
    case "prepared":
    case "sending":
      return { id: "cloud-upload" };
    case "outcome-unknown":
      return { id: "question", color: "list.warningForeground" };
    case "not-accepted":
      return { id: "error", color: "list.errorForeground" };
    case "created":
      return { id: "circle-outline" };
    case "queued":
      return { id: "clock" };
    case "processing":
      return { id: "sync", color: "charts.blue" };
    case "succeeded":
      return { id: resultIcon(task.intent.type), color: "charts.green" };
    case "failed":
      return { id: "error", color: "list.errorForeground" };
    case "withdrawn":
    case "cancelled":
      return { id: "circle-slash", color: "disabledForeground" };
    case "expired":
      return { id: "watch", color: "disabledForeground" };
    case "refunded":
      return { id: "discard", color: "disabledForeground" };
    case "unknown":
      return { id: "info" };
  }
}

/** What the menus of package.json ask for: `viewItem =~ /\bcancelable\b/`. */
function flagsOf(actions: readonly TaskAction[]): string {
  return ["task", ...actions.flatMap((action) => taskActionFacts(action).flag ?? [])].join(" ");
}
