/** The words for the types of tasks. A type of a later version is named as it is. */
import { t } from "@vscode/l10n";
import { isTaskType, type TaskType } from "../task/taskTypes";
import { plural } from "./plural";
import { quoteForeign } from "./quoteForeign";

interface TaskTypeWords {
  /** Within a sentence. */
  readonly name: () => string;
  /** What is made, where a type is chosen. */
  readonly about: () => string;
  /** What a person approves. */
  readonly submission: (model: string, count: number) => string;
}

const words: Readonly<Record<TaskType, TaskTypeWords>> = {
  video: {
    name: () => t("video"),
    about: () => t("A short moving picture"),
    submission: (model, count) =>
      plural(
        count,
        {
          one: "Submit a task: a video by {0}",
          other: "Submit {1} tasks: a video each by {0}",
        },
        model,
        count,
      ),
  },
  "stylized-image": {
    name: () => t("stylized image"),
    about: () => t("An image in the manner of the gateway's stylizing generator"),
    submission: (model, count) =>
      plural(
        count,
        {
          one: "Submit a task: a stylized image by {0}",
          other: "Submit {1} tasks: a stylized image each by {0}",
        },
        model,
        count,
      ),
  },
  "async-image": {
    name: () => t("image"),
    about: () => t("An image by an image model, made in the background"),
    submission: (model, count) =>
      plural(
        count,
        {
          one: "Submit a task: an image by {0}",
          other: "Submit {1} tasks: an image each by {0}",
        },
        model,
        count,
      ),
  },
};

export function taskTypeName(type: string): string {
  if (isTaskType(type)) return words[type].name();
  return type === "" ? t("type not named") : quoteForeign(type, 40);
}

export function describeTaskType(type: TaskType): string {
  return words[type].about();
}

export function describeSubmission(type: string, model: string, count = 1): string {
  return isTaskType(type)
    ? words[type].submission(model, count)
    : plural(
        count,
        {
          one: "Submit a task of type {0} by {1}",
          other: "Submit {2} tasks of type {0} by {1}",
        },
        taskTypeName(type),
        model,
        count,
      );
}
