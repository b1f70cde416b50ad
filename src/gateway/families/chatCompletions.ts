/**
 * The chat-completions family: writes the history as the body of `POST /v1/chat/completions`, lists the variants of the request, and registers the
 * family.
 */
import { definedFields } from "../../base/definedFields";
import type { ChatRequest, UserPart } from "../../domain/chat/message";
import type { ModelOptions } from "../../domain/chat/modelOptions";
import { pictureTypesFor } from "../../domain/media/pictureTypes";
import { asArray, asRecord, asText, type JsonRecord } from "../../base/jsonValue";
import {
  withoutBrokenCharacters,
  cleanValue,
  type AssistantTurn,
  type CallResult,
  normaliseHistory,
  type ToolCall,
  markLast,
  placesOfMarks,
  withSystemInPrompt,
  systemIntoPrompt,
  type SystemVariant,
} from "./normaliseHistory";
import { whyWithoutImage, imageRules } from "./imageRules";
import { createToolNames, type ToolNames, uniqueId } from "./toolNames";
import { leaveOutRefused } from "./refusedParts";
import { baseVariant, isRefusalOf, type VariantRule, type FamilyDefinition } from "./familyDefinition";
import { ChatCompletionsDecoder } from "./chatCompletionsDecoder";

const imageTypes: ReadonlySet<string> = new Set<string>(pictureTypesFor("prompt"));

export function buildChatCompletionsRequest(
  request: ChatRequest,
  variant: ChatCompletionsVariant = firstChatCompletionsVariant,
): JsonRecord {
  const { family, model, options } = request;
  const names = createToolNames(request.tools);
  const { tools } = names;
  const history = normaliseHistory(request.messages, {
    family,
    model,
    keepData: (data) => data,
    whyWithout: whyWithoutImage(variant, imageTypes),
  });
  const { system, turns } = variant.systemInPrompt ? withSystemInPrompt(history) : history;
  const each = turns.flatMap((turn): readonly Written[] => {
    const messages =
      turn.role === "user"
        ? [{ role: "user", content: writeUserContent(turn.parts) }]
        : writeAnswer(turn, names, variant);
    return messages.map((message, index) =>
      turn.cacheMark && index === messages.length - 1 ? { message, cacheMark: true } : { message },
    );
  });
  const written = variant.systemInPrompt ? joinPrompts(each) : each;
  const instructions = system.map((content): JsonRecord => ({ role: "system", content }));
  return {
    model,
    messages: takesCacheMarks(variant, request)
      ? [...instructions.slice(0, -1), ...instructions.slice(-1).map(markMessage), ...markWritten(written)]
      : [...instructions, ...written.map(({ message }) => message)],
    stream: true,
    ...(variant.streamOptions ? { stream_options: { include_usage: true } } : {}),
    ...writeOptions(variant.alwaysLimit ? withLimit(options) : options, limitFieldOf(variant, model)),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, parameters }) => ({
            type: "function",
            function: {
              name: names.toWire(name),
              description: withoutBrokenCharacters(description),
              parameters: cleanValue(parameters),
            },
          })),
          ...(request.mustCallTool ? { tool_choice: "required" } : {}),
        }),
  };
}

interface Written {
  readonly message: JsonRecord;
  readonly cacheMark?: true;
}

/** Joins prompts, because templates without a system role also refuse two prompts in a row. */
function joinPrompts(written: readonly Written[]): readonly Written[] {
  const joined: Written[] = [];
  for (const { message, ...mark } of written) {
    const last = joined.at(-1);
    if (last?.message["role"] !== "user" || message["role"] !== "user") joined.push({ message, ...mark });
    else {
      const content = joinContents(last.message["content"], message["content"]);
      joined[joined.length - 1] = { ...last, message: { ...message, content }, ...mark };
    }
  }
  return joined;
}

function joinContents(before: unknown, after: unknown): unknown {
  if (typeof before === "string" && typeof after === "string") return `${before}\n\n${after}`;
  const parts = (content: unknown): readonly unknown[] =>
    typeof content === "string" ? [{ type: "text", text: content }] : asArray(content);
  return [...parts(before), ...parts(after)];
}

function markWritten(written: readonly Written[]): readonly JsonRecord[] {
  const marked = placesOfMarks(
    written.map(({ message, ...mark }) => ({ isAnswer: message["role"] === "assistant", ...mark })),
  );
  return written.map(({ message }, index) => (marked.has(index) ? markMessage(message) : message));
}

/** Adds a cache mark. It needs the content as parts, so a message without content gets none. */
function markMessage(message: JsonRecord): JsonRecord {
  const { content } = message;
  if (typeof content === "string" && content !== "")
    return { ...message, content: markLast([{ type: "text", text: content }]) };
  return Array.isArray(content) ? { ...message, content: markLast(content as readonly JsonRecord[]) } : message;
}

/** Tokens. The limit when neither the person nor the gateway's list sets one; the messages family has the same. */
const requiredLimit = 8192;

function withLimit(options: ModelOptions = {}): ModelOptions {
  return { ...options, maxOutputTokens: options.maxOutputTokens ?? options.outputSize ?? requiredLimit };
}

function writeOptions(options: ModelOptions = {}, limit: string): JsonRecord {
  const { maxOutputTokens, temperature, thinking } = options;
  return {
    ...definedFields({ [limit]: maxOutputTokens, temperature }),
    ...(typeof thinking === "string" ? { reasoning_effort: thinking === "off" ? "none" : thinking } : {}),
  };
}

/** Writes the answer, directly followed by a result for each of its calls: services refuse anything else with a 400. */
function writeAnswer(turn: AssistantTurn, names: ToolNames, variant: ChatCompletionsVariant): readonly JsonRecord[] {
  const ids = wireIds(turn, variant);
  const assistant = writeAssistant(turn, ids, names, variant);
  if (assistant === undefined) return [];
  return [
    assistant,
    ...turn.results.map((result) => ({
      role: "tool",
      tool_call_id: ids.get(result.call),
      content: writeResult(result),
    })),
    ...writeResultImages(turn.results, names),
  ];
}

/** Writes a user message with the images, because results take text only. It ends with a text, because only texts can have cache marks. */
function writeResultImages(results: readonly CallResult[], names: ToolNames): readonly JsonRecord[] {
  const parts = results.flatMap(({ call, images }): readonly UserPart[] => {
    if (images.length === 0) return [];
    const what =
      images.length === 1 ? "The image before this text is" : `The ${images.length} images before this text are`;
    return [...images, { type: "text", text: `(${what} part of the result of ${names.toWire(call.name)}.)` }];
  });
  return parts.length === 0 ? [] : [{ role: "user", content: writeUserContent(parts) }];
}

function writeResult({ text, isError }: CallResult): string {
  // This family has no flag for an error.
  return isError && !/^error\b/i.test(text) ? `Error: ${text}` : text;
}

/** Writes a plain string when there is only text, because some gateways accept no other content. */
function writeUserContent(parts: readonly UserPart[]): unknown {
  const [first] = parts;
  if (parts.length === 1 && first?.type === "text") return first.text;
  return parts.map((part) =>
    part.type === "text"
      ? { type: "text", text: part.text }
      : { type: "image_url", image_url: { url: `data:${part.mimeType};base64,${part.data}` } },
  );
}

/**
 * The id of each call: the service's if the same model continues, else a generated one; unique in a message. A generated
 * id has nine letters and digits, which is the only form that Mistral accepts, and short enough for OpenAI.
 */
function wireIds(
  { parts, at, isOurs }: AssistantTurn,
  { madeIds }: ChatCompletionsVariant,
): ReadonlyMap<ToolCall, string> {
  const ids = new Map<ToolCall, string>();
  const used = new Set<string>();
  for (const part of parts) {
    if (part.type !== "tool-call") continue;
    const own = isOurs && !madeIds ? part.wireId : undefined;
    ids.set(part, uniqueId(own || madeId(at, ids.size), used));
  }
  return ids;
}

/** A generated id, which is the same each time that the history is sent. */
function madeId(message: number, call: number): string {
  return `c${message.toString(36).padStart(5, "0")}${call.toString(36).padStart(3, "0")}`;
}

function writeAssistant(
  turn: AssistantTurn,
  ids: ReadonlyMap<ToolCall, string>,
  names: ToolNames,
  { emptyContent, alwaysReasoning }: ChatCompletionsVariant,
): JsonRecord | undefined {
  const written = turn.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  // Gateways that translate for Claude pass white space on, which is refused there as an empty text.
  const text = written.trim() === "" ? "" : written;
  const calls = turn.parts.filter((part) => part.type === "tool-call");
  if (text === "" && calls.length === 0) return undefined;
  const echo = readEcho(turn);
  const callExtras = asRecord(echo["callExtraContent"]);
  const writeCall = (call: ToolCall): JsonRecord => ({
    id: ids.get(call),
    type: "function",
    function: { name: names.toWire(call.name), arguments: JSON.stringify(names.inputToWire(call.name, call.input)) },
    ...definedFields({ extra_content: callExtras?.[call.call] === undefined ? undefined : callExtras[call.call] }),
  });
  return {
    role: "assistant",
    content: text === "" ? emptyContent : text,
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(writeCall) }),
    ...writeReasoning(turn, echo, calls.length > 0, alwaysReasoning),
    ...definedFields({ extra_content: echo["extraContent"] }),
  };
}

/** `ChatCompletionsOpaque`, read as unknown data: it may come from a file. */
function readEcho({ parts }: AssistantTurn): JsonRecord {
  return Object.assign(
    {},
    ...parts.map((part) => (part.type === "opaque" ? (asRecord(part.data) ?? {}) : {})),
  ) as JsonRecord;
}

/** Writes `reasoning_content` next to tool calls even when it is empty, because thinking models refuse the history without it. */
function writeReasoning({ parts }: AssistantTurn, echo: JsonRecord, hasCalls: boolean, always: boolean): JsonRecord {
  const text = parts.map((part) => (part.type === "reasoning" ? part.text : "")).join("");
  const isWanted = hasCalls && (always || asText(echo["reasoningField"]) === "reasoning_content");
  return {
    ...(isWanted ? { reasoning_content: text } : {}),
    ...(Array.isArray(echo["reasoningDetails"]) ? { reasoning_details: echo["reasoningDetails"] as unknown } : {}),
  };
}

// Lists the variants of the request, and which refusal leads to which.

type LimitField = "max_tokens" | "max_completion_tokens";

export interface ChatCompletionsVariant extends SystemVariant {
  /** `stream_options` requests the token counts of a stream; strict servers refuse the field. */
  readonly streamOptions: boolean;
  /** `content` of a message that has only tool calls. */
  readonly emptyContent: "" | null;
  /** Messages with tool calls have `reasoning_content`, also when it is empty: some thinking models require it. */
  readonly alwaysReasoning: boolean;
  /** All ids of calls are generated, also those of the model's own calls. */
  readonly madeIds: boolean;
  /** A limit is sent even if the person set none, because gateways that translate for Claude require one. */
  readonly alwaysLimit: boolean;
  /** Messages are marked for the prompt cache if the model accepts marks. */
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

/** By default only models with Claude's names get marks. Other services cache without marks, and some refuse the field. */
function takesCacheMarks({ cacheMarks }: ChatCompletionsVariant, { model, options }: ChatRequest): boolean {
  return cacheMarks && (options?.promptCache ?? /claude|anthropic/i.test(model));
}

/** Thinking models refuse the older name, and many servers accept only the older name. */
function limitFieldOf(variant: ChatCompletionsVariant, model: string): LimitField {
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
      message.parts.every((part) => part.type !== "text" || part.text.trim() === ""),
  );
}

const withOtherLimit: VariantRule<ChatCompletionsVariant> = {
  // A refusal of a limit that is too high names the field as well, but another field does not help then.
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

const limitAlways: VariantRule<ChatCompletionsVariant> = {
  matches: (error) =>
    isRefusalOf(error, /max_(?:completion_)?tokens/) &&
    isRefusalOf(error, /\b(?:required|missing|must be (?:set|given))\b/i),
  change: (variant, { options }) =>
    options?.maxOutputTokens === undefined && !variant.alwaysLimit ? { ...variant, alwaysLimit: true } : undefined,
};

const withoutMarks: VariantRule<ChatCompletionsVariant> = {
  // Marks need the content as parts, which some servers accept only for prompts.
  matches: (error) => isRefusalOf(error, /cache_control|\bcontent\b[^]{0,80}\bstr(?:ing)?\b/i),
  change: (variant, request) => (takesCacheMarks(variant, request) ? { ...variant, cacheMarks: false } : undefined),
};

const chatCompletionsRules = [
  ...imageRules<ChatCompletionsVariant>(),
  withoutMarks,
  withoutUsage,
  withAllReasoning,
  withEmptyContent,
  withOtherLimit,
  limitAlways,
  withMadeIds,
  systemIntoPrompt<ChatCompletionsVariant>(),
  ...leaveOutRefused<ChatCompletionsVariant>(),
];

// Defines the family for the registry.

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
