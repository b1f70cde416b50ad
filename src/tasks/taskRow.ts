/** A task as a row of the tree: strings only, so that it can be tested without an editor. No clock in a label. */
import { localOrigin } from "../domain/address";
import { t } from "@vscode/l10n";
import { cutText } from "../base/cutText";
import { joinWords } from "../domain/joinWords";
import { quoteForeign } from "../domain/quoteForeign";
import { isRunning, type Task, type TaskState } from "../domain/task";
import { isPlaceable, resultRemark } from "./results/resultWords";
import { needsAttention } from "./taskGroups";
import { isLongerThanUsual, type UsualTime, usualTimeText } from "./usualTimes";
import {
  createTimes,
  moneyLine,
  type OutcomeUnknown,
  stateName,
  stateSentence,
  taskTypeName,
  type Times,
} from "./taskWords";

export interface TaskRow {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  /** A codicon and, where it has one, a theme colour. */
  readonly icon: { readonly id: string; readonly color?: string };
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
  const usually = usual ? usualTimeText(usual) : "";
  const type = taskTypeName(intent.type);
  const isNamed = !intent.isWatched || intent.prompt !== "" || submission.state !== "accepted";
  const longest = isOpenQuestion(task) ? labelLengthBeforeRemark : labelLength;
  const label = isNamed ? cutLabel(intent.prompt, longest) : t("Task {0}", cutText(submission.taskId, 50));
  const prompt = cutLabel(intent.prompt);
  const facts = [
    `${type.slice(0, 1).toLocaleUpperCase(locale)}${type.slice(1)}`,
    stateName(task),
    ...said.filter((remark) => remark !== stateName(task)),
    t("submitted {0}", times.short(intent.createdAt)),
    ...(isRunning(task) && usually !== "" ? [usually] : []),
    isRunning(task) && hasHold(task) ? t("hold open") : money,
  ];
  return {
    id: intent.id,
    label,
    // A narrow view cuts off the end: what the icon does not say comes first.
    description: [...said, type, times.short(intent.createdAt), ...restOf(prompt, label)].join(" · "),
    icon: iconOf(task),
    remarks: said,
    contextValue: intent.batch === undefined ? contextOf(task) : `${contextOf(task)} batched`,
    state: stateSentence(task, times),
    money,
    usual: usually,
    spoken: t("{0}: {1}", joinWords(facts), prompt),
  };
}

function isOpenQuestion({ submission }: Task): boolean {
  return submission.state === "outcome-unknown" || submission.state === "not-accepted";
}

/** What a cut label leaves out of the prompt. */
function restOf(prompt: string, label: string): string[] {
  const begun = label.slice(0, -1);
  return label === prompt || !prompt.startsWith(begun)
    ? []
    : [`…${prompt.slice(begun.length).replace(/^[\s,;:.–-]+/u, "")}`];
}

function hasHold({ submission }: Task): boolean {
  return submission.state === "accepted" && submission.holdId !== undefined;
}

/** The first line with words in it, cut at a word near `longest` characters. */
export function cutLabel(prompt: string, longest = 60): string {
  const line = prompt
    .split(/\r?\n/)
    .map((text) => text.trim())
    .find((text) => text !== "");
  if (line === undefined) return t("(no prompt)");
  // By code points: half of a surrogate pair would be shown as a character of its own.
  const begun = Array.from(line.slice(0, 200));
  if (begun.length <= longest) return line;
  const cut = begun.slice(0, longest).join("");
  const space = cut.lastIndexOf(" ");
  const isWhole = /^[\s,;:.!?)–-]/u.test(begun[longest] ?? "");
  const words = isWhole || space <= longest / 2 ? cut : cut.slice(0, space);
  return `${words.replace(/[\s,;:.–-]+$/u, "")}…`;
}

/** What the icon does not say. */
function remarks(task: Task, times: Times, now: number, usual: UsualTime | undefined): string[] {
  const { intent, submission } = task;
  if (submission.state === "outcome-unknown") return [reconcileRemark(submission, times)];
  if (submission.state === "not-accepted") return [t("not accepted")];
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

function stateIcon(state: TaskState, type: string): TaskRow["icon"] {
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

/** The local gateway's money is made up: a button adds to it. */
function canTopUp({ intent, submission }: Task): boolean {
  const isShort = submission.state === "not-accepted" && submission.error.kind === "insufficient-balance";
  return isShort && intent.home.origin === localOrigin;
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
      return canTopUp(task) ? "task resendable removable toppable" : "task resendable removable";
    case "accepted":
      if (isRunning(task)) return "task accepted cancelable";
      if (submission.remote.state === "succeeded")
        return `task accepted openable removable${isPlaceable(submission) ? " placeable" : ""}`;
      return needsAttention(task) ? "task accepted unseen removable" : "task accepted removable";
  }
}
