/** What the parts of a turn share: the chat, and how they change it. */
import type { Chat, SessionEvent, ToolStep } from "../../domain/chat/chat";
import type { Explored } from "../../domain/tools/tool";
import type { AnswerRequests } from "./answerRequests";
import type { Approvals } from "../approval/approvals";
import type { OpenQuestions } from "../modes/openQuestions";

/** The session of the turn. `emit` reduces the chat by an event before it returns. */
export interface TurnSession {
  readonly chat: () => Chat;
  readonly approvals: Approvals;
  readonly questions: OpenQuestions;
  readonly requests: AnswerRequests;
  readonly emit: (event: SessionEvent) => void;
  /** Missing where the turn is that of a reader. */
  readonly explore?: Explore;
}

/** As `CallEffects.explore`; with the source of what the reader has read of others, where there is any. */
export type Explore = (
  question: string,
  signal: AbortSignal,
  watch: ExploreWatch,
) => Promise<Explored & { readonly untrusted?: string }>;

export interface ExploreWatch {
  /** A call of the reader has begun, or has ended. */
  step(step: ToolStep): void;
  /** How many calls and tokens there are so far. */
  took(calls: number, tokens: number): void;
}
