/** The words for an answer that failed. Chosen when it is shown; the transcript stores the failure itself. */
import { t } from "@vscode/l10n";
import { actionLabel, describeDetails, describeError, type ErrorDescription } from "./describeError";
import type { GatewayError } from "./errors";
import { quoteForeign } from "./quoteForeign";
import type { AnswerEntry, AnswerRetry } from "./transcript";

/** `undefined` for an answer that did not fail. */
export function describeFailure({ failure, blocks }: AnswerEntry): ErrorDescription | undefined {
  switch (failure?.type) {
    case undefined:
      return undefined;
    case "gateway":
      return describeError(failure.error, blocks.length > 0 ? "answer" : "chat");
    case "tools-refused":
      return describeToolsRefused(failure.error);
    case "no-model":
      return {
        title: t("Choose a model first."),
        meaning: t("Nothing was sent, so nothing is paid. Your message is kept."),
        action: { id: "choose-model", label: actionLabel("choose-model") },
        details: "",
      };
    case "round-limit":
      return {
        title: t("The model has answered {0} times in a row without coming to an end.", failure.rounds),
        meaning: t("Nothing more was sent."),
        action: { id: "retry", label: t("Go On") },
        details: "",
      };
    case "call-limit":
      return {
        title: t("The answer makes more than {0} tool calls at once.", failure.calls),
        meaning: t("What arrived is kept. The gateway settles a cut answer on what it produced."),
        action: { id: "retry", label: actionLabel("retry") },
        details: "",
      };
  }
}

/** Why a request was sent again. */
export function describeRetry({ error }: AnswerRetry): string {
  return describeError(error, "chat").title;
}

function describeToolsRefused(error: GatewayError): ErrorDescription {
  return {
    title: t("This model takes no tools: {0}.", quoteForeign(error.message)),
    meaning: t("Nothing was produced, so nothing is paid. From now on it is asked without tools."),
    action: { id: "retry", label: actionLabel("retry") },
    details: describeDetails(error),
  };
}
