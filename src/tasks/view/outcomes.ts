/** The message after several tasks were sent: one message for all that went wrong, each count by what is known of it. */
import { t } from "@vscode/l10n";
import { plural } from "../../domain/words/plural";
import { describeError, describeUnwritten, type ErrorDescription } from "../../domain/words/describeError";
import { isAccepted } from "../../domain/task/phase";
import { isWithdrawn } from "../../domain/task/submission";
import type { Task } from "../../domain/task/task";
import type { UnwrittenRecords } from "../board/unwrittenRecords";

export interface OutcomeProblem {
  readonly description: ErrorDescription;
  /** The tasks that the message's action sends again. */
  readonly sendAgain: readonly string[];
}

/** `undefined` when every task was accepted and is on disk, or is still being sent. */
export function describeOutcomes(
  tasks: readonly Task[],
  unwritten: UnwrittenRecords | undefined,
): OutcomeProblem | undefined {
  const unknown: Described[] = [];
  const unsent: Described[] = [];
  const refused: Described[] = [];
  for (const task of tasks) {
    const { submission } = task;
    if (submission.state === "outcome-unknown") unknown.push(describeUnknown(task.intent.id, submission));
    // The person has withdrawn it.
    if (submission.state !== "not-accepted" || isWithdrawn(submission.error)) continue;
    const described = { id: task.intent.id, description: describeError(submission.error, "submit") };
    (submission.error.notSent ? unsent : refused).push(described);
  }
  const counts = tasks.length === 1 ? [] : countsOf(tasks, { unknown, refused, unsent });
  if (unwritten && unwritten.accepted > 0) {
    const description = describeUnwritten(unwritten.accepted, unwritten.error);
    return {
      description: { ...description, title: [description.title, ...counts].join(" ") },
      sendAgain: unsent.map(({ id }) => id),
    };
  }
  // The least certain outcome decides the words and what the one action does.
  const acted = unknown.length > 0 ? unknown : [...unsent, ...refused];
  const [first] = acted;
  if (!first) return undefined;
  const meaning = tasks.length === 1 ? first.description.meaning : meaningsOf({ unknown, refused, unsent });
  return {
    description: { ...first.description, title: [...counts, first.description.title].join(" "), meaning },
    sendAgain: acted.map(({ id }) => id),
  };
}

interface ProblemTasks {
  readonly unknown: readonly Described[];
  readonly refused: readonly Described[];
  readonly unsent: readonly Described[];
}

/** The counts by outcome; what is paid comes first. */
function countsOf(tasks: readonly Task[], { unknown, refused, unsent }: ProblemTasks): readonly string[] {
  const of = tasks.length;
  const accepted = tasks.filter(isAccepted).length;
  const counts: readonly [number, string][] = [
    [accepted, plural(of, { other: "{0} of {1} tasks: accepted." }, accepted, of)],
    [unknown.length, plural(of, { other: "{0} of {1} tasks: outcome unknown." }, unknown.length, of)],
    [refused.length, plural(of, { other: "{0} of {1} tasks: refused." }, refused.length, of)],
    [unsent.length, plural(of, { other: "{0} of {1} tasks: not sent." }, unsent.length, of)],
  ];
  return counts.flatMap(([count, sentence]) => (count > 0 ? [sentence] : []));
}

/** The meaning of the first error of each kind, with the kind in front: none of them applies to the accepted tasks. */
function meaningsOf({ unknown: [unknown], refused: [refused], unsent: [unsent] }: ProblemTasks): string {
  return [
    unknown && t("Outcome unknown: {0}", unknown.description.meaning),
    refused && t("Refused: {0}", refused.description.meaning),
    unsent && t("Not sent: {0}", unsent.description.meaning),
  ]
    .filter((meaning) => meaning !== undefined)
    .join(" ");
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
