/**
 * The question before a task is submitted or cancelled, or its result is saved, for an agent that shows no arguments of its own: facts by name,
 * foreign texts as they came.
 */
import { t } from "@vscode/l10n";
import { describeReasons } from "../../domain/words/describeTool";
import type { AskedTask } from "../../domain/tools/tool";
import { isFreeTask } from "../../domain/task/sameHome";
import { type AskReason, isSubmission } from "../../domain/chat/chat";
import { describePrices } from "../../domain/words/describePrice";
import { plural, textLanguage } from "../../domain/words/plural";
import { taskTypeName } from "../../domain/words/taskTypeWords";
import { stateName } from "./taskWords";

export interface TaskQuestion {
  /** The question in one sentence. */
  readonly title: string;
  /** Some of the texts are foreign: whoever shows them makes hidden characters visible and turns nothing of them into a link. */
  readonly facts: readonly { readonly name: string; readonly text: string }[];
  /** Sentences of ours: what it costs, and what else is to be weighed. */
  readonly notes: readonly string[];
  /** The text of the button. */
  readonly action: string;
}

type AskedSubmission = Extract<AskedTask, { type: "submit" }>;
type AskedCancel = Extract<AskedTask, { type: "cancel" }>;
type AskedSave = Extract<AskedTask, { type: "save" }>;

export function describeAsked(asked: AskedTask, reasons: readonly AskReason[]): TaskQuestion {
  switch (asked.type) {
    case "submit":
      return describeSubmission(asked, reasons);
    case "cancel":
      return describeCancellation(asked);
    case "save":
      return describeSaving(asked, reasons);
  }
}

function describeSubmission(
  { order, count = 1, target, place, references = [], same: findSame, price }: AskedSubmission,
  reasons: readonly AskReason[],
): TaskQuestion {
  const { type, model, prompt, metadata } = order;
  const name = taskTypeName(type);
  const same = findSame();
  const cautions = cautionsIn(reasons);
  return {
    title: target.isLocal
      ? plural(
          count,
          {
            one: "Submit 1 {0} task to the local gateway, where nothing is paid?",
            other: "Submit {1} {0} tasks to the local gateway, where nothing is paid?",
          },
          name,
          count,
        )
      : plural(count, { one: "Submit 1 paid {0} task?", other: "Submit {1} paid {0} tasks?" }, name, count),
    facts: [
      { name: t("Model"), text: model },
      { name: t("Prompt"), text: prompt },
      ...(metadata === undefined ? [] : [{ name: t("Options"), text: metadata }]),
      { name: t("Reference images"), text: references.length === 0 ? t("none") : references.join("\n") },
      { name: t("Destination"), text: place ?? t("none: the result is in the Tasks view") },
      { name: t("Gateway"), text: target.isLocal ? t("the local gateway") : target.home.baseUrl },
    ],
    notes: [
      ...(same ? [t("The same was submitted before and is “{0}”. This would be another task.", stateName(same))] : []),
      ...(target.isLocal ? [] : [t("The gateway reserves an amount, and charges it when the task succeeds.")]),
      ...(price === undefined ? [] : [t("{0}.", describePrices(price, textLanguage()))]),
      ...cautions,
      ...(target.type === "unknown" && !target.isLocal
        ? [t("Whether {0} is enabled for this account is not known yet. A task that is refused is not charged.", name)]
        : []),
    ],
    action: t("Submit"),
  };
}

function describeCancellation({ task, reason }: AskedCancel): TaskQuestion {
  const { type, model, prompt } = task.intent;
  return {
    title: t("Cancel this {0} task?", taskTypeName(type)),
    facts: [
      { name: t("Model"), text: model },
      { name: t("Prompt"), text: prompt },
      { name: t("State"), text: stateName(task) },
      { name: t("Reason"), text: reason },
    ],
    notes: isFreeTask(task) ? [] : [t("A task that succeeds before the cancel arrives is charged.")],
    action: t("Cancel Task"),
  };
}

function describeSaving({ task, place }: AskedSave, reasons: readonly AskReason[]): TaskQuestion {
  const { type, model, prompt } = task.intent;
  return {
    title: t("Save the result of this {0} task into the project?", taskTypeName(type)),
    facts: [
      { name: t("Model"), text: model },
      { name: t("Prompt"), text: prompt },
      { name: t("Destination"), text: place },
    ],
    notes: cautionsIn(reasons.filter((reason) => reason !== "writes-file")),
    action: t("Save"),
  };
}

/** The reasons that are to be weighed in addition to the submission itself. */
function cautionsIn(reasons: readonly AskReason[]): readonly string[] {
  const cautions = reasons.filter((reason) => !isSubmission(reason));
  return cautions.length === 0 ? [] : [t("To be weighed: {0}.", describeReasons(cautions))];
}
