/** The variants of a messages request, and which refusal leads to which. */
import { imageRules } from "../shared/imageRules";
import { leaveOutRefused } from "../shared/refusedParts";
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
  /** Blocks are marked for the prompt cache. */
  readonly cacheMarks: boolean;
}

export const firstMessagesVariant: MessagesVariant = { ...baseVariant, thinkingBudget: false, cacheMarks: true };

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

const withoutMarks: VariantRule<MessagesVariant> = {
  // A mark makes the system prompt a list of blocks, where some relays take a text only.
  matches: (error) => isRefusalOf(error, /cache_control|\bsystem\b[^]{0,80}\bstr(?:ing)?\b/i),
  change: (variant) => (variant.cacheMarks ? { ...variant, cacheMarks: false } : undefined),
};

export const messagesRules = [
  ...imageRules<MessagesVariant>(),
  withoutMarks,
  withBudget,
  withoutOlderThinking,
  ...leaveOutRefused<MessagesVariant>(),
];
