/** The question before the model gets a file that the person has attached and that may hold a secret. */
import { t } from "@vscode/l10n";
import { revealInName } from "../../../base/text/revealHidden";
import { describeReasons } from "../../../domain/words/describeTool";
import type { ConfirmAttachment } from "../../../tools/attachFiles";
import { askBefore } from "../../../vscode/interface/show";

export const askToSend: ConfirmAttachment = (path, reasons) =>
  askBefore(t("Send {0} to the model?", revealInName(path)), t("Send"), describeReasons(reasons));
