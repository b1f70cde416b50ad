/** The messages family for the registry. */
import type { FamilyDefinition } from "../shared/familyDefinition";
import { MessagesDecoder } from "./decoder";
import { buildMessagesRequest } from "./request";
import { firstMessagesVariant, messagesRules, type MessagesVariant } from "./variants";

export interface MessagesSettings {
  /** The only place of the key: relays prefer one of two unpredictably. `bearer` when left out. */
  readonly authentication?: "bearer" | "x-api-key";
  /** The header `anthropic-version`. */
  readonly version?: string;
}

/** From `2026-10-21` on, a temperature is refused. */
const defaultVersion = "2023-06-01";

export const messagesFamily: FamilyDefinition<MessagesVariant, MessagesSettings> = {
  family: "messages",
  firstVariant: firstMessagesVariant,
  variantRules: messagesRules,
  createDecoder: (answer) => new MessagesDecoder(answer),
  writeRequest: (request, variant, settings) => ({
    path: "/messages",
    headers: { "anthropic-version": settings?.version ?? defaultVersion },
    keyPlace: settings?.authentication ?? "bearer",
    body: buildMessagesRequest(request, variant),
  }),
};
