/** A task in the few words of a CodeLens, and what can be done with it there. */
import { t } from "@vscode/l10n";
import { definedFields } from "../../../base/definedFields";
import { isLensAction, type LensAction } from "../../../domain/task/taskActions";
import { describeError } from "../../../domain/words/describeError";
import { quoteForeign } from "../../../domain/words/quoteForeign";
import { acceptedOf, phaseOf, type TaskPhase } from "../../../domain/task/phase";
import type { Task } from "../../../domain/task/task";
import { actionsOf } from "../taskActions";
import { stateName } from "../taskWords";
import { capitalised } from "../../../domain/words/joinWords";

export interface LensState {
  readonly state: string;
  readonly action?: LensAction;
}

/** Names of codicons, none of which moves: an animation in an editor costs a repaint in each frame. A status that is not known here has none. */
const icons: Readonly<Record<TaskPhase, string | undefined>> = {
  prepared: "cloud-upload",
  sending: "cloud-upload",
  "outcome-unknown": "question",
  "not-accepted": "error",
  withdrawn: "circle-slash",
  created: "circle-outline",
  queued: "clock",
  processing: "sync",
  succeeded: "check",
  failed: "error",
  cancelled: "circle-slash",
  expired: "circle-slash",
  refunded: "circle-slash",
  unknown: undefined,
};

export function describeState(task: Task): LensState {
  const icon = icons[phaseOf(task)];
  const words = describeFailure(task) ?? capitalised(stateName(task));
  return {
    state: icon === undefined ? words : `$(${icon}) ${words}`,
    ...definedFields({ action: actionsOf(task).find(isLensAction) }),
  };
}

/** The state with its reason; `undefined` where there is none. */
function describeFailure(task: Task): string | undefined {
  const { submission } = task;
  if (submission.state === "not-accepted" && phaseOf(task) !== "withdrawn")
    return t("Not accepted: {0}", describeError(submission.error, "submit").title);
  if (phaseOf(task) !== "failed") return undefined;
  const remote = acceptedOf(task)?.remote;
  const why = remote?.errorMessage ?? remote?.errorCode ?? "";
  return why === "" ? undefined : t("Failed: {0}", quoteForeign(why, 60));
}
