/** The list behind *Show Money* (T10): open holds, releases that were not seen, unknown outcomes. No amounts: no response holds one. */
import { t } from "@vscode/l10n";
import { plural } from "../../domain/words/plural";
import { quoteForeign } from "../../domain/words/quoteForeign";
import { acceptedOf } from "../../domain/task/phase";
import type { Task } from "../../domain/task/task";
import { cutLabel } from "../../domain/words/label";
import { isHoldOpen, isReleaseNotSeen, moneyOf, type TaskMoney } from "../money/money";
import { taskTypeName } from "../../domain/words/taskTypeWords";
import { moneyLine, stateName, type Times } from "./taskWords";

interface ReportSection {
  readonly title: string;
  readonly hint: string;
  readonly includes: (money: TaskMoney) => boolean;
}

/** Tasks that are listed of each kind; the count says of all. */
const maxListed = 500;

function sections(): readonly ReportSection[] {
  return [
    {
      title: t("Outcome unknown"),
      hint: t(
        "A request may have made a task and a hold. Reconcile asks again under the same key; nothing is paid twice.",
      ),
      includes: ({ hold }) => hold === "not-known",
    },
    {
      title: t("More than one hold for one task"),
      hint: t("The gateway made another task or hold for the same idempotency key. Look in its console."),
      includes: ({ others, mayHaveTwin }) => others > 0 || mayHaveTwin,
    },
    {
      title: t("Holds open"),
      hint: t("The task has not ended, so its hold is not settled yet."),
      includes: isHoldOpen,
    },
    {
      title: t("Ended, release not seen"),
      hint: t(
        "The gateway's document says that the hold of such a task is released by itself. Nothing has shown it yet; Show Money reads the events again.",
      ),
      includes: ({ hold }) => hold === "release-not-seen",
    },
  ];
}

/** `times.exact` has the date of what is not of today. `notRead`: tasks on disk that are not among these. */
export function moneyReport(tasks: Iterable<Task>, times: Times, now: number, notRead: number): string {
  const all = [...tasks].reverse().map((task) => ({ task, money: moneyOf(task) }));
  const parts = sections().map(({ title, hint, includes }) => {
    const found = all.filter(({ money }) => includes(money));
    return { title, hint, found };
  });
  const holds = Map.groupBy(all, ({ task }) => holdOf(task));
  const settled = all.filter(({ money }) => money.hold === "settled").length;
  const released = all.filter(({ money }) => money.hold === "released").length;
  const lines = [t("Money, as of {0}", times.exact(now)), ""];
  const of = all.length + notRead;
  if (notRead > 0)
    lines.push(
      plural(of, { other: "{0} of {1} tasks are counted: the others can't be read now." }, all.length, of),
      "",
    );
  for (const { title, found } of parts) lines.push(`${String(found.length).padStart(6)}  ${title}`);
  lines.push(`${String(settled).padStart(6)}  ${t("Settled on success")}`);
  lines.push(`${String(released).padStart(6)}  ${t("Released, and seen so")}`, "");
  lines.push(t("The gateway names no amounts, so none are shown here. Its console has the balance."), "");
  for (const { title, hint, found } of parts) {
    if (found.length === 0) continue;
    lines.push(title, hint, "");
    for (const { task } of found.slice(0, maxListed))
      lines.push(...entry(task, times, holds.get(holdOf(task))?.length), "");
    if (found.length > maxListed) lines.push(t("{0} more: Export Tasks as CSV has all.", found.length - maxListed), "");
  }
  return lines.join("\n");
}

/** The tasks whose events may show a release: first those whose events were never read, then the others, each newest first. */
export function releasesNotSeen(tasks: Iterable<Task>): readonly string[] {
  const ended = [...tasks].reverse().filter(isReleaseNotSeen);
  const wasRead = (task: Task): number => (acceptedOf(task)?.events === undefined ? 0 : 1);
  return ended.sort((one, other) => wasRead(one) - wasRead(other)).map(({ intent }) => intent.id);
}

/** A key that is unique over all accounts; `undefined` where the gateway named no hold. */
function holdOf(task: Task): string | undefined {
  const { origin, account } = task.intent.home;
  const holdId = acceptedOf(task)?.holdId;
  return holdId === undefined ? undefined : JSON.stringify([origin, account, holdId]);
}

/** `sharing`: tasks for which the gateway has named this hold. */
function entry(task: Task, times: Times, sharing = 1): readonly string[] {
  const { intent } = task;
  const accepted = acceptedOf(task);
  const isShared = sharing > 1 && accepted?.holdId !== undefined;
  const ids = [
    accepted && t("task {0}", quoteForeign(accepted.taskId, 100)),
    accepted?.holdId === undefined ? undefined : t("hold {0}", quoteForeign(accepted.holdId, 100)),
    ...(accepted?.others ?? []).map(({ taskId, holdId }) => t("also {0}", quoteForeign(holdId ?? taskId, 100))),
    isShared
      ? plural(sharing - 1, {
          one: "the gateway named the same hold for 1 other task",
          other: "the gateway named the same hold for {0} other tasks",
        })
      : undefined,
  ].filter((id) => id !== undefined);
  return [
    `  ${taskTypeName(intent.type)} · ${times.short(intent.createdAt)} · ${stateName(task)} · ${cutLabel(intent.prompt)}`,
    `    ${moneyLine(task, times)}`,
    ...(ids.length > 0 ? [`    ${ids.join(" · ")}`] : []),
  ];
}
