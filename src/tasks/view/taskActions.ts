/** Decides what can be done with a task now: rows, pages, cards and lenses show their part of this list. */
import { isPicturePath } from "../../domain/media/pictureTypes";
import {
  acceptedOf,
  hasSucceeded,
  isEnded,
  isOver,
  isReconcilable,
  isRefused,
  isRunning,
  isWaitingToSend,
} from "../../domain/task/phase";
import { isFreeTask } from "../../domain/task/sameHome";
import { type AcceptedSubmission, isTaskType, type Task } from "../../domain/task/task";
import { mediaOf } from "../../domain/task/taskTypes";
import { type TaskAction, taskActions } from "../../domain/task/taskActions";
import { isReleaseNotSeen } from "../money";
import { hasResult, resultFile } from "../results/resultFile";

/** Facts that are known in addition to the task. */
export interface ActionContext {
  /** There is a request that can be copied. */
  readonly hasCurl?: boolean;
  /** The file that the result was saved as was deleted. */
  readonly isSavedGone?: boolean;
}

const isOffered: Readonly<Record<TaskAction, (task: Task, context: ActionContext) => boolean>> = {
  reconcile: isReconcilable,
  "send-again": isRefused,
  "top-up": canTopUp,
  "check-now": isInDoubt,
  cancel: isRunning,
  withdraw: isWaitingToSend,
  "try-again": (task) => isEnded(task) && !hasResult(task),
  "make-real": isRehearsed,
  "show-saved": (task, { isSavedGone }) =>
    hasSucceeded(task) && task.submission.placement?.state === "placed" && isSavedGone !== true,
  "open-result": hasResult,
  "get-result": hasResult,
  "open-externally": isOpenedOutside,
  "place-result": (task) => hasSucceeded(task) && isPlaceable(task.submission),
  "save-into-workspace": hasResult,
  convert: isReferable,
  "insert-link": hasResult,
  "use-as-reference": isReferable,
  "make-variants": (task) => hasResult(task) && isTaskType(task.intent.type),
  "make-video": isReferable,
  "other-model": (task) => isEnded(task) && isTaskType(task.intent.type),
  "copy-path": hasResult,
  "open-task": () => true,
  "open-batch": ({ intent }) => intent.batch !== undefined,
  duplicate: () => true,
  more: hasResult,
  "copy-curl": (_task, { hasCurl }) => hasCurl === true,
  "copy-prompt": () => true,
  "copy-id": (task) => acceptedOf(task) !== undefined,
  remove: isRemovable,
};

/** The offered actions in the order in which they are shown. */
export function actionsOf(task: Task, context: ActionContext = {}): readonly TaskAction[] {
  return taskActions.filter((action) => isOffered[action](task, context));
}

/** Whether the task is a placeholder that can be made real; the real file takes the place of its file. */
export function isRehearsed(task: Task): boolean {
  if (task.intent.isRehearsal !== true || !hasSucceeded(task)) return false;
  const { placement } = task.submission;
  return task.intent.destination === undefined || (placement !== undefined && placement.state !== "placing");
}

/** Whether no request for it is in flight and it is not running. */
export function isRemovable(task: Task): boolean {
  return isOver(task) || isReconcilable(task);
}

/** Whether what is shown of the task may be old: it can't be read, its state is not known, or nothing has shown what became of its hold. */
function isInDoubt(task: Task): boolean {
  if (isReleaseNotSeen(task)) return true;
  return isRunning(task) && (task.submission.stale !== undefined || task.submission.remote.state === "unknown");
}

/** Whether a person has to decide where the result goes. */
function isPlaceable({ placement }: AcceptedSubmission): boolean {
  return placement?.state === "occupied" || placement?.state === "failed";
}

/** Whether the system may open the file. One that may hold scripts is not opened: the system's program for it may be a browser, which runs them. */
function isOpenedOutside(task: Task): boolean {
  const file = resultFile(task);
  return file !== undefined && !isPicturePath(file.path, "script");
}

/** Whether the result is a picture that a task takes as a reference; for one that was not fetched, the type of the task decides. */
function isReferable(task: Task): boolean {
  if (!hasResult(task)) return false;
  const file = resultFile(task);
  return file === undefined ? mediaOf(task.intent.type) === "image" : isPicturePath(file.path, "reference");
}

/** Whether the local gateway refused the task for its balance: a button adds to that, because its money is made up. */
function canTopUp(task: Task): boolean {
  const { submission } = task;
  const isShort = submission.state === "not-accepted" && submission.error.kind === "insufficient-balance";
  return isShort && isFreeTask(task);
}
