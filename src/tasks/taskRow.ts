/** A task as a row of the tree: strings only, so that it can be tested without an editor. No clock in a label. */
import { t } from "@vscode/l10n";
import { quoteForeign } from "../domain/quoteForeign";
import { isRunning, type Task, type TaskState, type TaskType } from "../domain/task";
import {
  createTimes,
  isSameDay,
  moneyLine,
  type OutcomeUnknown,
  stateName,
  stateSentence,
  taskTypeName,
  type Times,
} from "./taskWords";

export type TaskGroup = "attention" | "running" | "today" | "earlier";
export const taskGroups: readonly TaskGroup[] = ["attention", "running", "today", "earlier"];

export interface TaskRow {
  readonly id: string;
  readonly group: TaskGroup;
  readonly label: string;
  readonly description: string;
  /** A codicon and, where it has one, a theme colour. */
  readonly icon: { readonly id: string; readonly color?: string };
  /** `task` and its flags, for menus: `viewItem =~ /\bcancelable\b/`. */
  readonly contextValue: string;
  /** The state in a sentence, and the error's meaning where there is one. */
  readonly state: string;
  readonly money: string;
  /** The whole row as a sentence, for a screen reader. */
  readonly spoken: string;
}

export function taskRow(task: Task, now: number, locale: string): TaskRow {
  const { intent } = task;
  const times = createTimes(locale, now);
  const state = stateSentence(task, times);
  const money = moneyLine(task, times);
  const label = cutLabel(intent.prompt);
  const type = taskTypeName(intent.type);
  return {
    id: intent.id,
    group: groupOf(task, now),
    label,
    description: describeRow(task, times),
    icon: iconOf(task),
    contextValue: contextOf(task),
    state,
    money,
    spoken: t("{0}, {1}, created {2}, {3}: {4}", type, stateName(task), times.short(intent.createdAt), money, label),
  };
}

/** The first line with words in it, cut at a word near 60 characters. */
export function cutLabel(prompt: string): string {
  const line = prompt
    .split(/\r?\n/)
    .map((text) => text.trim())
    .find((text) => text !== "");
  if (line === undefined) return t("(no prompt)");
  // By code points: half of a surrogate pair would be shown as a character of its own.
  const begun = Array.from(line.slice(0, 200));
  if (begun.length <= 60) return line;
  const cut = begun.slice(0, 60).join("");
  const space = cut.lastIndexOf(" ");
  return `${(space > 30 ? cut.slice(0, space) : cut).trimEnd()}…`;
}

/** A narrow view cuts off the end: what needs the person comes first. */
function describeRow(task: Task, times: Times): string {
  const { intent, submission } = task;
  const facts = [taskTypeName(intent.type), times.short(intent.createdAt)];
  const said = remarks(task, times);
  return (submission.state === "outcome-unknown" ? [...said, ...facts] : [...facts, ...said]).join(" · ");
}

/** The group of a row; cheap enough for every task at each refresh. */
export function groupOf({ intent, submission }: Task, now: number): TaskGroup {
  switch (submission.state) {
    case "prepared":
    case "sending":
      return "running";
    case "outcome-unknown":
    case "not-accepted":
      return "attention";
    case "accepted":
      if (isRunning({ intent, submission })) return "running";
      return isSameDay(submission.remote.completedAt ?? submission.checkedAt, now) ? "today" : "earlier";
  }
}

function remarks({ submission }: Task, times: Times): string[] {
  if (submission.state === "outcome-unknown") return [reconcileRemark(submission, times)];
  if (submission.state !== "accepted") return [];
  const { remote, cancel, stale } = submission;
  const remarks: string[] = [];
  if (remote.state === "unknown" && remote.rawStatus !== "")
    remarks.push(t("status {0}", quoteForeign(remote.rawStatus, 40)));
  if (cancel?.state === "requested") remarks.push(t("cancel requested"));
  if (cancel?.state === "refused") remarks.push(t("cancel refused"));
  if (cancel?.state === "too-late") remarks.push(t("finished before the cancel"));
  if (stale) remarks.push(t("stale since {0}", times.short(stale.since)));
  return remarks;
}

function reconcileRemark({ reconcile }: OutcomeUnknown, times: Times): string {
  switch (reconcile?.state) {
    case undefined:
      return t("outcome unknown");
    case "under-way":
      return t("outcome unknown · reconciling");
    case "failed":
      return t("outcome unknown · reconcile failed at {0}", times.short(reconcile.at));
  }
}

function iconOf({ intent, submission }: Task): TaskRow["icon"] {
  switch (submission.state) {
    case "prepared":
    case "sending":
      return { id: "cloud-upload" };
    case "outcome-unknown":
      return { id: "question", color: "list.warningForeground" };
    case "not-accepted":
      return { id: "error", color: "list.errorForeground" };
    case "accepted":
      return stateIcon(submission.remote.state, intent.type);
  }
}

function stateIcon(state: TaskState, type: TaskType): TaskRow["icon"] {
  switch (state) {
    case "created":
      return { id: "circle-outline" };
    case "queued":
      return { id: "clock" };
    case "processing":
      return { id: "loading~spin" };
    case "succeeded":
      return { id: type === "video" ? "device-camera-video" : "file-media", color: "charts.green" };
    case "failed":
      return { id: "error", color: "list.errorForeground" };
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

/** Whether no request for it is in flight and it is not running. */
export function isRemovable(task: Task): boolean {
  const { submission } = task;
  switch (submission.state) {
    case "prepared":
    case "sending":
      return false;
    case "outcome-unknown":
      return submission.reconcile?.state !== "under-way";
    case "not-accepted":
      return true;
    case "accepted":
      return !isRunning(task);
  }
}

function contextOf(task: Task): string {
  const { submission } = task;
  switch (submission.state) {
    case "prepared":
    case "sending":
      return "task sending";
    case "outcome-unknown":
      return isRemovable(task) ? "task reconcilable removable" : "task sending";
    case "not-accepted":
      return "task resendable removable";
    case "accepted":
      if (isRunning(task)) return "task accepted cancelable";
      return submission.remote.state === "succeeded" ? "task accepted openable removable" : "task accepted removable";
  }
}
