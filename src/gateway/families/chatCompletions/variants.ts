/** The variants of a chat-completions request, and which refusal leads to which. */
import type { ChatRequest } from "../../../domain/chat/message";
import { imageRules } from "../shared/imageRules";
import { leaveOutRefused } from "../shared/refusedParts";
import { baseVariant, isRefusalOf, type VariantRule } from "../shared/requestVariant";
import { systemIntoPrompt, type SystemVariant } from "../shared/systemInPrompt";

type LimitField = "max_tokens" | "max_completion_tokens";

export interface ChatCompletionsVariant extends SystemVariant {
  /** `stream_options` requests the token counts of a stream; strict servers refuse the field. */
  readonly streamOptions: boolean;
  /** `content` of a message that has only tool calls. */
  readonly emptyContent: "" | null;
  /** Messages with tool calls have `reasoning_content`, also when it is empty: some thinking models require it. */
  readonly alwaysReasoning: boolean;
  /** Ids of calls are made anew, also those of the model itself. */
  readonly madeIds: boolean;
  /** A limit is sent also where the person set none: gateways that translate for Claude require one. */
  readonly alwaysLimit: boolean;
  /** Messages are marked for the prompt cache, where the model takes marks. */
  readonly cacheMarks: boolean;
  /** The field of the output limit; chosen by the model's id when left out. */
  readonly limitField?: LimitField;
}

export const firstChatCompletionsVariant: ChatCompletionsVariant = {
  ...baseVariant,
  streamOptions: true,
  emptyContent: null,
  alwaysReasoning: false,
  madeIds: false,
  alwaysLimit: false,
  cacheMarks: true,
};

/** Ids under which relays serve Claude. Other services cache without marks, and some refuse the field. */
export function takesCacheMarks({ cacheMarks }: ChatCompletionsVariant, { model, options }: ChatRequest): boolean {
  return cacheMarks && (options?.promptCache ?? /claude|anthropic/i.test(model));
}

/** Thinking models refuse the older name, and many servers accept only that one. */
export function limitFieldOf(variant: ChatCompletionsVariant, model: string): LimitField {
  return variant.limitField ?? (/(?:^|\/)(?:o\d|gpt-[5-9])/i.test(model) ? "max_completion_tokens" : "max_tokens");
}

const withoutUsage: VariantRule<ChatCompletionsVariant> = {
  matches: (error) => isRefusalOf(error, /stream_options|include_usage/),
  change: (variant) => (variant.streamOptions ? { ...variant, streamOptions: false } : undefined),
};

const withAllReasoning: VariantRule<ChatCompletionsVariant> = {
  matches: (error) =>
    isRefusalOf(error, /reasoning_content/) && isRefusalOf(error, /\b(?:must|missing|required|passed)\b/i),
  change: (variant) => (variant.alwaysReasoning ? undefined : { ...variant, alwaysReasoning: true }),
};

const withEmptyContent: VariantRule<ChatCompletionsVariant> = {
  matches: (error) =>
    isRefusalOf(error, /\bcontents?\b/i) &&
    isRefusalOf(error, /\b(?:null|none(?:type)?|nil|string|str|missing|required|empty)\b/i),
  change: (variant, request) =>
    variant.emptyContent === null && hasOnlyCalls(request) ? { ...variant, emptyContent: "" } : undefined,
};

function hasOnlyCalls({ messages }: ChatRequest): boolean {
  return messages.some(
    (message) =>
      message.role === "assistant" &&
      message.parts.some(({ type }) => type === "tool-call") &&
      message.parts.every((part) => part.type !== "text" || part.text === ""),
  );
}

const withOtherLimit: VariantRule<ChatCompletionsVariant> = {
  // A limit that is too high is named as well, but another field does not help then.
  matches: (error) =>
    isRefusalOf(error, /max_(?:completion_)?tokens/) &&
    isRefusalOf(
      error,
      /unsupported|not (?:supported|permitted|allowed)|un(?:known|recogni[sz]ed|expected)|extra|instead/i,
    ),
  change(variant, { options, model }) {
    if (options?.maxOutputTokens === undefined) return undefined;
    const isOlder = limitFieldOf(variant, model) === "max_tokens";
    return { ...variant, limitField: isOlder ? "max_completion_tokens" : "max_tokens" };
  },
};

const withMadeIds: VariantRule<ChatCompletionsVariant> = {
  matches: (error) => isRefusalOf(error, /tool[ _]?calls?\b[^]{0,40}\bids?\b|tool_call_id|tool_calls\[\d+\]\.id/i),
  change: (variant, { messages }) =>
    !variant.madeIds && messages.some(({ role }) => role === "tool") ? { ...variant, madeIds: true } : undefined,
};

const withLimit: VariantRule<ChatCompletionsVariant> = {
  matches: (error) =>
    isRefusalOf(error, /max_(?:completion_)?tokens/) &&
    isRefusalOf(error, /\b(?:required|missing|must be (?:set|given))\b/i),
  change: (variant, { options }) =>
    options?.maxOutputTokens === undefined && !variant.alwaysLimit ? { ...variant, alwaysLimit: true } : undefined,
};

const withoutMarks: VariantRule<ChatCompletionsVariant> = {
  // Marks need the content as parts, which some servers take for prompts only.
  matches: (error) => isRefusalOf(error, /cache_control|\bcontent\b[^]{0,80}\bstr(?:ing)?\b/i),
  change: (variant, request) => (takesCacheMarks(variant, request) ? { ...variant, cacheMarks: false } : undefined),
};

export const chatCompletionsRules = [
  ...imageRules<ChatCompletionsVariant>(),
  withoutMarks,
  withoutUsage,
  withAllReasoning,
  withEmptyContent,
  withOtherLimit,
  withLimit,
  withMadeIds,
  systemIntoPrompt<ChatCompletionsVariant>(),
  ...leaveOutRefused<ChatCompletionsVariant>(),
];
