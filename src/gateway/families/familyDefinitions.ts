/** The registry of the families: one line each. */
import type { Family } from "../../domain/chat/chatEvent";
import { chatCompletionsFamily } from "./chatCompletions";
import { generateContentFamily } from "./generateContent";
import { messagesFamily } from "./messages";
import type { FamilyDefinition } from "./familyDefinition";

const registry = {
  "chat-completions": chatCompletionsFamily,
  messages: messagesFamily,
  "generate-content": generateContentFamily,
} satisfies Readonly<Record<Family, FamilyDefinition>>;

export const familyDefinitions: Readonly<Record<Family, FamilyDefinition>> = registry;

/** The user's settings by family. */
export type ChatSettings = {
  readonly [Name in keyof typeof registry]?: Parameters<NonNullable<(typeof registry)[Name]["accessOf"]>>[0];
};
