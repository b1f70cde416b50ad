/** What the page knows: the host's chat at a revision. Pure: a message in, the next state out, and whether a snapshot is needed. */
import { type Chat, reduceChat } from "../domain/transcript";
import type { PanelStatus } from "../protocol/messages";
import type { ReadMessage } from "../protocol/viewMessages";

export type PanelState =
  | { readonly type: "empty"; readonly status?: PanelStatus }
  | { readonly type: "known"; readonly revision: number; readonly chat: Chat; readonly status: PanelStatus }
  /** Revisions were missed: what is shown stays until the snapshot comes. */
  | { readonly type: "behind"; readonly revision: number; readonly chat: Chat; readonly status: PanelStatus };

export interface Step {
  readonly state: PanelState;
  /** The host must be asked for everything; said once for each gap. */
  readonly lost: boolean;
}

export function applyMessage(state: PanelState, message: ReadMessage): Step {
  const kept: Step = { state, lost: false };
  switch (message.type) {
    case "snapshot": {
      const { revision, chat, status } = message;
      return { state: { type: "known", revision, chat, status }, lost: false };
    }
    case "status":
      return { state: { ...state, status: message.status }, lost: false };
    case "events":
      return state.type === "known" ? applyEvents(state, message) : kept;
    case "unreadable":
      return state.type === "known" ? { state: { ...state, type: "behind" }, lost: true } : kept;
    case "composer-insert":
      return kept;
  }
}

function applyEvents(
  state: Extract<PanelState, { type: "known" }>,
  message: Extract<ReadMessage, { type: "events" }>,
): Step {
  if (message.after > state.revision) return { state: { ...state, type: "behind" }, lost: true };
  const revision = message.after + message.events.length;
  if (revision <= state.revision) return { state, lost: false };
  try {
    const fresh = message.events.slice(state.revision - message.after).filter((event) => event !== undefined);
    return { state: { ...state, revision, chat: fresh.reduce(reduceChat, state.chat) }, lost: false };
  } catch {
    return { state: { ...state, type: "behind" }, lost: true };
  }
}
