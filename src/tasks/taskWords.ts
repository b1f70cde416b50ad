/** The words for a task: its type, its state and its money. No sentence about money without a record that proves it (T10). */
import { t } from "@vscode/l10n";
import { describeError } from "../domain/describeError";
import { quoteForeign } from "../domain/quoteForeign";
import type { Task, TaskState, TaskType } from "../domain/task";
import { formatsOf } from "./timeFormats";

export function taskTypeName(type: TaskType): string {
  switch (type) {
    case "video":
      return t("video");
    case "stylized-image":
      return t("stylized image");
    case "async-image":
      return t("image");
  }
}

export interface Times {
  /** Hours and minutes, with the date when it is not today. */
  short(at: number): string;
  /** With seconds. */
  exact(at: number): string;
}

export function createTimes(locale: string, now: number): Times {
  const { time, exact, day } = formatsOf(locale);
  return {
    short: (at) => (isSameDay(at, now) ? time.format(at) : `${day.format(at)} ${time.format(at)}`),
    exact: (at) => exact.format(at),
  };
}

export function isSameDay(one: number, other: number): boolean {
  return new Date(one).toDateString() === new Date(other).toDateString();
}

export function stateName({ submission }: Task): string {
  switch (submission.state) {
    case "prepared":
      return t("waiting to be sent");
    case "sending":
      return t("sending");
    case "outcome-unknown":
      return t("outcome unknown");
    case "not-accepted":
      return t("not accepted");
    case "accepted":
      return remoteStateName(submission.remote.state, submission.remote.rawStatus);
  }
}

export function remoteStateName(state: TaskState, rawStatus: string): string {
  switch (state) {
    case "created":
      return t("created");
    case "queued":
      return t("queued");
    case "processing":
      return t("processing");
    case "succeeded":
      return t("succeeded");
    case "failed":
      return t("failed");
    case "cancelled":
      return t("cancelled");
    case "expired":
      return t("expired");
    case "refunded":
      return t("refunded");
    case "unknown":
      return rawStatus === "" ? t("state not read yet") : t("unknown status {0}", quoteForeign(rawStatus, 40));
  }
}

/** The state in a sentence, with the error's meaning where there is one. */
export function stateSentence(task: Task, times: Times): string {
  const { submission } = task;
  switch (submission.state) {
    case "prepared":
      return t("Waiting to be sent to the gateway.");
    case "sending":
      return t("Being sent to the gateway.");
    case "outcome-unknown":
      return unknownSentence(submission, times);
    case "not-accepted": {
      const { title, meaning } = describeError(submission.error, "submit");
      return `${title} ${meaning}`;
    }
    case "accepted": {
      const { remote } = submission;
      if (remote.state === "failed") {
        const why = [remote.errorCode, remote.errorMessage].filter(Boolean).join(": ");
        return why === "" ? t("Failed; the gateway gave no reason.") : t("Failed: {0}.", quoteForeign(why));
      }
      if (remote.state === "unknown" && remote.rawStatus === "") {
        return t("Accepted; the gateway has not said its state yet.");
      }
      const name = remoteStateName(remote.state, remote.rawStatus);
      return t("State {0}, last read at {1}.", name, times.short(submission.checkedAt));
    }
  }
}

export type OutcomeUnknown = Extract<Task["submission"], { state: "outcome-unknown" }>;

function unknownSentence({ error, reconcile }: OutcomeUnknown, times: Times): string {
  const { title, meaning } = describeError(error, "submit");
  if (reconcile?.state !== "failed") return `${title} ${meaning}`;
  const last = describeError(reconcile.error, "reconcile");
  return `${title} ${t("Reconcile at {0}: {1}", times.short(reconcile.at), last.title)} ${last.meaning}`;
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
    case "accepted": {
      const holdNamed =
        submission.holdId !== undefined || submission.events?.some(({ type }) => type === "created") === true;
      if (!holdNamed) return t("the gateway named no hold");
      const opened = t("Hold opened at {0}", times.exact(submission.at));
      const ended = times.exact(submission.remote.completedAt ?? submission.checkedAt);
      switch (submission.remote.state) {
        case "succeeded":
          return t("{0}, settled on success at {1}", opened, ended);
        case "failed":
          return t("{0}, released: the task failed", opened);
        case "cancelled":
          return t("{0}, released: the task was cancelled", opened);
        case "expired":
          return t("{0}, released: the task expired", opened);
        case "refunded":
          return t("{0}, refunded", opened);
        case "created":
        case "queued":
        case "processing":
          return t("{0}, open", opened);
        case "unknown":
          return t("{0}; whether it is still open is not known", opened);
      }
    }
  }
}
