/** *More Actions…* of a card in a chat and above a prompt: what the page of the task has in its menu, as a pick. */
import { t } from "@vscode/l10n";
import type { Task } from "../../../domain/task/task";
import { cutLabel } from "../../../domain/words/label";
import { taskActionLabel } from "../../../domain/words/taskActionWords";
import { StepPicker } from "../../interface/pickSteps";
import { runForTask } from "../../interface/runCommand";
import { commandOf, moreActionsOf } from "../../taskActionCommands";

export async function chooseAction(task: Task): Promise<void> {
  const picker = new StepPicker(cutLabel(task.intent.prompt));
  const answer = await picker.ask({
    placeholder: t("What should be done with this task?"),
    choices: moreActionsOf(task).map((action) => ({ label: taskActionLabel(action), value: commandOf[action] })),
  });
  picker.dispose();
  // The list is closed: what was chosen takes the focus when it needs it.
  if (typeof answer !== "string") void runForTask(answer.value, task.intent.id);
}
