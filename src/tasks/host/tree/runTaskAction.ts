/** Runs the action that a button of a page, a card or a hover offers for a task, through its command. */
import { runForTask, runForTasks } from "../../../vscode/interface/runCommand";
import { type CommandAction, commandOf } from "./taskActionCommands";

/** Runs an action as the menu of the row does. */
export async function runTaskAction(action: CommandAction, id: string): Promise<void> {
  const { command, choice } = commandOf(action);
  await runForTask(command, id, choice);
}

/** Runs an action as the menu of the selected rows does. */
export async function runTasksAction(action: CommandAction, ids: readonly string[]): Promise<void> {
  const { command, choice } = commandOf(action);
  await runForTasks(command, ids, choice);
}
