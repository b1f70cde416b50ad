/**
 * A task as a row of the tree, where a new fact about a task is added: strings only, so that it can be tested without an editor. A label has no
 * clock time.
 */
import { t } from "@vscode/l10n";
import { definedFields } from "../../base/definedFields";
import { cutText } from "../../base/text/cutText";
import { cutLabel } from "../../domain/words/label";
import { joinWords } from "../../domain/words/joinWords";
import { quoteForeign } from "../../domain/words/quoteForeign";
import { acceptedOf, hasSucceeded, isRunning, phaseOf } from "../../domain/task/phase";
import type { AppError } from "../../domain/errors/appError";
import { isFreeTask } from "../../domain/task/sameHome";
import type { Task, TaskHome } from "../../domain/task/task";
import { type TaskAction, taskActionFacts } from "../../domain/task/taskActions";
import { resultIcon } from "../../domain/task/taskTypes";
import { actionsOf } from "./taskActions";
import { isReleaseNotSeen, moneyOf } from "../money";
import {
  moneySentence,
  moneyWord,
  resultRemark,
  savingRemark,
  type OutcomeUnknown,
  stateName,
  stateSentence,
  usualTimeText,
} from "./taskWords";
import { isLongerThanUsual, type UsualTime } from "../usualTimes";
import { taskTypeName } from "../../domain/words/taskTypeWords";
import { createTimes, type Times } from "../../domain/words/timeFormats";
import type { Connection } from "../../domain/ports";
import { originWords } from "../../domain/words/gatewayWords";
import { variantLength, variantNames } from "../../domain/words/variantNames";

/** Facts in addition to the task, all of them in memory. Times in milliseconds since 1970. */
export interface RowFacts {
  readonly usual?: UsualTime | undefined;
  /** The name of its gateway, where that is another one than the chosen one. */
  readonly elsewhere?: string | undefined;
  /** The end of the pause that it waits for before it is sent. */
  readonly waitsUntil?: number | undefined;
  /** Whether this window has the folder of that file open, and so brings results there. Without it a row shows nothing about results on their way. */
  readonly isOpenHere?: ((file: string) => boolean) | undefined;
}

export interface TaskRow {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  /** A codicon and, where it has one, a theme colour. */
  readonly icon: { readonly id: string; readonly color?: string };
  /** The path of a small picture of its result, in place of the icon. */
  readonly picture?: string;
  readonly actions: readonly TaskAction[];
  /** `task` and its flags, for menus: `viewItem =~ /\bcancelable\b/`. */
  readonly contextValue: string;
  /** The facts that the icon does not show: stale, cancel requested. */
  readonly remarks: readonly string[];
  /** The state in a sentence, and the error's meaning where there is one. */
  readonly state: string;
  readonly money: string;
  /** The usual time of such tasks; empty where that is not known. */
  readonly usual: string;
  /** The whole row as a sentence, for a screen reader. */
  readonly spoken: string;
}

/** Characters of a label: more than any side bar shows. VS Code cuts what has no room. */
const labelLength = 200;
/** The most characters of the gateway's message that a failed row shows. */
const reasonLength = 40;

export function taskRow(task: Task, now: number, locale: string, context: RowFacts = {}): TaskRow {
  const { intent, submission } = task;
  const { usual, elsewhere, waitsUntil } = context;
  const times = createTimes(locale, now);
  const said = remarks(task, times, now, context);
  const actions = actionsOf(task);
  const usually = usual ? usualTimeText(usual) : "";
  const type = taskTypeName(intent.type);
  const isNamed = !intent.isWatched || intent.prompt !== "" || submission.state !== "accepted";
  const reason = reasonOf(task);
  const facts = [
    `${type.slice(0, 1).toLocaleUpperCase(locale)}${type.slice(1)}`,
    ...variantOf(task),
    stateName(task),
    ...said.filter((remark) => remark !== stateName(task)),
    ...(reason === undefined ? [] : [reason]),
    t("submitted {0}", times.short(intent.createdAt)),
    ...(isRunning(task) && usually !== "" ? [usually] : []),
    moneyWord(task),
    ...(elsewhere === undefined ? [] : [elsewhere]),
  ];
  const mattersMore = [...said, ...endWords(task, reason)];
  return {
    id: intent.id,
    label: isNamed
      ? [
          // A side bar has room for the beginning of the label only, and a row must not be taken for one that was paid.
          ...(intent.isRehearsal === true ? [t("Rehearsal")] : []),
          ...variantNames(intent.variant),
          cutLabel(intent.prompt, labelLength),
        ].join(" · ")
      : t("Task {0}", cutText(submission.taskId, 50)),
    description: [
      ...(mattersMore.length > 0 ? mattersMore : [times.short(intent.createdAt)]),
      ...(elsewhere === undefined ? [] : [elsewhere]),
    ].join(" · "),
    icon: iconOf(task),
    ...definedFields({ picture: hasSucceeded(task) ? task.submission.saved?.icon : undefined }),
    remarks: said,
    actions,
    contextValue: flagsOf(actions),
    state: stateSentence(task, times, waitsUntil),
    money: moneySentence(task, times),
    usual: usually,
    spoken: t("{0}: {1}", joinWords(facts), cutLabel(intent.prompt)),
  };
}

/** The parts that a row shows, offers and gives to a screen reader; the rest is for its tooltip. */
export function visibleParts({ label, description, icon, picture, contextValue, spoken }: TaskRow): unknown {
  return [label, description, icon, picture, contextValue, spoken];
}

/** The values by which the task differs from others of its batch, with their names. */
export function variantOf({ intent }: Task): readonly string[] {
  return intent.variant === undefined ? [] : [cutText(intent.variant, variantLength)];
}

/** What the row of an ended task adds: why it failed, and what is known of its money. An end as it was wanted adds nothing. */
function endWords(task: Task, reason: string | undefined): readonly string[] {
  const phase = phaseOf(task);
  if (phase === "failed" || phase === "not-accepted") {
    // A row shows nothing about a hold that the gateway did not name.
    return [
      ...(reason === undefined ? [] : [reason]),
      ...(isFreeTask(task) || moneyOf(task).hold === "not-named" ? [] : [moneyWord(task)]),
    ];
  }
  return isReleaseNotSeen(task) && !isFreeTask(task) ? [moneyWord(task)] : [];
}

/** The reason why it failed or was not accepted, in a few words. */
function reasonOf(task: Task): string | undefined {
  const { submission } = task;
  if (phaseOf(task) === "not-accepted" && submission.state === "not-accepted") return refusalName(submission.error);
  const remote = acceptedOf(task)?.remote;
  if (remote?.state !== "failed") return undefined;
  const { errorCode = "", errorMessage = "" } = remote;
  if (timeoutCodes.test(errorCode)) return t("timed out");
  const reason = errorMessage === "" ? errorCode : errorMessage;
  return reason === "" ? t("no reason given") : quoteForeign(reason, reasonLength);
}

/** Codes of a task that took too long: `timeout`, `upstream_timeout`, `timed-out`. */
const timeoutCodes = /^(?:\w{1,20}[_-])?(?:timeout|timed[_-]?out)$/i;

/** The reasons of refusals in a few words; the tooltip explains the others. */
const refusalNames: Readonly<Partial<Record<AppError["kind"], () => string>>> = {
  "insufficient-balance": () => t("balance too low"),
  "not-enabled": () => t("not enabled"),
  "rate-limited": () => t("rate limit"),
  "signed-out": () => t("no key"),
  unauthorized: () => t("key refused"),
  unreachable: () => t("gateway not reached"),
};

function refusalName({ kind, notSent }: AppError): string {
  return refusalNames[kind]?.() ?? (notSent ? t("not sent") : t("not accepted"));
}

/** The facts that the icon does not show. */
function remarks(task: Task, times: Times, now: number, facts: RowFacts): string[] {
  const { usual, waitsUntil, isOpenHere = () => false } = facts;
  const { intent, submission } = task;
  if (submission.state === "outcome-unknown") return [reconcileRemark(submission, times, waitsUntil)];
  if (submission.state === "not-accepted") return phaseOf(task) === "withdrawn" ? [t("not sent")] : [];
  if (submission.state === "prepared")
    return [waitsUntil === undefined ? stateName(task) : t("waiting until {0}", times.short(waitsUntil))];
  if (submission.state !== "accepted") return [];
  const { remote, cancel, stale, others } = submission;
  const remarks: string[] = [];
  if (others) remarks.push(t("may be charged twice"));
  if (intent.isWatched) remarks.push(t("not submitted here"));
  if (remote.state === "unknown" && remote.rawStatus !== "")
    remarks.push(t("status {0}", quoteForeign(remote.rawStatus, 40)));
  if (cancel?.state === "requested") remarks.push(t("cancel requested"));
  if (cancel?.state === "refused") remarks.push(t("cancel refused"));
  if (cancel?.state === "no-effect") remarks.push(t("cancel had no effect"));
  if (cancel?.state === "too-late") remarks.push(t("finished before the cancel"));
  const aboutResult = resultRemark(submission);
  if (aboutResult !== undefined) remarks.push(aboutResult);
  const saving = savingRemark(task, isOpenHere);
  if (saving !== undefined) remarks.push(saving);
  if (stale && remote.state !== "succeeded") remarks.push(t("stale since {0}", times.short(stale.since)));
  if (isLongerThanUsual(task, usual, now)) remarks.push(t("longer than usual"));
  return remarks;
}

function reconcileRemark({ reconcile }: OutcomeUnknown, times: Times, waitsUntil: number | undefined): string {
  switch (reconcile?.state) {
    case undefined:
      return t("outcome unknown");
    case "under-way":
      if (!reconcile.waits) return t("outcome unknown · asking again");
      return waitsUntil === undefined
        ? t("outcome unknown · waiting to be sent")
        : t("outcome unknown · waiting until {0}", times.short(waitsUntil));
    case "failed":
      return t("outcome unknown · no answer at {0}", times.short(reconcile.at));
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

/** The flags that the menus of package.json ask for: `viewItem =~ /\bcancelable\b/`. */
function flagsOf(actions: readonly TaskAction[]): string {
  return ["task", ...actions.flatMap((action) => taskActionFacts(action).flag ?? [])].join(" ");
}

// Names the gateway of a new task, and marks a task of another gateway (T6).

/** The name of the chosen gateway; empty while it starts, or where its address is not known. */
export function connectionWords(connection: Connection): string {
  const chosen = originOf(connection);
  return chosen === undefined ? "" : originWords(chosen);
}

/** The name of the task's gateway; `undefined` where it is the chosen one, or where none is chosen. */
export function elsewhereName({ origin }: TaskHome, connection: Connection): string | undefined {
  const chosen = originOf(connection);
  return chosen === undefined || chosen === origin ? undefined : originWords(origin);
}

function originOf(connection: Connection): string | undefined {
  switch (connection.state) {
    case "starting":
    case "failed":
      return undefined;
    case "signed-out":
      return connection.origin;
    case "ready":
      return connection.home.origin;
  }
}
