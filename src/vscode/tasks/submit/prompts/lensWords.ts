/** A task in the few words of a CodeLens, and what can be done with it there. */
import { t } from "@vscode/l10n";
import { definedFields } from "../../../../base/definedFields";
import { isLensAction, type LensAction } from "../../../../domain/task/taskActions";
import { describeError } from "../../../../domain/words/describeError";
import { quoteForeign } from "../../../../domain/words/quoteForeign";
import type { Task } from "../../../../domain/task/task";
import { actionsOf } from "../../../../tasks/view/taskActions";
import { remoteStateName, stateName } from "../../../../tasks/view/taskWords";
import { capitalised } from "../../../interface/capitalised";

export interface LensState {
  readonly state: string;
  readonly action?: LensAction;
}

export function describeState(task: Task): LensState {
  return { state: stateWords(task), ...definedFields({ action: actionsOf(task).find(isLensAction) }) };
}

function stateWords(task: Task): string {
  const { submission } = task;
  switch (submission.state) {
    case "prepared":
    case "sending":
      return `$(loading~spin) ${capitalised(stateName(task))}`;
    case "outcome-unknown":
      return `$(question) ${capitalised(stateName(task))}`;
    case "not-accepted":
      return `$(error) ${t("Not accepted: {0}", describeError(submission.error, "submit").title)}`;
    case "accepted": {
      const { remote } = submission;
      const name = capitalised(remoteStateName(remote.state, remote.rawStatus));
      switch (remote.state) {
        case "succeeded":
          return `$(check) ${name}`;
        case "failed": {
          const why = quoteForeign(remote.errorMessage ?? remote.errorCode ?? "", 60);
          const isKnown = (remote.errorMessage ?? remote.errorCode ?? "") !== "";
          return `$(error) ${isKnown ? t("Failed: {0}", why) : name}`;
        }
        case "cancelled":
        case "expired":
        case "refunded":
          return `$(circle-slash) ${name}`;
        case "created":
        case "queued":
        case "processing":
          return `$(loading~spin) ${name}`;
        case "unknown":
          return name;
      }
    }
  }
}
