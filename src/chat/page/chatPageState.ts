/** The chat page's copy of the host's state. Pure: each message gives the next state, and whether a new snapshot is needed. */
import { reduceChat } from "../../domain/chat/reduceChat";
import type { SessionEvent } from "../../domain/chat/chat";
import type { ChatPageMessage, ChatPageSnapshot } from "../contract/chatPageContract";
import { recordGrowth } from "./markdown/growth";
import { applyProjected, type Projection, type ProjectionChange } from "../../base/projector";

export type ChatPageState = Projection<ChatPageSnapshot>;

/** The messages that change the copy. */
export type StateMessage = Extract<ChatPageMessage, { readonly type: "snapshot" | "events" | "status" | "entries" }>;

export function applyMessage(state: ChatPageState, message: StateMessage): ProjectionChange<ChatPageSnapshot> {
  switch (message.type) {
    case "status": {
      if (state.type === "empty") return { projection: state, lost: false };
      const snapshot = { ...state.snapshot, status: message.status };
      return { projection: { ...state, snapshot }, lost: false };
    }
    case "entries": {
      if (state.type === "empty") return { projection: state, lost: false };
      const { chat } = state.snapshot;
      // The message replies to a request from before the chat changed.
      if (chat.id !== message.chat || chat.entries[0]?.id !== message.before) return { projection: state, lost: false };
      const entries = [...message.entries, ...chat.entries];
      const snapshot = { ...state.snapshot, chat: { ...chat, entries }, older: message.older };
      return { projection: { ...state, snapshot }, lost: false };
    }
    case "events": {
      const change = applyProjected(state, message, reduceSnapshot);
      // Branches meet at an entry that the page may not have, and the number of older entries has changed, so a snapshot is needed.
      const isPart = state.type !== "empty" && (state.snapshot.older ?? 0) > 0;
      return isPart && message.events.some(changesBranch) ? { ...change, lost: true } : change;
    }
    case "snapshot":
      return applyProjected(state, message, reduceSnapshot);
  }
}

function changesBranch(event: SessionEvent): boolean {
  if (event.type === "prompt-added") return event.replaces !== undefined;
  return event.type === "entries-replaced" || event.type === "branch-switched";
}

function reduceSnapshot(snapshot: ChatPageSnapshot, event: SessionEvent): ChatPageSnapshot {
  const chat = reduceChat(snapshot.chat, event);
  recordGrowth(snapshot.chat, chat, event);
  return { ...snapshot, chat };
}
