/** The words that differ by kind of media: in place of a file that a page can't show, and on the button that submits. */
import { t } from "@vscode/l10n";
import type { MediaKind } from "../task/mediaKinds";
import { plural } from "./plural";

const notShown: Readonly<Record<MediaKind, () => string>> = {
  video: () => t("VS Code can't play this video. Open it externally."),
  image: () => t("The picture can't be shown. The file may have been moved or deleted."),
};

/** The file is here and of a type that is shown, and the browser gave an error. */
export function describeNotShown(kind: MediaKind): string {
  return notShown[kind]();
}

const submitted: Readonly<Record<MediaKind, (count: number) => string>> = {
  video: (count) => plural(count, { one: "Submit 1 video", other: "Submit {0} videos" }),
  image: (count) => plural(count, { one: "Submit 1 image", other: "Submit {0} images" }),
};

export function describeSubmit(kind: MediaKind, count: number): string {
  return submitted[kind](count);
}
