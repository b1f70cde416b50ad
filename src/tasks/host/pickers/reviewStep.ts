/** The last step before anything is sent: what will be submitted, and the options, which Enter passes by. */
import { t } from "@vscode/l10n";
import { plural } from "../../../domain/words/plural";
import * as vscode from "vscode";
import { describePrice } from "../../../domain/words/describePrice";
import { joinWords, capitalised } from "../../../domain/words/joinWords";
import { describeMetadata } from "../../submit/metadata";
import { cutLabel } from "../../../domain/words/label";
import { taskTypeFacts } from "../../../domain/task/taskTypes";
import { taskTypeName } from "../../../domain/words/taskTypeWords";
import type { PickChoice } from "../../../vscode/interface/pickSteps";
import type { PickItem } from "../../../vscode/interface/show";
import { describeReference } from "../../view/describeReference";
import type { TaskDestination, TaskType } from "../../../domain/task/task";
import { at, type Step, type StepAnswer } from "./stepContext";
import { placesOf } from "./destinationStep";
import { modelsOf, type TaskDraft, typesOf } from "../draft/taskDraft";

/** A step, or the type whose model is asked for next. */
type Next = StepAnswer["next"] | { readonly modelFor: TaskType };

/** Prompts of a batch that are listed, all variants of a prompt among them; the rest is counted. */
const maxListed = 100;
/** Destinations that their row names; each is named beside its prompt too. */
const maxNamedDestinations = 2;

export const review: Step = async ({ picker, isLocal, priceOf, isReserved }, draft) => {
  const { prompts, type, model } = draft;
  if (type === undefined || model === undefined) return { draft, next: "type" };
  const [first = ""] = prompts;
  const isBatch = prompts.length > 1;
  const kinds = kindsOf(draft);
  const [kind] = kinds;
  const price = priceOf(draft);
  // What is shown here is what is used: a yes counts for these names.
  const places = await placesOf(draft, isReserved);
  const submit: PickChoice<Next> = {
    icon: "cloud-upload",
    label: isBatch ? batchLabel(prompts.length, kinds) : t("Submit"),
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
  const models: PickChoice<Next>[] = kinds.length > 1 ? kinds.map(modelRow) : [];
  const { summary, rows } = unreadRows(draft);
  const made = kinds.length === 1 && kind ? describeKind(kind) : t("{0} tasks", prompts.length);
  const answer = await picker.ask<Next>({
    position: at(3),
    placeholder: isLocal
      ? t("{0}. Free on the local gateway.", made)
      : t("{0}. An amount is reserved for each task, and charged when the task succeeds.", made),
    choices: [
      submit,
      ...summary,
      ...line,
      ...editor,
      ...models,
      ...optionRows(draft, places),
      ...(isBatch ? promptRows(draft, places, kinds.length > 1) : []),
      ...rows,
    ],
    preselected: submit,
    paid: true,
  });
  if (answer === "back") return { draft, next: "model" };
  if (answer === "cancelled") return { draft, next: "left" };
  if (typeof answer.value === "object") return { draft: { ...draft, ...answer.value }, next: "model" };
  return { draft: answer.value === "submit" ? { ...draft, places } : draft, next: answer.value };
};

interface Kind {
  readonly type: TaskType;
  readonly models: readonly string[];
  readonly count: number;
}

/** The types of the tasks, each with its models. */
function kindsOf(draft: TaskDraft): readonly Kind[] {
  const models = modelsOf(draft);
  const kinds = new Map<TaskType, Kind>();
  for (const [index, type] of typesOf(draft).entries()) {
    if (type === undefined) continue;
    const before = kinds.get(type);
    const all = new Set([...(before?.models ?? []), ...(models[index] === undefined ? [] : [models[index]])]);
    kinds.set(type, { type, models: [...all], count: (before?.count ?? 0) + 1 });
  }
  return [...kinds.values()];
}

function describeKind({ type, models }: Kind): string {
  return t("{0} with {1}", capitalised(taskTypeName(type)), joinWords(models));
}

function batchLabel(count: number, kinds: readonly Kind[]): string {
  const [kind] = kinds;
  if (kinds.length === 1 && kind)
    return plural(
      count,
      { other: "Submit {0} {1} tasks with {2}" },
      count,
      taskTypeName(kind.type),
      joinWords(kind.models),
    );
  const parts = kinds.map((one) => t("{0} {1} with {2}", one.count, taskTypeName(one.type), joinWords(one.models)));
  return plural(count, { other: "Submit {0} tasks: {1}" }, count, joinWords(parts));
}

function modelRow({ type, models }: Kind): PickChoice<Next> {
  return {
    icon: "settings",
    label: t("Model for {0}", taskTypeName(type)),
    description: joinWords(models),
    value: { modelFor: type },
  };
}

/** What of the file is submitted with none of its prompts: one row at the top, and each place at the end. */
function unreadRows({ unread = [] }: TaskDraft): {
  readonly summary: readonly PickItem[];
  readonly rows: readonly PickItem[];
} {
  if (unread.length === 0) return { summary: [], rows: [] };
  const count = unread.reduce((sum, { line, lastLine }) => sum + lastLine - line + 1, 0);
  const label = plural(count, {
    one: "1 line of the file belongs to no prompt and is not sent",
    other: "{0} lines of the file belong to no prompt and are not sent",
  });
  return {
    summary: [
      { icon: "warning", label, description: joinWords(unread.slice(0, 3).map(({ text }) => cutLabel(text, 40))) },
    ],
    rows: unread.map(({ line, lastLine, text }) => ({
      icon: "warning",
      label: line === lastLine ? t("Line {0}", line + 1) : t("Lines {0} to {1}", line + 1, lastLine + 1),
      description: cutLabel(text),
    })),
  };
}

function optionRows(draft: TaskDraft, places: readonly (TaskDestination | undefined)[]): readonly PickChoice<Next>[] {
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
      description: describeDestinations(draft, places),
      value: "destination",
    },
  ];
}

function describeDestinations({ destination }: TaskDraft, places: readonly (TaskDestination | undefined)[]): string {
  const files = places.flatMap((place) => (place ? [showFile(place.file)] : []));
  if (files.length === 0) return t("none");
  const named = joinWords(files.slice(0, maxNamedDestinations));
  const left = files.length - maxNamedDestinations;
  const insert = destination?.insertAt && files.length === 1 ? [t("with a reference at the cursor")] : [];
  return joinWords([left > 0 ? t("{0} and {1} more", named, left) : named, ...insert]);
}

/** To be read, not to be chosen. */
function promptRows(
  draft: TaskDraft,
  places: readonly (TaskDestination | undefined)[],
  isMixed: boolean,
): readonly PickItem[] {
  const { prompts, each = [] } = draft;
  const types = typesOf(draft);
  const listed = prompts.slice(0, maxListed).map((prompt, index) => {
    const { words = "", metadata = {}, references } = each[index] ?? {};
    const type = types[index];
    const place = places[index];
    const parts = [
      ...(isMixed && type !== undefined ? [taskTypeName(type)] : []),
      words,
      // The words name what a list has made; what a directive sets for one prompt is in none of them.
      words === "" ? describeMetadata(metadata) : "",
      references === undefined || references.length === 0 ? "" : joinWords(references.map(describeReference)),
      place === undefined ? "" : `→ ${showFile(place.file)}`,
    ];
    return { label: `${index + 1}. ${cutLabel(prompt)}`, description: parts.filter((part) => part !== "").join(" · ") };
  });
  const left = prompts.length - listed.length;
  return left > 0 ? [...listed, { label: t("and {0} more", left) }] : listed;
}

/** Of several folders, with the name of its folder. */
function showFile(file: string): string {
  return vscode.workspace.asRelativePath(vscode.Uri.parse(file));
}
