/** The words for a task: its state and its money. No sentence about money without a record that proves it (T10). */
import { t } from "@vscode/l10n";
import { describeError } from "../../domain/words/describeError";
import { quoteForeign } from "../../domain/words/quoteForeign";
import { acceptedOf, phaseOf, type TaskPhase } from "../../domain/task/phase";
import type { Task } from "../../domain/task/task";
import { type HoldState, moneyOf } from "../money/money";
import type { UsualTime } from "../money/usualTimes";
import { resultSentence } from "./resultWords";
import type { Times } from "../../domain/words/timeFormats";

/** `rawStatus`: the status as the gateway wrote it, for one that is not known here. */
const phaseNames: Readonly<Record<TaskPhase, (rawStatus: string) => string>> = {
  prepared: () => t("waiting to be sent"),
  sending: () => t("sending"),
  "outcome-unknown": () => t("outcome unknown"),
  "not-accepted": () => t("not accepted"),
  withdrawn: () => t("cancelled"),
  created: () => t("created"),
  queued: () => t("queued"),
  processing: () => t("processing"),
  succeeded: () => t("succeeded"),
  failed: () => t("failed"),
  cancelled: () => t("cancelled"),
  expired: () => t("expired"),
  refunded: () => t("refunded"),
  unknown: (rawStatus) =>
    rawStatus === "" ? t("state not read yet") : t("unknown status {0}", quoteForeign(rawStatus, 40)),
};

export function phaseName(phase: TaskPhase, rawStatus: string): string {
  return phaseNames[phase](rawStatus);
}

export function stateName(task: Task): string {
  return phaseName(phaseOf(task), acceptedOf(task)?.remote.rawStatus ?? "");
}

/** `waitsUntil`: the end of the pause before it is sent. The state in a sentence, with the error's meaning where there is one. */
export function stateSentence(task: Task, times: Times, waitsUntil?: number): string {
  const { submission } = task;
  switch (submission.state) {
    case "prepared":
      return waitsUntil === undefined
        ? t("Waiting to be sent to the gateway.")
        : t("Waiting to be sent: the gateway asked for a pause until {0}.", times.short(waitsUntil));
    case "sending":
      return t("Being sent to the gateway.");
    case "outcome-unknown":
      return unknownSentence(submission, times);
    case "not-accepted": {
      const { title, meaning } = describeError(submission.error, "submit");
      return `${title} ${meaning}`;
    }
    case "accepted": {
      const { remote, stale } = submission;
      // Nothing is read any more until the person acts: the row says on what.
      if (stale?.error.kind === "signed-out" || stale?.error.kind === "unauthorized") {
        const lacks = describeError(stale.error, "read").title;
        return t("State {0}, last read at {1}. {2}", stateName(task), times.short(submission.checkedAt), lacks);
      }
      if (remote.state === "failed") {
        const why = [remote.errorCode, remote.errorMessage].filter(Boolean).join(": ");
        return why === "" ? t("Failed; the gateway gave no reason.") : t("Failed: {0}.", quoteForeign(why));
      }
      if (remote.state === "unknown" && remote.rawStatus === "") {
        return t("Accepted; the gateway has not said its state yet.");
      }
      const said = t("State {0}, last read at {1}.", stateName(task), times.short(submission.checkedAt));
      return [said, resultSentence(submission) ?? ""].join(" ").trimEnd();
    }
  }
}

export type OutcomeUnknown = Extract<Task["submission"], { state: "outcome-unknown" }>;

function unknownSentence({ error, reconcile }: OutcomeUnknown, times: Times): string {
  const { title, meaning } = describeError(error, "submit");
  if (reconcile?.state !== "failed") return `${title} ${meaning}`;
  const last = describeError(reconcile.error, "reconcile");
  return `${title} ${t("Asked again at {0}: {1}", times.short(reconcile.at), last.title)} ${last.meaning}`;
}

/** Only what was read or follows from it by the rules of the service: never an amount, which no response holds, and no hold that the gateway did not name. */
export function moneyLine(task: Task, times: Times): string {
  const { submission } = task;
  switch (submission.state) {
    case "prepared":
      return t("nothing sent yet");
    case "sending":
      return t("no answer yet");
    case "outcome-unknown":
      return t("hold not known");
    case "not-accepted":
      return submission.error.notSent ? t("no hold: nothing was sent") : t("no hold: the gateway refused the task");
    case "accepted":
      return [acceptedMoney(task, times), ...twinSentences(task)].join(". ");
  }
}

function acceptedMoney(task: Task, times: Times): string {
  const { hold, opened, ended } = moneyOf(task);
  if (!opened) return t("the gateway named no hold");
  const begun =
    opened.by === "response"
      ? t("Hold opened at {0}", times.exact(opened.at))
      : t("Hold opened at {0} (by an event of the task)", times.exact(opened.at));
  const end = ended ? times.exact(ended.at) : "";
  switch (hold) {
    case "settled":
      return t("{0}, settled on success at {1}", begun, end);
    case "released":
      return releaseSentence(task, begun, end);
    case "release-not-seen":
      return t("{0}; {1}, release not seen yet", begun, endName(task));
    case "unclear":
      return t("{0}; whether it is still open is not known", begun);
    case "open":
    case "none":
    case "not-known":
    case "not-named":
      return t("{0}, open", begun);
  }
}

function releaseSentence(task: Task, begun: string, end: string): string {
  if (phaseOf(task) === "refunded") return t("{0}, refunded at {1}", begun, end);
  return t("{0}, released at {1}: {2}", begun, end, endName(task));
}

function endName(task: Task): string {
  const phase = phaseOf(task);
  if (phase === "cancelled") return t("the task was cancelled");
  return phase === "expired" ? t("the task expired") : t("the task failed");
}

/** What one intent must not have: a second task or hold. */
function twinSentences(task: Task): readonly string[] {
  const { others, mayHaveTwin } = moneyOf(task);
  const said: string[] = [];
  if (others > 0) said.push(t("The gateway made another hold for the same idempotency key: look in the console"));
  if (mayHaveTwin)
    said.push(
      t(
        "The gateway made this task when it was asked again: if the first request had arrived too, there is a second hold",
      ),
    );
  return said;
}

/** For columns of a table. */
export function holdStateName(hold: HoldState): string {
  switch (hold) {
    case "none":
      return t("no hold");
    case "not-known":
      return t("not known");
    case "not-named":
      return t("no hold named");
    case "open":
      return t("open");
    case "settled":
      return t("settled");
    case "released":
      return t("released");
    case "release-not-seen":
      return t("release not seen");
    case "unclear":
      return t("open or ended: not known");
  }
}

/** *Usually 1 to 2 min*, for a sentence of its own. */
export function usualTimeText({ p50, p90 }: UsualTime): string {
  const inMinutes = p90 >= 90_000;
  const unit = inMinutes ? 60_000 : p90 >= 20_000 ? 5_000 : 1_000;
  const scale = inMinutes ? 1 : unit / 1_000;
  const from = Math.max(1, Math.round(p50 / unit)) * scale;
  const to = Math.max(1, Math.ceil(p90 / unit)) * scale;
  if (inMinutes) return from >= to ? t("Usually {0} min", to) : t("Usually {0} to {1} min", from, to);
  return from >= to ? t("Usually {0} s", to) : t("Usually {0} to {1} s", from, to);
}
