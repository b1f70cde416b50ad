/** The variants of a messages request, and which refusal leads to which. */
import {
  baseVariant,
  isRefusalOf,
  refuseOlderSignatures,
  type RequestVariant,
  type VariantRule,
} from "../shared/requestVariant";
import { readSignature } from "./signature";

export interface MessagesVariant extends RequestVariant {
  /** Older models take a token budget for thinking, newer ones an effort. */
  readonly thinkingBudget: boolean;
}

export const firstMessagesVariant: MessagesVariant = { ...baseVariant, thinkingBudget: false };

const withBudget: VariantRule<MessagesVariant> = {
  matches: (error) => isRefusalOf(error, /\badaptive\b|output_config|\beffort\b|thinking\.(?:type|display)/),
  change: (variant, { options }) =>
    typeof options?.thinking === "string" && options.thinking !== "off" && !variant.thinkingBudget
      ? { ...variant, thinkingBudget: true }
      : undefined,
};

const withoutOlderThinking: VariantRule<MessagesVariant> = {
  // "Expected thinking": the turn in progress lacks thinking, so omitting more does not help.
  matches: (error) =>
    isRefusalOf(error, /\bsignatures?\b|thinking\W{0,2} blocks?\b/i) && !isRefusalOf(error, /\bexpected\b/i),
  change: (variant, request) => refuseOlderSignatures(variant, request, readSignature),
};

export const messagesRules = [withBudget, withoutOlderThinking];
