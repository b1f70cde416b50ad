/** The chat page's copy of the host's state. Pure: a message in, the next state out, and whether a snapshot is needed. */
import { reduceChat } from "../domain/reduceChat";
import type { SessionEvent } from "../domain/transcript";
import type { PanelSnapshot } from "../protocol/panelMessages";
import { recordGrowth } from "./markdown/growth";
import { applyProjected, type Projection, type ProjectionChange } from "../protocol/projection";
import type { ReadMessage } from "../protocol/readPanelMessages";

export type PanelState = Projection<PanelSnapshot>;

export function applyMessage(state: PanelState, message: ReadMessage): ProjectionChange<PanelSnapshot> {
  switch (message.type) {
    case "status": {
      if (state.type === "empty") return { projection: state, lost: false };
      const snapshot = { ...state.snapshot, status: message.status };
      return { projection: { ...state, snapshot }, lost: false };
    }
    case "entries": {
      if (state.type === "empty") return { projection: state, lost: false };
      const { chat } = state.snapshot;
      // The answer to a request that was made before the chat changed.
      if (chat.id !== message.chat || chat.entries[0]?.id !== message.before) return { projection: state, lost: false };
      const entries = [...message.entries, ...chat.entries];
      const snapshot = { ...state.snapshot, chat: { ...chat, entries }, older: message.older };
      return { projection: { ...state, snapshot }, lost: false };
    }
    case "chat-found":
    case "find-open":
    case "entry-reveal":
    case "jobs":
    case "media":
    case "composer-clear":
    case "composer-submit-task":
    case "composer-insert":
    case "reference-add":
    case "context-found":
    case "composer-hint":
    case "attaching-ended":
    case "approval-focus":
    case "draft-request":
      return { projection: state, lost: false };
    case "events": {
      const change = applyProjected(state, message, reducePanel);
      // The branches meet at an entry that may not be here, and how many entries are older has changed.
      const isPart = state.type !== "empty" && (state.snapshot.older ?? 0) > 0;
      return isPart && message.events.some(changesBranch) ? { ...change, lost: true } : change;
    }
    case "snapshot":
    case "unreadable":
      return applyProjected(state, message, reducePanel);
  }
}

function changesBranch(event: SessionEvent | undefined): boolean {
  if (event?.type === "prompt-added") return event.replaces !== undefined;
  return event?.type === "entries-replaced" || event?.type === "branch-switched";
}

function reducePanel(snapshot: PanelSnapshot, event: SessionEvent): PanelSnapshot {
  const chat = reduceChat(snapshot.chat, event);
  recordGrowth(snapshot.chat, chat, event);
  return { ...snapshot, chat };
}
