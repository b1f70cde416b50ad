/** Rows of picks that ask for a result: those of one batch differ by their picture, variant and time. */
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { acceptedOf } from "../../../domain/task/phase";
import type { Task } from "../../../domain/task/task";
import { joinWords } from "../../../domain/words/joinWords";
import { cutLabel } from "../../../domain/words/label";
import { variantOf } from "../../view/taskRow";
import { createTimes } from "../../../domain/words/timeFormats";
import { type PickChoice, StepPicker } from "../../../vscode/interface/pickSteps";

const maxListed = 300;

export function resultChoices(tasks: readonly Task[], now: number): readonly PickChoice<Task>[] {
  const times = createTimes(vscode.env.language, now);
  return tasks.map((task) => {
    const { prompt, model, createdAt, variant } = task.intent;
    const { remote, saved } = acceptedOf(task) ?? {};
    const seed = remote?.assets?.kind === "assets" ? remote.assets.seed : undefined;
    const differsBy = variant === undefined && seed !== undefined ? [t("seed {0}", seed)] : variantOf(task);
    return {
      label: cutLabel(prompt),
      description: joinWords([...differsBy, model, times.exact(createdAt)]),
      value: task,
      ...(saved?.icon === undefined ? { icon: "file-media" } : { picture: saved.icon }),
    };
  });
}

/** Asks for a result that becomes a reference image. Resolves with the id of the task; `undefined` when the person leaves. */
export async function askForResult(tasks: readonly Task[], now: number): Promise<string | undefined> {
  const newest = tasks.toSorted((one, other) => other.intent.createdAt - one.intent.createdAt).slice(0, maxListed);
  const picker = new StepPicker(t("Reference Images"));
  const answer = await picker.ask({
    placeholder: t("Result that becomes a reference image"),
    choices: resultChoices(newest, now),
    empty: t("No task has made a picture yet."),
  });
  picker.dispose();
  return typeof answer === "string" ? undefined : answer.value.intent.id;
}
