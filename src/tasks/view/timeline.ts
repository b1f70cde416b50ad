/** The history of a task: what the gateway's events say, and what was done here; for the task page (T7). */
import { t } from "@vscode/l10n";
import { describeError } from "../../domain/words/describeError";
import { acceptedOf } from "../../domain/task/phase";
import type { CancelProgress, Task } from "../../domain/task/task";
import { phaseName } from "./taskWords";

export interface TimelineEntry {
  readonly id: string;
  /** Milliseconds since 1970; missing where the gateway gave none. */
  readonly at?: number;
  readonly text: string;
  /** The state that an event of the gateway names. */
  readonly state?: string;
}

/** Oldest first. An event without a time stays behind the one that the gateway listed before it. */
export function timelineOf(task: Task): readonly TimelineEntry[] {
  const timed: { readonly order: number; readonly entry: TimelineEntry }[] = [];
  let order = -Infinity;
  for (const entry of [...ownEntries(task), ...gatewayEntries(task)]) {
    order = entry.at ?? order;
    timed.push({ order, entry });
  }
  return timed.sort((a, b) => (a.order === b.order ? 0 : a.order - b.order)).map(({ entry }) => entry);
}

function ownEntries({ intent, submission }: Task): TimelineEntry[] {
  const text = intent.isWatched === true ? t("Put on the list here") : t("Submitted here");
  const entries: TimelineEntry[] = [{ id: "own:intended", at: intent.createdAt, text }];
  switch (submission.state) {
    case "prepared":
    case "sending":
      break;
    case "outcome-unknown":
    case "not-accepted":
      entries.push({ id: "own:error", at: submission.at, text: describeError(submission.error, "submit").title });
      if (submission.state === "outcome-unknown" && submission.reconcile?.state === "failed") {
        const { at, error } = submission.reconcile;
        entries.push({ id: "own:reconcile", at, text: describeError(error, "reconcile").title });
      }
      break;
    case "accepted":
      entries.push({ id: "own:accepted", at: submission.at, text: t("Accepted by the gateway") });
      if (submission.cancel) {
        const { at } = submission.cancel;
        entries.push({ id: "own:cancel", at, text: describeCancel(submission.cancel) });
      }
  }
  return entries;
}

function describeCancel({ state, reason }: CancelProgress): string {
  switch (state) {
    case "requested":
      return t("Cancel requested: {0}", reason);
    case "confirmed":
      return t("Cancel confirmed: {0}", reason);
    case "too-late":
      return t("Finished before the cancel arrived: {0}", reason);
    case "refused":
      return t("Cancel refused: {0}", reason);
    case "no-effect":
      return t("Cancel had no effect: {0}", reason);
  }
}

function gatewayEntries(task: Task): TimelineEntry[] {
  return (acceptedOf(task)?.events ?? []).map((event) => ({
    id: event.id,
    text: event.message || event.type,
    state: phaseName(event.state, event.rawStatus),
    ...(event.createdAt === undefined ? {} : { at: event.createdAt }),
  }));
}
