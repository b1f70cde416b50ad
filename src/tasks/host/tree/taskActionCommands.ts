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
import { type CommandId, commands, internalCommands } from "../../../vscode/ids";

/** The actions of the page that no command does; `TaskPage` does them itself. */
type OwnAction = "get-result" | "open-externally" | "copy-curl";

/** A command, and the choice that it is called with. With a choice, the command does not ask for one. */
export interface TaskCommand {
  readonly command: CommandId;
  /** One of the rows of the command's pick. */
  readonly choice?: TaskAction;
}

const made = (choice: TaskAction): TaskCommand => ({ command: commands.makeMore, choice });
const kept = (choice: TaskAction): TaskCommand => ({ command: commands.saveResult, choice });
const run = (command: CommandId): TaskCommand => ({ command });

export type CommandAction = Exclude<PageAction, OwnAction> | CardAction | LensAction;

const commandTable: Readonly<Record<CommandAction, TaskCommand>> = {
  "show-saved": kept("show-saved"),
  "make-real": made("make-real"),
  "use-as-reference": made("use-as-reference"),
  "make-variants": made("make-variants"),
  "make-video": made("make-video"),
  "other-model": made("other-model"),
  "open-result": run(commands.openResult),
  "open-task": run(commands.openTask),
  "check-now": run(commands.refreshTasks),
  cancel: run(commands.cancelTask),
  withdraw: run(commands.cancelTask),
  reconcile: run(commands.reconcile),
  "send-again": run(commands.sendAgain),
  "try-again": run(commands.tryAgain),
  "copy-prompt": { command: commands.copyOther, choice: "copy-prompt" },
  "save-into-workspace": run(commands.saveIntoWorkspace),
  convert: run(internalCommands.convertResult),
  "insert-link": kept("insert-link"),
  "copy-path": run(commands.copyResultPath),
  duplicate: made("duplicate"),
  more: run(internalCommands.moreActions),
};

export function commandOf(action: CommandAction): TaskCommand {
  return commandTable[action];
}

export type MenuAction = Exclude<PageAction, OwnAction>;

/** Whether the action is in the menu of the page, has a command, and has no button on the card. */
function isInMenu(action: TaskAction): action is MenuAction {
  return taskActionFacts(action).page === "menu" && Object.hasOwn(commandTable, action) && !isCardAction(action);
}

export function moreActionsOf(task: Task): readonly MenuAction[] {
  return actionsOf(task).filter(isInMenu);
}
