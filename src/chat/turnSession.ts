/** What the parts of a turn share: the chat, and how they change it. */
import type { Chat, SessionEvent } from "../domain/chat/chat";
import type { AnswerRequests } from "./answerRequests";
import type { Approvals } from "./approvals";

/** The session of the turn. `emit` reduces the chat by an event before it returns. */
export interface TurnSession {
  readonly chat: () => Chat;
  readonly approvals: Approvals;
  readonly requests: AnswerRequests;
  readonly emit: (event: SessionEvent) => void;
}
