/**
 * Adds to the next request what became of the model's edits (A16). It is placed behind the prompt or the results that are new in that request, so
 * that the history before stays the same.
 */
import { abortable } from "../../base/async/abort";
import { type Chat, lastSpoken, type SessionEvent, toolCalls } from "../../domain/chat/chat";
import type { SessionChanges } from "./sessionOptions";

/** Does nothing for a request that was sent before. Rejects with an `AbortError` only. */
export async function tellOutcomes(
  chat: () => Chat,
  { outcomes }: Pick<SessionChanges, "outcomes">,
  emit: (event: SessionEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const { entries } = chat();
  const last = lastSpoken({ entries });
  if (last === undefined || last.outcomes !== undefined) return;
  if (last.type === "answer" && (last.state !== "complete" || toolCalls(last).length === 0)) return;
  const answers = entries.filter((entry) => entry.type === "answer");
  // Only calls that a person or a rule has allowed can have changed files.
  const changing = answers.filter((one) => toolCalls(one).some(({ progress }) => "allowed" in progress));
  if (changing.length === 0) return;
  const asked = {
    answers: new Set(changing.map(({ id }) => id)),
    since: answers.at(-1)?.startedAt ?? 0,
    told: entries.flatMap((entry) => ("outcomes" in entry ? (entry.outcomes ?? []) : [])),
  };
  const found = await abortable(outcomes(asked), signal);
  if (found.length > 0) emit({ type: "edits-told", id: last.id, outcomes: [...found] });
}
