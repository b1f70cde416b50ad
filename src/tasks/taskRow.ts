/** A task as a row of the tree: strings only, so that it can be tested without an editor. No clock in a label. */
import { t } from "@vscode/l10n";
import { describeError } from "../domain/describeError";
import { isRunning, type Task, type TaskState, type TaskType } from "../domain/task";
import { formatsOf } from "./timeFormats";

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
    description: [`${type} · ${times.short(intent.createdAt)}`, ...remarks(task, times)].join(" · "),
    icon: iconOf(task),
    contextValue: contextOf(task),
    state,
    money,
    spoken: t("{0}, {1}, created {2}, {3}: {4}", type, stateName(task), times.short(intent.createdAt), money, label),
  };
}

export function taskTypeName(type: TaskType): string {
  switch (type) {
    case "video":
      return t("video");
    case "stylized-image":
      return t("stylized image");
    case "async-image":
      return t("image");
  }
}

/** The first line with words in it, cut at a word near 60 characters. */
export function cutLabel(prompt: string): string {
  const line = prompt
    .split(/\r?\n/)
    .map((text) => text.trim())
    .find((text) => text !== "");
  if (line === undefined) return t("(no prompt)");
  // By characters: half of a pair would be shown as a character of its own.
  const begun = Array.from(line.slice(0, 200));
  if (begun.length <= 60) return line;
  const cut = begun.slice(0, 60).join("");
  const space = cut.lastIndexOf(" ");
  return `${(space > 30 ? cut.slice(0, space) : cut).trimEnd()}…`;
}

interface Times {
  /** Hours and minutes, with the date when it is not today. */
  short(at: number): string;
  /** With seconds. */
  exact(at: number): string;
}

function createTimes(locale: string, now: number): Times {
  const { time, exact, day } = formatsOf(locale);
  return {
    short: (at) => (isSameDay(at, now) ? time.format(at) : `${day.format(at)} ${time.format(at)}`),
    exact: (at) => exact.format(at),
  };
}

function isSameDay(one: number, other: number): boolean {
  return new Date(one).toDateString() === new Date(other).toDateString();
}

/** Where a row stands; cheap enough for every task at each drawing. */
export function groupOf({ intent, submission }: Task, now: number): TaskGroup {
  switch (submission.state) {
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
  if (submission.state !== "accepted") return [];
  const { remote, cancel, stale } = submission;
  const remarks: string[] = [];
  if (remote.state === "unknown") remarks.push(t("status {0}", remote.rawStatus));
  if (cancel?.state === "requested") remarks.push(t("cancel requested"));
  if (cancel?.state === "refused") remarks.push(t("cancel refused"));
  if (cancel?.state === "too-late") remarks.push(t("finished before the cancel"));
  if (stale) remarks.push(t("stale since {0}", times.short(stale.since)));
  return remarks;
}

function iconOf({ intent, submission }: Task): TaskRow["icon"] {
  switch (submission.state) {
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

function contextOf(task: Task): string {
  const { submission } = task;
  switch (submission.state) {
    case "sending":
      return "task sending";
    case "outcome-unknown":
      return "task reconcilable removable";
    case "not-accepted":
      return "task resendable removable";
    case "accepted":
      if (isRunning(task)) return "task accepted cancelable";
      return submission.remote.state === "succeeded" ? "task accepted openable removable" : "task accepted removable";
  }
}

function stateName({ submission }: Task): string {
  switch (submission.state) {
    case "sending":
      return t("sending");
    case "outcome-unknown":
      return t("outcome unknown");
    case "not-accepted":
      return t("not accepted");
    case "accepted":
      return remoteStateName(submission.remote.state, submission.remote.rawStatus);
  }
}

export function remoteStateName(state: TaskState, rawStatus: string): string {
  switch (state) {
    case "created":
      return t("created");
    case "queued":
      return t("queued");
    case "processing":
      return t("processing");
    case "succeeded":
      return t("succeeded");
    case "failed":
      return t("failed");
    case "cancelled":
      return t("cancelled");
    case "expired":
      return t("expired");
    case "refunded":
      return t("refunded");
    case "unknown":
      return t("unknown status {0}", rawStatus);
  }
}

function stateSentence(task: Task, times: Times): string {
  const { submission } = task;
  switch (submission.state) {
    case "sending":
      return t("Being sent to the gateway.");
    case "outcome-unknown":
    case "not-accepted": {
      const { title, meaning } = describeError(submission.error, "submit");
      return `${title} ${meaning}`;
    }
    case "accepted": {
      const { remote } = submission;
      if (remote.state === "failed") {
        const why = [remote.errorCode, remote.errorMessage].filter(Boolean).join(": ");
        return why === "" ? t("Failed; the gateway gave no reason.") : t("Failed: {0}", why);
      }
      const name = remoteStateName(remote.state, remote.rawStatus);
      return t("State {0}, last read at {1}.", name, times.short(submission.checkedAt));
    }
  }
}

/** Only what was read or follows from it by service-spec 8: never an amount, which no answer holds. */
function moneyLine(task: Task, times: Times): string {
  const { submission } = task;
  switch (submission.state) {
    case "sending":
      return t("no answer yet");
    case "outcome-unknown":
      return t("hold not known");
    case "not-accepted":
      return t("no hold");
    case "accepted": {
      const opened = t("Hold opened at {0}", times.exact(submission.at));
      const ended = times.exact(submission.remote.completedAt ?? submission.checkedAt);
      switch (submission.remote.state) {
        case "succeeded":
          return t("{0}, settled on success at {1}", opened, ended);
        case "failed":
          return t("{0}, released: the task failed", opened);
        case "cancelled":
          return t("{0}, released: the task was cancelled", opened);
        case "expired":
          return t("{0}, released: the task expired", opened);
        case "refunded":
          return t("{0}, refunded", opened);
        case "created":
        case "queued":
        case "processing":
        case "unknown":
          return t("{0}, open", opened);
      }
    }
  }
}
