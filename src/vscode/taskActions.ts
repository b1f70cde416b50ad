/** The commands behind the buttons of a task, on its page and on its card in the chat. */
import type { TaskAction } from "../protocol/taskPageMessages";
import { type CommandId, commands } from "./ids";

/** The actions that no command does; `TaskPage` does them itself. */
type OwnAction = "get-result" | "open-externally" | "copy-curl";

export const commandOf: Readonly<Record<Exclude<TaskAction, OwnAction> | "open-task", CommandId>> = {
  "open-result": commands.openResult,
  "open-task": commands.openTask,
  cancel: commands.cancelTask,
  reconcile: commands.reconcile,
  "send-again": commands.sendAgain,
  "copy-prompt": commands.copyPrompt,
  "save-into-workspace": commands.saveIntoWorkspace,
  "insert-link": commands.insertResult,
  "copy-path": commands.copyResultPath,
  duplicate: commands.duplicateTask,
};
