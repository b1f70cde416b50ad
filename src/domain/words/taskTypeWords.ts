/** The words for the types of tasks and for the media that they make. A type of a later version keeps its own name. */
import { t } from "@vscode/l10n";
import { isTaskType, type TaskType, type MediaKind } from "../task/taskTypes";
import { plural } from "./plural";
import { quoteForeign } from "./quoteForeign";

interface TaskTypeWords {
  /** The name as it reads within a sentence. */
  readonly name: () => string;
  /** What is made, shown where a type is chosen. */
  readonly about: () => string;
  /** The sentence that a person approves. */
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

// Words for media: why a page does not show a file, what the submit button is called, and what *Improve…* asks a model for.

/** `missing`: there is no file. `damaged`: it can't be decoded. `too-large`: decoding it would take gigabytes. */
export type PictureFailure = "missing" | "damaged" | "too-large";

export function failureWords(why: PictureFailure): string {
  switch (why) {
    case "missing":
      return t("the file is missing or damaged");
    case "damaged":
      return t("the file is damaged");
    case "too-large":
      return t("the picture is too large");
  }
}

/** `why` is a text of `failureWords`, or a type of file. */
export function describeUnshown(why: string): string {
  return t("Can't be shown: {0}", why);
}

const notShown: Readonly<Record<MediaKind, () => string>> = {
  video: () => t("VS Code can't play this video. Open it externally."),
  image: () => describeUnshown(failureWords("missing")),
};

/** The words for a file that is here and of a type that is shown, and for which the browser gave an error. */
export function describeNotShown(kind: MediaKind): string {
  return notShown[kind]();
}

const submitted: Readonly<Record<MediaKind, (count: number) => string>> = {
  video: (count) => plural(count, { one: "Submit 1 video", other: "Submit {0} videos" }),
  image: (count) => plural(count, { one: "Submit 1 image", other: "Submit {0} images" }),
};

/** The instruction to the model of the chat. */
const improved: Readonly<Record<MediaKind, () => string>> = {
  video: () =>
    t(
      "Rewrite this prompt for a model that makes videos: in one to three sentences of concrete words say what is seen, what moves and how the camera does, the light and the style. Keep what it asks for, its language, the mark of a list, comments, and names in double braces.",
    ),
  image: () =>
    t(
      "Rewrite this prompt for a model that makes pictures: in one to three sentences of concrete words say what is seen, the composition, the light and the style. Keep what it asks for, its language, the mark of a list, comments, and names in double braces.",
    ),
};

export function askToImprove(kind: MediaKind): string {
  return improved[kind]();
}

export function describeSubmit(kind: MediaKind, count: number): string {
  return submitted[kind](count);
}
