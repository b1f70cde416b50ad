/** The chat page's copy of the host's state. Pure: a message in, the next state out, and whether a snapshot is needed. */
import { reduceChat } from "../domain/reduceChat";
import type { SessionEvent } from "../domain/transcript";
import type { PanelSnapshot } from "../protocol/panelMessages";
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
    case "composer-insert":
    case "reference-add":
    case "files-found":
      return { projection: state, lost: false };
    case "snapshot":
    case "events":
    case "unreadable":
      return applyProjected(state, message, reducePanel);
  }
}

function reducePanel(snapshot: PanelSnapshot, event: SessionEvent): PanelSnapshot {
  return { ...snapshot, chat: reduceChat(snapshot.chat, event) };
}
