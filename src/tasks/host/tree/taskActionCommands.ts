/** The commands behind the buttons of a task: on its page, on its card in the chat, above its prompt. */
import type { Task } from "../../../domain/task/task";
import {
  type CardAction,
  isCardAction,
  type LensAction,
  type PageAction,
  type TaskAction,
  taskActionFacts,
} from "../../../domain/task/taskActions";
import { actionsOf } from "../../view/taskActions";
import { type CommandId, commands } from "../../../vscode/ids";

/** The actions of the page that no command does; `TaskPage` does them itself. */
type OwnAction = "get-result" | "open-externally" | "copy-curl";

export const commandOf: Readonly<Record<Exclude<PageAction, OwnAction> | CardAction | LensAction, CommandId>> = {
  "show-saved": commands.revealResult,
  "use-as-reference": commands.referenceResult,
  "make-variants": commands.makeVariants,
  "make-video": commands.makeVideo,
  "other-model": commands.otherModel,
  "open-result": commands.openResult,
  "open-task": commands.openTask,
  "check-now": commands.checkTask,
  cancel: commands.cancelTask,
  withdraw: commands.withdrawTask,
  reconcile: commands.reconcile,
  "send-again": commands.sendAgain,
  "try-again": commands.duplicateTask,
  "copy-prompt": commands.copyPrompt,
  "save-into-workspace": commands.saveIntoWorkspace,
  convert: commands.convertResult,
  "insert-link": commands.insertResult,
  "copy-path": commands.copyResultPath,
  duplicate: commands.duplicateTask,
  more: commands.moreActions,
};

export type MenuAction = Exclude<PageAction, OwnAction>;

/** In the menu of the page, done by a command, and without a button on the card. */
function isInMenu(action: TaskAction): action is MenuAction {
  return taskActionFacts(action).page === "menu" && Object.hasOwn(commandOf, action) && !isCardAction(action);
}

export function moreActionsOf(task: Task): readonly MenuAction[] {
  return actionsOf(task).filter(isInMenu);
}
