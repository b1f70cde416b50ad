/** The prompts of the chat that the page shows, as the page compares them with what the composer has sent. Pure. */
import type { Chat, QueuedPrompt } from "../../domain/chat/chat";

export function lastPrompt(chat: Chat): string | undefined {
  return chat.entries.findLast((entry) => !("blocks" in entry))?.id;
}

export function isEmptyChat({ entries, queue = [] }: Chat): boolean {
  return entries.length === 0 && queue.length === 0;
}

/** The newest entry and the queue: one of them may be the prompt that the composer has sent. */
export function newestPrompts({ entries, queue = [] }: Chat): readonly Pick<QueuedPrompt, "id" | "text">[] {
  const last = entries.findLast((entry) => entry.type === "user");
  return last ? [last, ...queue] : queue;
}
