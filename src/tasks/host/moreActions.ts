/** The picks of actions for a task: *More Actions…* of a card and a lens, and the rows of *Make More…*, *Save Result…* and *Copy…*. */
import { t } from "@vscode/l10n";
import type { Task } from "../../domain/task/task";
import { cutLabel } from "../../domain/words/label";
import { taskActionLabel } from "../../domain/words/taskActionWords";
import { StepPicker } from "../../vscode/interface/pickSteps";
import { runTaskAction } from "./tree/runTaskAction";
import { type MenuAction, moreActionsOf } from "./tree/taskActionCommands";

/** The actions that neither ask nor open anything. */
const quietActions: readonly MenuAction[] = ["check-now", "copy-path"];

/** Resolves with true when the chosen action takes the focus, because it asks a question or opens a page. */
export async function chooseAction(task: Task): Promise<boolean> {
  const choices = moreActionsOf(task).map((action) => ({ label: taskActionLabel(action), value: action }));
  const chosen = await askForAction(task, t("What should be done with this task?"), choices);
  if (chosen === undefined) return false;
  void runTaskAction(chosen, task.intent.id);
  return !quietActions.includes(chosen);
}

/** Asks nothing where there is one choice. `wanted`: the choice that a button or a key has made already. */
export async function chooseOne<A extends string>(
  task: Task,
  placeholder: string,
  choices: readonly { readonly label: string; readonly value: A }[],
  wanted?: unknown,
): Promise<A | undefined> {
  const given = choices.find(({ value }) => value === wanted);
  if (given || choices.length <= 1) return (given ?? choices[0])?.value;
  return askForAction(task, placeholder, choices);
}

async function askForAction<A extends string>(
  task: Task,
  placeholder: string,
  choices: readonly { readonly label: string; readonly value: A }[],
): Promise<A | undefined> {
  const picker = new StepPicker(cutLabel(task.intent.prompt));
  const answer = await picker.ask<A>({ placeholder, choices });
  picker.dispose();
  return typeof answer === "string" ? undefined : answer.value;
}
