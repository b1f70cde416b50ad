/** The last step before anything is sent: what will be submitted, and the options, which Enter passes by. */
import { t } from "@vscode/l10n";
import { plural } from "../../../domain/words/plural";
import * as vscode from "vscode";
import { describePrice } from "../../../domain/words/describePrice";
import { joinWords } from "../../../domain/words/joinWords";
import { describeMetadata } from "../../submit/metadata";
import { cutLabel } from "../../../domain/words/label";
import { taskTypeFacts } from "../../../domain/task/taskTypes";
import { taskTypeName } from "../../../domain/words/taskTypeWords";
import type { PickChoice } from "../../../vscode/interface/pickSteps";
import type { PickItem } from "../../../vscode/interface/show";
import { describeReference } from "../../view/describeReference";
import { capitalised } from "../../../domain/words/capitalised";
import { at, type Step, type StepAnswer } from "./stepContext";
import { showDestination } from "./destinationStep";
import type { TaskDraft } from "../draft/taskDraft";

type Next = StepAnswer["next"];

/** Prompts of a batch that are listed, all variants of a prompt among them; the rest is counted. */
const maxListed = 100;
/** Of variants with a destination each; the rest is counted. */
const maxNamedDestinations = 2;

export const review: Step = async ({ picker, isLocal, priceOf }, draft) => {
  const { prompts, type, model, each = [] } = draft;
  if (type === undefined || model === undefined) return { draft, next: "type" };
  const [first = ""] = prompts;
  const isBatch = prompts.length > 1;
  const models = joinWords([...new Set(isBatch ? prompts.map((_, index) => each[index]?.model ?? model) : [model])]);
  const price = priceOf(draft);
  const submit: PickChoice<Next> = {
    icon: "cloud-upload",
    label: isBatch
      ? plural(prompts.length, { other: "Submit {0} {1} tasks with {2}" }, prompts.length, taskTypeName(type), models)
      : t("Submit"),
    ...(price === undefined ? {} : { description: describePrice(price, vscode.env.language) }),
    // The prompts of a batch have rows of their own.
    ...(isBatch ? {} : { detail: first }),
    value: "submit",
  };
  // An input box holds one line.
  const line: PickChoice<Next>[] =
    isBatch || first.includes("\n")
      ? []
      : [{ icon: "edit", label: t("Edit Prompt"), description: t("in one line"), value: "prompt" }];
  const editor: PickChoice<Next>[] = isBatch
    ? []
    : [{ icon: "go-to-file", label: t("Edit in Editor"), description: t("for several lines"), value: "edit-prompt" }];
  const answer = await picker.ask<Next>({
    position: at(3),
    placeholder: isLocal
      ? t("{0} with {1}. Free on the local gateway.", capitalised(taskTypeName(type)), models)
      : t("{0} with {1}. An amount is reserved for each task.", capitalised(taskTypeName(type)), models),
    choices: [submit, ...line, ...editor, ...optionRows(draft), ...(isBatch ? promptRows(draft) : [])],
    preselected: submit,
    paid: true,
  });
  if (answer === "back") return { draft, next: "model" };
  if (answer === "cancelled") return { draft, next: "left" };
  return { draft, next: answer.value };
};

function optionRows(draft: TaskDraft): readonly PickChoice<Next>[] {
  const { type, references, metadata } = draft;
  const images: PickChoice<Next> = {
    icon: "file-media",
    label: t("Reference images"),
    description: references.length === 0 ? t("none") : joinWords(references.map(describeReference)),
    value: "references",
  };
  const isOffered = type === undefined || taskTypeFacts(type).options.references || references.length > 0;
  return [
    ...(isOffered ? [images] : []),
    {
      icon: "json",
      label: t("Metadata"),
      description: Object.keys(metadata).length === 0 ? t("none") : describeMetadata(metadata),
      value: "metadata",
    },
    {
      icon: "save",
      label: t("Destination"),
      description: describeDestination(draft),
      value: "destination",
    },
  ];
}

/** Those of the variants come before the one of all, as they are submitted. */
function describeDestination({ destination, each = [] }: TaskDraft): string {
  const own = new Set(each.flatMap((variant) => (variant.destination ? [showDestination(variant.destination)] : [])));
  const named = joinWords([...own].slice(0, maxNamedDestinations));
  const left = own.size - maxNamedDestinations;
  if (own.size > 0) return left > 0 ? t("{0} and {1} more", named, left) : named;
  if (!destination) return t("none");
  const insert = destination.insertAt ? [t("with a reference at the cursor")] : [];
  return joinWords([showDestination(destination), ...insert]);
}

/** To be read, not to be chosen. */
function promptRows({ prompts, each = [] }: TaskDraft): readonly PickItem[] {
  const listed = prompts.slice(0, maxListed).map((prompt, index) => ({
    label: `${index + 1}. ${cutLabel(prompt)}`,
    description: each[index]?.words ?? "",
  }));
  const left = prompts.length - listed.length;
  return left > 0 ? [...listed, { label: t("and {0} more", left) }] : listed;
}
