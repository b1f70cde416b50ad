/** A chat request independent of its family: the input of the built-in model. */
import type { PromptImage } from "./images";

export interface DeclaredTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema, unchanged. */
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
      readonly images?: readonly PromptImage[];
      /** Whether the call failed; only two families have a flag for it. */
      readonly failed?: true;
    };

export type ToolChoice = "auto" | "none" | "required" | { readonly name: string };

export interface Conversation {
  readonly turns: readonly ConversationTurn[];
  readonly tools: readonly DeclaredTool[];
  readonly toolChoice: ToolChoice;
  readonly parallel: boolean;
  /** False when the request turns reasoning off. */
  readonly thinking: boolean;
  readonly seed: number;
  /** The answer must be JSON that fits the schema. */
  readonly json?: { readonly schema?: Readonly<Record<string, unknown>> };
}

/** A chat request with its limits. */
export interface ModelRequest {
  readonly model: string;
  readonly stream: boolean;
  /** Includes reasoning; `Infinity` without a limit. */
  readonly maxTokens: number;
  /** The answer ends before the first of these. */
  readonly stops: readonly string[];
  readonly conversation: Conversation;
}
