/** Does what a button of a page, a card or a hover offers for a task, by the command behind it. */
import { runForTask, runForTasks } from "../../../vscode/interface/runCommand";
import { type CommandAction, commandOf } from "./taskActionCommands";

/** As from the menu of its row. */
export async function runTaskAction(action: CommandAction, id: string): Promise<void> {
  const { command, choice } = commandOf(action);
  await runForTask(command, id, choice);
}

/** As from the menu of selected rows. */
export async function runTasksAction(action: CommandAction, ids: readonly string[]): Promise<void> {
  const { command, choice } = commandOf(action);
  await runForTasks(command, ids, choice);
}
