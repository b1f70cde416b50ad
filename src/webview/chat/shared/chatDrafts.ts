/** Each chat has its own draft: the page keeps those of the chats that it does not show. */
import type { ChatDraft, SavedState } from "./savedState";

/** The most drafts of other chats. The whole state goes to VS Code with each key that is typed. */
const maxDrafts = 20;

export interface EnteredChat {
  readonly id: string;
  /** It has no message yet. */
  readonly isEmpty: boolean;
}

/**
 * The state after the page went from its chat to another one: the draft is kept for the chat that is left, and that of the other one comes back.
 * The text stays in view where it is `isPending`, that is, posted to the chat that is left and not accepted by it, or waiting for the first chat
 * to be loaded; and in a new chat, which takes over what was typed.
 */
export function enterChat(saved: SavedState, to: EnteredChat, isPending: boolean): SavedState {
  const { chat, draft, references } = saved;
  const isWritten = draft.trim() !== "" || references.length > 0;
  const own = saved.drafts.find((kept) => kept.chat === to.id);
  const others = saved.drafts.filter((kept) => kept.chat !== to.id && kept.chat !== chat);
  if (chat === "" || isPending || (to.isEmpty && own === undefined && isWritten)) {
    const joined = [draft, own?.draft ?? ""].filter((text) => text !== "").join("\n\n");
    const all = own === undefined ? references : [...references, ...own.references];
    return { ...saved, chat: to.id, draft: joined, references: all, drafts: others };
  }
  const left: ChatDraft = { chat, draft, references };
  return {
    ...saved,
    ...{ chat: to.id, draft: own?.draft ?? "", references: own?.references ?? [] },
    drafts: (isWritten ? [...others, left] : others).slice(-maxDrafts),
  };
}
