/** The chat-completions family for the registry. */
import type { FamilyDefinition } from "../shared/familyDefinition";
import { ChatCompletionsDecoder } from "./decoder";
import { buildChatCompletionsRequest } from "./request";
import { type ChatCompletionsVariant, chatCompletionsRules, firstChatCompletionsVariant } from "./variants";

export const chatCompletionsFamily: FamilyDefinition<ChatCompletionsVariant, never> = {
  family: "chat-completions",
  firstVariant: firstChatCompletionsVariant,
  variantRules: chatCompletionsRules,
  createDecoder: (answer) => new ChatCompletionsDecoder(answer),
  writeRequest: (request, variant) => ({
    path: "/chat/completions",
    headers: {},
    keyPlace: "bearer",
    body: buildChatCompletionsRequest(request, variant),
  }),
};
