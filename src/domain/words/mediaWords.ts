/** The words that differ by kind of media: in place of a file that a page can't show, on the button that submits, and of what a prompt should say. */
import { t } from "@vscode/l10n";
import type { MediaKind } from "../task/mediaKinds";
import { plural } from "./plural";

const notShown: Readonly<Record<MediaKind, () => string>> = {
  video: () => t("VS Code can't play this video. Open it externally."),
  image: () => t("Can't be shown: {0}", t("the file is missing or damaged")),
};

/** The file is here and of a type that is shown, and the browser gave an error. */
export function describeNotShown(kind: MediaKind): string {
  return notShown[kind]();
}

const submitted: Readonly<Record<MediaKind, (count: number) => string>> = {
  video: (count) => plural(count, { one: "Submit 1 video", other: "Submit {0} videos" }),
  image: (count) => plural(count, { one: "Submit 1 image", other: "Submit {0} images" }),
};

/** To the model of the chat. */
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
