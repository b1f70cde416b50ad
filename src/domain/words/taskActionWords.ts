/** The labels of what can be done with a task, on its page, on its card in a chat and above its prompt. */
import { t } from "@vscode/l10n";
import type { CardAction, LensAction, PageAction } from "../task/taskActions";

/** The menus of the Tasks view have the titles of package.json. */
const labels: Readonly<Record<PageAction | CardAction | LensAction, () => string>> = {
  reconcile: () => t("Ask Again What Became of It"),
  "send-again": () => t("Send Again"),
  "check-now": () => t("Check Now"),
  cancel: () => t("Cancel…"),
  withdraw: () => t("Withdraw"),
  "try-again": () => t("Try Again…"),
  "make-real": () => t("Make It Real…"),
  "show-saved": () => t("Saved ✓ Show"),
  "use-as-reference": () => t("Use as Reference for a New Task…"),
  "open-result": () => t("Open Result"),
  "get-result": () => t("Get Result"),
  "open-externally": () => t("Open Externally"),
  "save-into-workspace": () => t("Save into Workspace"),
  convert: () => t("Convert and Save…"),
  "insert-link": () => t("Insert Link"),
  "make-variants": () => t("Make 4 Variants…"),
  "make-video": () => t("Make Video of This…"),
  "other-model": () => t("Same with Other Model…"),
  "copy-path": () => t("Copy Path"),
  "open-task": () => t("Open Task"),
  duplicate: () => t("Duplicate with Changes…"),
  more: () => t("More Actions…"),
  "copy-curl": () => t("Copy as curl"),
  "copy-prompt": () => t("Copy Prompt"),
};

export function taskActionLabel(action: keyof typeof labels): string {
  return labels[action]();
}
