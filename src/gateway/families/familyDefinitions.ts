/** The registry of the families: one line each. */
import type { Family } from "../../domain/chat/chatEvent";
import { chatCompletionsFamily } from "./chatCompletions/chatCompletionsFamily";
import { generateContentFamily } from "./generateContent/generateContentFamily";
import { messagesFamily } from "./messages/messagesFamily";
import type { FamilyDefinition } from "./shared/familyDefinition";

const registry = {
  "chat-completions": chatCompletionsFamily,
  messages: messagesFamily,
  "generate-content": generateContentFamily,
} satisfies Readonly<Record<Family, FamilyDefinition>>;

export const familyDefinitions: Readonly<Record<Family, FamilyDefinition>> = registry;

/** The user's settings by family. */
export type ChatSettings = {
  readonly [Name in keyof typeof registry]?: Exclude<Parameters<(typeof registry)[Name]["writeRequest"]>[2], undefined>;
};
