/** The texts that a page shows in place of a file that it can't show. */
import { t } from "@vscode/l10n";
import type { MediaKind } from "../task/mediaKinds";

const notShown: Readonly<Record<MediaKind, () => string>> = {
  video: () => t("VS Code can't play this video. Open it externally."),
  image: () => t("The picture can't be shown. The file may have been moved or deleted."),
};

/** The file is here and of a type that is shown, and the browser gave an error. */
export function describeNotShown(kind: MediaKind): string {
  return notShown[kind]();
}
