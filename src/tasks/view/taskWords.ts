/** The words for the state, the result and the money of a task. No sentence about money without a record that proves it (T10). */
import { fileURLToPath } from "node:url";
import { t } from "@vscode/l10n";
import { describeError } from "../../domain/words/describeError";
import { quoteForeign } from "../../domain/words/quoteForeign";
import { acceptedOf, phaseOf, type TaskPhase, hasSucceeded } from "../../domain/task/phase";
import type { Task, AcceptedSubmission } from "../../domain/task/task";
import { type HoldState, moneyOf, type MoneyStep } from "../money";
import { type UsualTime } from "../usualTimes";
import { type Times } from "../../domain/words/timeFormats";
import { isDiskFull } from "../../domain/errors/appError";
import { describeStorageRemedy } from "../../domain/words/describeStorage";
import { heldBackCode, overLimit } from "../results/resultFile";
import { isFreeTask } from "../../domain/task/sameHome";

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
  const name = phaseName(phaseOf(task), acceptedOf(task)?.remote.rawStatus ?? "");
  if (task.intent.isRehearsal !== true) return name;
  // A placeholder is not shown as a success.
  return hasSucceeded(task) ? t("rehearsed") : t("rehearsal · {0}", name);
}

/** The state in a sentence, with the error's meaning where there is one. `waitsUntil` is the end of the pause before it is sent. */
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
      // Nothing is read any more until the person acts: the row shows what is needed.
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

/**
 * States only what was read or follows from it by the rules of the service: never an amount, which no response holds, and no hold that the gateway
 * did not name.
 */
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

/** The sentences about a second task or hold, which one intent must not have. */
function twinSentences(task: Task): readonly string[] {
  const { others, mayHaveTwin } = moneyOf(task);
  const said: string[] = [];
  if (others > 0) said.push(t("The gateway made another hold for the same idempotency key: look in the console"));
  if (mayHaveTwin)
    said.push(
      t(
        "The gateway made this task when it was asked again. If the first request had arrived too, there is a second hold",
      ),
    );
  return said;
}

/** Names the state of a hold for a column of a table. */
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

// Words what is wrong with a result in its row: not fetched, or not at its place.

/** The problem in short, for the row's description. */
export function resultRemark({ fetchFailure, placement }: AcceptedSubmission): string | undefined {
  if (placement?.state === "occupied") return t("not placed: {0} exists", nameOf(placement.file));
  if (placement?.state === "failed") return t("not placed");
  if (fetchFailure === undefined) return undefined;
  if (fetchFailure.error.code === heldBackCode) return t("held back: not fetched yet");
  return fetchFailure.error.code === overLimit ? t("large: not fetched yet") : t("result not fetched");
}

/**
 * The remark while the task has succeeded and this window is still to bring its file into the project, as `isOpenHere` decides: whoever opens the
 * file then would find none.
 */
export function savingRemark(task: Task, isOpenHere: (file: string) => boolean): string | undefined {
  const { destination } = task.intent;
  if (destination === undefined || !hasSucceeded(task)) return undefined;
  const { fetchFailure, placement } = task.submission;
  const isUnderWay = fetchFailure === undefined && (placement === undefined || placement.state === "placing");
  return isUnderWay && isOpenHere(destination.file) ? t("saving") : undefined;
}

/** Words the problem in a sentence for the tooltip. */
export function resultSentence({ fetchFailure, placement }: AcceptedSubmission): string | undefined {
  switch (placement?.state) {
    case "occupied":
      return t(
        "Another file has the name {0} and was left as it is. Place Result asks what to do.",
        pathOf(placement.file),
      );
    case "failed":
      return t("The result could not be written to {0}: {1}.", pathOf(placement.file), quoteForeign(placement.message));
    case "placed":
      return t("The result is at {0}.", pathOf(placement.file));
    case "placing":
    case undefined:
      break;
  }
  if (fetchFailure === undefined) return undefined;
  const { error } = fetchFailure;
  if (error.code === overLimit) {
    return t("The result is larger than what is fetched without a click. Open Result fetches it.");
  }
  if (error.code === heldBackCode) {
    return t(
      "VS Code stopped answering more than once while it read this result, so it is not fetched without a click. Open Result fetches it.",
    );
  }
  const said = t("The result could not be fetched. {0}", describeError(error, "result").title);
  return isDiskFull(error) ? `${said} ${describeStorageRemedy(error)}` : said;
}

/** The last part of a URI, without escapes. */
function nameOf(uri: string): string {
  return decoded(uri.split("/").at(-1) ?? "");
}

/** A file of this machine as its system writes it; elsewhere the address, without escapes. */
function pathOf(uri: string): string {
  try {
    return fileURLToPath(uri);
  } catch {
    return decoded(uri);
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// Words the money of a task for rows, tooltips, lists and pages (T10). The hold and its ids are in `moneyLine`, under Details.

/**
 * The money in one sentence without a full stop. It is *Not charged* only where no request was accepted, or a release was seen. A task of the local
 * gateway is free, whatever its play money does.
 */
export function moneySentence(task: Task, times: Times): string {
  if (isFreeTask(task)) return t("Free: the local gateway takes play money only");
  const { hold, opened, ended, others, mayHaveTwin } = moneyOf(task);
  if (others > 0) return t("Check in the gateway's console: it made more than one task, or reserved more than once");
  if (mayHaveTwin) return t("Check in the gateway's console: the first request may have made a second task");
  const at = (step: MoneyStep | undefined): string => (step ? times.short(step.at) : "");
  switch (hold) {
    case "open":
      return t("Reserved at {0}", at(opened));
    case "unclear":
      return t("Reserved at {0}; whether it still is, is not known", at(opened));
    case "settled":
      return t("Charged at {0}", at(ended));
    case "released":
      return t("Not charged: given back at {0}", at(ended));
    case "release-not-seen":
      return t("Checking: not seen given back yet");
    case "not-known":
      return task.submission.state === "sending"
        ? t("Not known: the gateway has not answered yet")
        : t("Not known whether the gateway has made the task");
    case "not-named":
      return t("The gateway has not said what it reserved");
    case "none":
      return task.submission.state === "prepared" ? t("Not charged: nothing is sent yet") : t("Not charged");
  }
}

/** The money in a word or two, for a description or the sentence of a row. */
export function moneyWord(task: Task): string {
  if (isFreeTask(task)) return t("free");
  const { hold, others, mayHaveTwin } = moneyOf(task);
  if (others > 0 || mayHaveTwin) return t("may be charged twice");
  switch (hold) {
    case "open":
      return t("reserved");
    case "settled":
      return t("charged");
    case "released":
      return t("not charged");
    case "none":
      return task.submission.state === "prepared" ? t("nothing sent yet") : t("not charged");
    case "release-not-seen":
      return t("checking");
    case "unclear":
    case "not-known":
      return t("not known whether charged");
    case "not-named":
      return t("nothing said about the money");
  }
}
