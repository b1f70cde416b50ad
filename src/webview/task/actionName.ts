/** The words on the buttons of a task. */
import { t } from "@vscode/l10n";
import type { TaskAction } from "../../protocol/taskPageMessages";

export function actionName(action: TaskAction): string {
  switch (action) {
    case "get-result":
      return t("Get Result");
    case "open-result":
      return t("Open Result");
    case "open-externally":
      return t("Open Externally");
    case "save-into-workspace":
      return t("Save into Workspace");
    case "insert-link":
      return t("Insert Link");
    case "copy-path":
      return t("Copy Path");
    case "duplicate":
      return t("Duplicate with Changes…");
    case "cancel":
      return t("Cancel…");
    case "reconcile":
      return t("Reconcile");
    case "send-again":
      return t("Send Again");
    case "copy-curl":
      return t("Copy as curl");
    case "copy-prompt":
      return t("Copy Prompt");
  }
}
