/** What the card of a task in the chat shows, in words. Pure. */
import { definedFields } from "../base/definedFields";
import type { Task } from "../domain/task";
import type { JobAction, JobView } from "../protocol/jobMessages";
import { resultFile } from "../tasks/resultFile";
import { cutLabel, taskRow } from "../tasks/taskRow";
import { stateName, taskTypeName } from "../tasks/taskWords";
import { actionsOf, shownFileOf, toneOf } from "./taskPageView";

/** In the order in which a card has them. */
const shownActions: readonly JobAction[] = [
  "reconcile",
  "send-again",
  "cancel",
  "open-result",
  "save-into-workspace",
  "insert-link",
];

export interface JobContext {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly locale: string;
  /** The address by which the page may load a file of the results folder. */
  readonly urlOf: (path: string) => string;
}

export function jobView(task: Task, { now, locale, urlOf }: JobContext): JobView {
  const { intent } = task;
  const row = taskRow(task, now, locale);
  const tone = toneOf(task);
  const file = resultFile(task);
  const possible: readonly string[] = actionsOf(task, undefined);
  return {
    id: intent.id,
    state: { name: stateName(task), tone },
    prompt: cutLabel(intent.prompt),
    facts: [taskTypeName(intent.type), intent.model, ...row.remarks.filter((remark) => remark !== stateName(task))],
    money: row.money,
    actions: [...shownActions.filter((action) => possible.includes(action)), "open-task"],
    spoken: row.spoken,
    ...definedFields({
      problem: tone === "attention" || tone === "failed" ? row.state : undefined,
      file: file && shownFileOf(file, urlOf),
    }),
  };
}
