/** The quick pick that asks what to submit (T2): type, model, prompt, and options that Enter passes by. The last choices are preselected, so a repeat is Enter, Enter, Enter. */
import { t } from "@vscode/l10n";
import { plural } from "../../../domain/words/plural";
import { StepPicker } from "../../../vscode/interface/pickSteps";
import { askForDestination } from "./destinationStep";
import { askForModel, askForPrompt, askForType, nextStep } from "./firstSteps";
import { askForMetadata } from "./metadataSteps";
import { askForReferences } from "./referenceSteps";
import { review } from "./reviewStep";
import type { Step, StepAnswer, StepContext, StepName } from "./stepContext";
import type { TaskDraft } from "../draft/taskDraft";

const steps: Readonly<Record<StepName, Step>> = {
  type: askForType,
  model: askForModel,
  prompt: askForPrompt,
  review,
  references: askForReferences,
  metadata: askForMetadata,
  destination: askForDestination,
};

/** What the last answer leads to; never a step. */
export type AskedTasks = StepAnswer & { readonly next: Exclude<StepAnswer["next"], StepName> };

/** Begins with the first step that `start` does not answer. */
export async function askForTasks(start: TaskDraft, context: Omit<StepContext, "picker">): Promise<AskedTasks> {
  const { prompts } = start;
  const title = prompts.length > 1 ? plural(prompts.length, { other: "Submit {0} Tasks" }) : t("Submit Task");
  const picker = new StepPicker(title);
  let answer: StepAnswer = { draft: start, next: nextStep(start) };
  try {
    for (;;) {
      const { draft, next } = answer;
      if (!isStep(next)) return { draft, next };
      answer = await steps[next]({ ...context, picker }, draft);
    }
  } finally {
    picker.dispose();
  }
}

function isStep(next: StepAnswer["next"]): next is StepName {
  return next in steps;
}
