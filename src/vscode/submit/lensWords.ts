/** A task in the few words of a CodeLens, and what can be done with it there. */
import { t } from "@vscode/l10n";
import { describeError } from "../../domain/describeError";
import { quoteForeign } from "../../domain/quoteForeign";
import type { Task } from "../../domain/task";
import { remoteStateName, stateName } from "../../tasks/taskWords";
import { capitalised } from "./capitalised";

export type LensAction = "open-result" | "send-again" | "reconcile" | "try-again";

export interface LensState {
  readonly state: string;
  readonly action?: LensAction;
}

export function describeState(task: Task): LensState {
  const { submission } = task;
  switch (submission.state) {
    case "prepared":
    case "sending":
      return { state: `$(loading~spin) ${capitalised(stateName(task))}` };
    case "outcome-unknown":
      return { state: `$(question) ${capitalised(stateName(task))}`, action: "reconcile" };
    case "not-accepted":
      return {
        state: `$(error) ${t("Not accepted: {0}", describeError(submission.error, "submit").title)}`,
        action: "send-again",
      };
    case "accepted": {
      const { remote } = submission;
      const name = capitalised(remoteStateName(remote.state, remote.rawStatus));
      switch (remote.state) {
        case "succeeded":
          return { state: `$(check) ${name}`, action: "open-result" };
        case "failed": {
          const why = quoteForeign(remote.errorMessage ?? remote.errorCode ?? "", 60);
          const isKnown = (remote.errorMessage ?? remote.errorCode ?? "") !== "";
          return { state: `$(error) ${isKnown ? t("Failed: {0}", why) : name}`, action: "try-again" };
        }
        case "cancelled":
        case "expired":
        case "refunded":
          return { state: `$(circle-slash) ${name}`, action: "try-again" };
        case "created":
        case "queued":
        case "processing":
          return { state: `$(loading~spin) ${name}` };
        case "unknown":
          return { state: name };
      }
    }
  }
}
