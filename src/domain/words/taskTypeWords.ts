/** The words for the types of tasks. A type of a later version is named as it is. */
import { t } from "@vscode/l10n";
import { isTaskType, type TaskType } from "../task/taskTypes";
import { quoteForeign } from "./quoteForeign";

interface TaskTypeWords {
  /** Within a sentence. */
  readonly name: () => string;
  /** What is made, where a type is chosen. */
  readonly about: () => string;
  /** What a person approves. */
  readonly submission: (model: string) => string;
}

const words: Readonly<Record<TaskType, TaskTypeWords>> = {
  video: {
    name: () => t("video"),
    about: () => t("A short moving picture"),
    submission: (model) => t("Submit a paid task: a video by {0}", model),
  },
  "stylized-image": {
    name: () => t("stylized image"),
    about: () => t("An image in the manner of the gateway's stylizing generator"),
    submission: (model) => t("Submit a paid task: a stylized image by {0}", model),
  },
  "async-image": {
    name: () => t("image"),
    about: () => t("An image by an image model, made in the background"),
    submission: (model) => t("Submit a paid task: an image by {0}", model),
  },
};

export function taskTypeName(type: string): string {
  if (isTaskType(type)) return words[type].name();
  return type === "" ? t("type not named") : quoteForeign(type, 40);
}

export function describeTaskType(type: TaskType): string {
  return words[type].about();
}

export function describeSubmission(type: string, model: string): string {
  return isTaskType(type)
    ? words[type].submission(model)
    : t("Submit a paid task of type {0} by {1}", taskTypeName(type), model);
}
