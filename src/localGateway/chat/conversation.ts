/** What a chat request says, whichever family's wire it came over: the built-in model reads nothing else. */
import type { PromptImage } from "./images";

export interface DeclaredTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema, as it came. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ToolCallTurn {
  readonly id: string;
  readonly name: string;
  /** JSON text. */
  readonly arguments: string;
}

export type ConversationTurn =
  | { readonly role: "system" | "user"; readonly text: string; readonly images: readonly PromptImage[] }
  | { readonly role: "assistant"; readonly text: string; readonly calls: readonly ToolCallTurn[] }
  | {
      readonly role: "tool";
      readonly callId: string;
      readonly text: string;
      /** The request says so, beside what the text may say. */
      readonly failed?: true;
    };

export type ToolChoice = "auto" | "none" | "required" | { readonly name: string };

export interface Conversation {
  readonly turns: readonly ConversationTurn[];
  readonly tools: readonly DeclaredTool[];
  readonly toolChoice: ToolChoice;
  readonly parallel: boolean;
  /** False when the request asked for no reasoning. */
  readonly thinking: boolean;
  readonly seed: number;
  /** The answer must be JSON, and fit the schema where there is one. */
  readonly json?: { readonly schema?: Readonly<Record<string, unknown>> };
}

/** A request of any family, as far as answering goes. */
export interface ModelRequest {
  readonly model: string;
  readonly stream: boolean;
  /** Reasoning counts; `Infinity` where the request sets none. */
  readonly maxTokens: number;
  /** The answer ends before the first of these. */
  readonly stops: readonly string[];
  readonly conversation: Conversation;
}
