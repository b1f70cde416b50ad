/** Asks for a result that becomes a reference image; those of one batch differ by their picture, variant and time. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { acceptedOf } from "../../../../domain/task/phase";
import type { Task } from "../../../../domain/task/task";
import { cutLabel } from "../../../../domain/words/label";
import { variantOf } from "../../../../tasks/view/taskRow";
import { createTimes } from "../../../../tasks/view/taskWords";
import { StepPicker } from "../../../interface/pickSteps";

const maxListed = 300;

/** Resolves with the id of the task; `undefined` when the person leaves. */
export async function askForResult(tasks: readonly Task[], now: number): Promise<string | undefined> {
  const newest = tasks.toSorted((one, other) => other.intent.createdAt - one.intent.createdAt).slice(0, maxListed);
  const times = createTimes(vscode.env.language, now);
  const choices = newest.map((task) => {
    const { id, prompt, model, createdAt } = task.intent;
    const picture = acceptedOf(task)?.saved?.icon;
    return {
      label: cutLabel(prompt),
      description: [...variantOf(task), model, times.exact(createdAt)].join(" · "),
      ...(picture === undefined ? {} : { picture: vscode.Uri.file(picture) }),
      value: id,
    };
  });
  const picker = new StepPicker(t("Reference Images"));
  const answer = await picker.ask({
    placeholder: t("Result that becomes a reference image"),
    choices,
    empty: t("No task has made a picture yet."),
  });
  picker.dispose();
  return typeof answer === "string" ? undefined : answer.value;
}
