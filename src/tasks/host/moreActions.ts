/** *More Actions…* of a card in a chat and above a prompt: what the page of the task has in its menu, as a pick. */
import { t } from "@vscode/l10n";
import type { Task } from "../../domain/task/task";
import { cutLabel } from "../../domain/words/label";
import { taskActionLabel } from "../../domain/words/taskActionWords";
import { StepPicker } from "../../vscode/interface/pickSteps";
import { runForTask } from "../../vscode/interface/runCommand";
import { commandOf, type MenuAction, moreActionsOf } from "./tree/taskActionCommands";

/** Those that neither ask nor open anything. */
const quietActions: readonly MenuAction[] = ["check-now", "copy-path"];

/** Resolves with true when what was chosen takes the focus, for a question or a page. */
export async function chooseAction(task: Task): Promise<boolean> {
  const picker = new StepPicker(cutLabel(task.intent.prompt));
  const answer = await picker.ask({
    placeholder: t("What should be done with this task?"),
    choices: moreActionsOf(task).map((action) => ({ label: taskActionLabel(action), value: action })),
  });
  picker.dispose();
  if (typeof answer === "string") return false;
  void runForTask(commandOf[answer.value], task.intent.id);
  return !quietActions.includes(answer.value);
}
