/** The list of all chats and the search over them. It is made from the session files, and may be deleted at any time. */
import type { TokenUsage } from "../../../domain/prices/tokenDays";

export interface ChatSummary {
  readonly id: string;
  /** Empty for a chat without a prompt. */
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The model of the last answer; empty where there is none. */
  readonly model: string;
  /** The tokens of all answers, as far as the gateway has reported them. */
  readonly tokens: number;
  readonly pinned: boolean;
  /** The folder in which it began. */
  readonly workspace?: string;
}

/** The newest entry of a chat that has all words of a query. */
export interface ChatHit {
  readonly id: string;
  readonly entry: string;
  /** The line with the first of the words. Missing where reading it would have taken too long. */
  readonly line?: string;
}

/** Every method rejects with an `AppFailure` of kind `storage`. */
export interface ChatIndex {
  /** Lists pinned chats first, then the others, each newest first by the time of their last event. The index reads all changed files before that. */
  list(): Promise<readonly ChatSummary[]>;
  /** Finds at most one hit a chat, newest first. */
  search(query: string): Promise<readonly ChatHit[]>;
  /** The tokens that models took in the chats on this machine since that moment, in no order. The index reads all changed files before that. */
  usage(since: number): Promise<readonly TokenUsage[]>;
  close(): Promise<void>;
}
