/**
 * What can be done with a task, and where it is offered: one line each. When it can be done is in `tasks/view/taskActions`, the labels are in
 * `domain/words/taskActionWords`.
 */
import { keysOf } from "../../base/definedFields";

/** `main`: the first of them that can be taken is the button below the result, the others are in the menu next to it, with those of `menu`. */
type PagePlace = "main" | "menu" | "frame" | "prompt" | "details";

export interface TaskActionFacts {
  /** The word by which the menus of package.json find the rows that offer it: `viewItem =~ /\bcancelable\b/`. */
  readonly flag?: string;
  /** The place of its button on the page of the task. */
  readonly page?: PagePlace;
  readonly isOnCard?: true;
  readonly isInLens?: true;
  /** The button is drawn as the main one, because the task waits for it. */
  readonly isUrgent?: true;
}

/** The actions in the order in which they are shown. */
const taskActionTable = {
  reconcile: { flag: "reconcilable", page: "main", isOnCard: true, isInLens: true, isUrgent: true },
  "send-again": { flag: "resendable", page: "main", isOnCard: true, isInLens: true, isUrgent: true },
  "top-up": { flag: "toppable" },
  "check-now": { flag: "checkable", page: "menu" },
  cancel: { flag: "cancelable", page: "main", isOnCard: true },
  withdraw: { flag: "waiting", page: "main", isOnCard: true },
  "try-again": { flag: "retryable", page: "main", isInLens: true },
  "make-real": { page: "main", isOnCard: true, isInLens: true, isUrgent: true },
  "open-result": { flag: "openable", page: "menu", isOnCard: true, isInLens: true },
  "show-saved": { page: "main" },
  "save-into-workspace": { page: "main", isOnCard: true },
  convert: { page: "menu" },
  "get-result": { page: "frame" },
  "open-externally": { page: "menu" },
  "place-result": { flag: "placeable" },
  "insert-link": { page: "menu", isOnCard: true },
  "use-as-reference": { flag: "referable", page: "menu" },
  "make-variants": { flag: "varied", page: "menu" },
  "make-video": { page: "menu" },
  "other-model": { flag: "repeatable", page: "menu" },
  "copy-path": { page: "menu" },
  "open-task": { isOnCard: true },
  "open-batch": { flag: "batched" },
  duplicate: { page: "menu" },
  /** Shows the actions of the page's menu as a pick; a lens has it next to *Open Result*. */
  more: { isOnCard: true },
  "copy-curl": { page: "details" },
  "copy-prompt": { page: "prompt" },
  "copy-id": { flag: "accepted" },
  remove: { flag: "removable" },
} as const satisfies Readonly<Record<string, TaskActionFacts>>;

type Table = typeof taskActionTable;
export type TaskAction = keyof Table;
/** The actions whose line has this field. */
type ActionWith<F extends keyof TaskActionFacts> = {
  [A in TaskAction]: Table[A] extends Readonly<Record<F, unknown>> ? A : never;
}[TaskAction];
/** The `flag` of each line that has one. */
export type TaskActionFlag = Extract<Table[TaskAction], { readonly flag: string }>["flag"];
export type PageAction = ActionWith<"page">;
export type CardAction = ActionWith<"isOnCard">;
export type LensAction = ActionWith<"isInLens">;

export const taskActions = keysOf<TaskAction>(taskActionTable);

export function taskActionFacts(action: TaskAction): TaskActionFacts {
  return taskActionTable[action];
}

export function isPageAction(action: TaskAction): action is PageAction {
  return taskActionFacts(action).page !== undefined;
}

export function isCardAction(action: TaskAction): action is CardAction {
  return taskActionFacts(action).isOnCard === true;
}

export function isLensAction(action: TaskAction): action is LensAction {
  return taskActionFacts(action).isInLens === true;
}
