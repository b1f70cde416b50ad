/** The message after several tasks were sent: one message for all that went wrong, each count by what is known of it. */
import { plural } from "../../domain/words/plural";
import { describeError, describeUnwritten, type ErrorDescription } from "../../domain/words/describeError";
import { isWithdrawn } from "../../domain/task/submission";
import type { Task } from "../../domain/task/task";
import type { UnwrittenRecords } from "../board/unwrittenRecords";

export interface OutcomeTrouble {
  readonly description: ErrorDescription;
  /** The tasks that the message's action sends again. */
  readonly sendAgain: readonly string[];
}

/** `undefined` when every task was accepted and is on disk, or is still being sent. */
export function describeOutcomes(
  tasks: readonly Task[],
  unwritten: UnwrittenRecords | undefined,
): OutcomeTrouble | undefined {
  const unknown: Described[] = [];
  const unsent: Described[] = [];
  const refused: Described[] = [];
  for (const task of tasks) {
    const { submission } = task;
    if (submission.state === "outcome-unknown") unknown.push(describeUnknown(task.intent.id, submission));
    // What the person has called back is what they wanted.
    if (submission.state !== "not-accepted" || isWithdrawn(submission.error)) continue;
    const described = { id: task.intent.id, description: describeError(submission.error, "submit") };
    (submission.error.notSent ? unsent : refused).push(described);
  }
  const counts = [
    unknown.length > 0
      ? plural(tasks.length, { other: "{0} of {1} tasks: outcome unknown." }, unknown.length, tasks.length)
      : "",
    refused.length > 0
      ? plural(tasks.length, { other: "{0} of {1} tasks: refused." }, refused.length, tasks.length)
      : "",
    unsent.length > 0
      ? plural(tasks.length, { other: "{0} of {1} tasks: not sent." }, unsent.length, tasks.length)
      : "",
  ].filter((sentence) => sentence !== "");
  const listed = tasks.length === 1 ? [] : counts;
  if (unwritten && unwritten.accepted > 0) {
    const description = describeUnwritten(unwritten.accepted, unwritten.error);
    return {
      description: { ...description, title: [description.title, ...listed].join(" ") },
      sendAgain: unsent.map(({ id }) => id),
    };
  }
  // The least certain decides what is said and what the one action does.
  const acted = unknown.length > 0 ? unknown : [...unsent, ...refused];
  const [first] = acted;
  if (!first) return undefined;
  return {
    description: { ...first.description, title: [...listed, first.description.title].join(" ") },
    sendAgain: acted.map(({ id }) => id),
  };
}

interface Described {
  readonly id: string;
  readonly description: ErrorDescription;
}

function describeUnknown(
  id: string,
  { error, reconcile }: Extract<Task["submission"], { state: "outcome-unknown" }>,
): Described {
  const description =
    reconcile?.state === "failed" ? describeError(reconcile.error, "reconcile") : describeError(error, "submit");
  return { id, description };
}
