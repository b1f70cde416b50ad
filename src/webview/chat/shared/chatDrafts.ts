/** Each chat has its own draft: the page keeps those of the chats that it does not show. */
import type { ChatDraft, SavedState } from "./savedState";

/** The most drafts of other chats. The whole state goes to VS Code with each key that is typed. */
const maxDrafts = 20;

export interface EnteredChat {
  readonly id: string;
  /** It has no message yet. */
  readonly isEmpty: boolean;
  /** The texts of its messages and of its queue. */
  readonly prompts: readonly string[];
}

/** What the composer has while the chats change: a text that was posted to the chat that is left, or that waits until a chat is loaded. */
export interface PendingText {
  readonly sent: string | undefined;
  readonly isHeld: boolean;
}

/**
 * What is saved, and shown, after the page went from its chat to another one: the draft is kept for the chat that is left, and that of the other one comes back.
 * A new chat takes the draft over, and so does the first chat that is loaded where Enter was pressed before. A posted text is no draft of a
 * new chat; it comes back to its own only where the host did not take it.
 */
export function enterChat(
  saved: SavedState,
  to: EnteredChat,
  { sent, isHeld }: PendingText,
): { readonly saved: SavedState; readonly shown: Omit<ChatDraft, "chat"> } {
  const { chat, draft, references } = saved;
  const isSent = sent !== undefined && sent === draft;
  const isWritten = draft.trim() !== "" || references.length > 0;
  const own = saved.drafts.find((kept) => kept.chat === to.id);
  const others = saved.drafts.filter((kept) => kept.chat !== to.id && kept.chat !== chat);
  const takesOver = chat === "" || isHeld || (to.isEmpty && own === undefined && isWritten && !isSent);
  if (takesOver) return { saved: { ...saved, chat: to.id, drafts: others }, shown: { draft, references } };
  const left: ChatDraft = { chat, draft, references, ...(isSent ? { sent: true } : {}) };
  const wasTaken = own?.sent === true && to.prompts.includes(own.draft);
  const shown = own === undefined || wasTaken ? { draft: "", references: [] } : own;
  const drafts = (isWritten ? [...others, left] : others).slice(-maxDrafts);
  return { saved: { ...saved, chat: to.id, draft: shown.draft, references: shown.references, drafts }, shown };
}
