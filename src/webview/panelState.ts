/** What the page knows: the host's chat at a revision. Pure: a message in, the next state out, and whether a snapshot is needed. */
import type { ChatEvent } from "../domain/chat";
import { type Chat, reduceChat, type SessionEvent } from "../domain/transcript";
import type { PanelStatus, ToView } from "../protocol/messages";

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

export function applyMessage(state: PanelState, message: ToView): Step {
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
    case "composer-insert":
      return kept;
  }
}

function applyEvents(
  state: Extract<PanelState, { type: "known" }>,
  message: Extract<ToView, { type: "events" }>,
): Step {
  if (message.after > state.revision) return { state: { ...state, type: "behind" }, lost: true };
  const revision = message.after + message.events.length;
  if (revision <= state.revision) return { state, lost: false };
  try {
    const fresh = message.events.slice(state.revision - message.after).filter(isKnown);
    return { state: { ...state, revision, chat: fresh.reduce(reduceChat, state.chat) }, lost: false };
  } catch {
    return { state: { ...state, type: "behind" }, lost: true };
  }
}

const sessionEvents: Readonly<Record<SessionEvent["type"], true>> = {
  "prompt-added": true,
  "turn-started": true,
  "answer-started": true,
  "answer-retry": true,
  "answer-event": true,
  "answer-ended": true,
  "tool-progress": true,
  "turn-ended": true,
};
const answerEvents: Readonly<Record<ChatEvent["type"], true>> = {
  "message-start": true,
  "text-delta": true,
  "reasoning-delta": true,
  "tool-call-start": true,
  "tool-call-delta": true,
  "tool-call-end": true,
  "tool-call-invalid": true,
  citation: true,
  media: true,
  opaque: true,
  usage: true,
  malformed: true,
  "stream-error": true,
  "message-end": true,
};

/** A newer host may say more than this page knows. */
function isKnown(event: SessionEvent): boolean {
  return event.type in sessionEvents && (event.type !== "answer-event" || event.event.type in answerEvents);
}

/**
 * Reads what was posted to the page; `undefined` for what is none of ours. The sender is the extension itself and this is
 * the hot path of a stream, so the envelope is looked at and not each event in it.
 */
export function readToView(value: unknown): ToView | undefined {
  return isToView(value) ? value : undefined;
}

function isToView(value: unknown): value is ToView {
  if (!isObject(value)) return false;
  switch (value["type"]) {
    case "snapshot":
      return isRevision(value["revision"]) && isChat(value["chat"]) && isStatus(value["status"]);
    case "events":
      return isRevision(value["after"]) && Array.isArray(value["events"]) && value["events"].every(isTyped);
    case "status":
      return isStatus(value["status"]);
    case "composer-insert":
      return typeof value["text"] === "string";
    default:
      return false;
  }
}

function isChat(value: unknown): boolean {
  return isObject(value) && typeof value["id"] === "string" && Array.isArray(value["entries"]);
}

function isStatus(value: unknown): boolean {
  return isObject(value) && typeof value["connection"] === "string" && Array.isArray(value["suggestions"]);
}

function isTyped(value: unknown): boolean {
  return isObject(value) && typeof value["type"] === "string";
}

function isRevision(value: unknown): boolean {
  return Number.isSafeInteger(value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
