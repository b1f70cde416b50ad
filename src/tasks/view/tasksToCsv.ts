/** All tasks as a table for a spreadsheet: what was asked for, what became of it, and its money by evidence (T10). */
import { t } from "@vscode/l10n";
import { csvRow, type CsvCell } from "../../base/text/csv";
import { shortAccount } from "../../domain/gateway/account";
import { acceptedOf } from "../../domain/task/phase";
import type { Task } from "../../domain/task/task";
import { TimeSlices } from "../../base/async/timeSlices";
import { endedAt, type MoneyEvidence, moneyOf, priceOfTask } from "../money";
import { amountSourceName } from "../../domain/words/describePrice";
import { resultFile } from "../results/resultFile";
import { taskTypeName } from "../../domain/words/taskTypeWords";
import { holdStateName, stateName } from "./taskWords";

/** Rows of one slice: looking at the time costs as much as a few of them. */
const rowsAtOnce = 100;

/** `tasks`: by their ids. Rejects with the signal's reason. Begins with a byte order mark, by which spreadsheets recognise UTF-8. */
export async function tasksToCsv(tasks: ReadonlyMap<string, Task>, signal: AbortSignal): Promise<string> {
  const slices = new TimeSlices(signal);
  const rows = [csvRow(columnNames())];
  for (const task of tasks.values()) {
    rows.push(csvRow(cellsOf(task, tasks)));
    if (rows.length % rowsAtOnce === 0 && slices.isSpent) await slices.next();
  }
  return `\ufeff${rows.join("")}`;
}

function columnNames(): readonly string[] {
  return [
    t("Created"),
    t("Type"),
    t("Model"),
    t("State"),
    t("Ended"),
    t("Hold"),
    t("Hold id"),
    t("Hold opened"),
    t("Opened by"),
    t("Settled or released"),
    t("Shown by"),
    t("Other holds for the same key"),
    t("Task id"),
    t("Request id"),
    t("Idempotency key"),
    t("Gateway"),
    t("Account"),
    t("Batch"),
    t("Variant"),
    t("Made from task"),
    t("Price"),
    t("Currency"),
    t("Price according to"),
    t("Saved as"),
    t("Prompt"),
  ];
}

function cellsOf(task: Task, tasks: ReadonlyMap<string, Task>): readonly CsvCell[] {
  const { intent } = task;
  const source = intent.duplicatedFrom === undefined ? undefined : tasks.get(intent.duplicatedFrom);
  const accepted = acceptedOf(task);
  const { hold, holdId, opened, ended, others } = moneyOf(task);
  const price = priceOfTask(task);
  return [
    time(intent.createdAt),
    taskTypeName(intent.type),
    intent.model,
    stateName(task),
    time(accepted && endedAt(accepted)),
    holdStateName(hold),
    holdId,
    time(opened?.at),
    opened && evidenceName(opened.by),
    time(ended?.at),
    ended && evidenceName(ended.by),
    others > 0 ? others : undefined,
    accepted?.taskId,
    accepted?.requestId,
    intent.idempotencyKey,
    intent.home.baseUrl,
    shortAccount(intent.home.account),
    intent.batch,
    intent.variant,
    source && acceptedOf(source)?.taskId,
    price?.amount,
    price?.currency,
    price && amountSourceName(price.source),
    resultFile(task)?.path,
    intent.prompt,
  ];
}

/** Writes a time in the form that spreadsheets of every language read. */
function time(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString();
}

function evidenceName(by: MoneyEvidence): string {
  switch (by) {
    case "response":
      return t("response to the submission");
    case "event":
      return t("event of the task");
    case "read":
      return t("read of the task");
  }
}
