/** The questions of the model that wait for the person. Pure. */
import { type AskingProgress, type Chat, toolCalls } from "../../../domain/chat/chat";

/** In order. Only the running turn can ask. */
export function askedQuestions({ running, entries }: Chat): readonly AskingProgress[] {
  if (!running) return [];
  const turn = entries.slice(entries.findLastIndex((entry) => entry.type === "user") + 1);
  return turn.flatMap((entry) =>
    entry.type === "answer"
      ? toolCalls(entry).flatMap(({ progress }) => (progress.state === "asking" ? [progress] : []))
      : [],
  );
}
