/** The messages family: writes the history as the body of `POST /v1/messages`, lists the variants of the request, and registers the family. */
import type { AssistantPart, ChatRequest, ToolDeclaration, UserPart } from "../../domain/chat/message";
import type { PictureType } from "../../domain/media/pictureTypes";
import { asRecord, asText, type JsonRecord } from "../../base/jsonValue";
import {
  withoutBrokenCharacters,
  cleanValue,
  alternate,
  type AssistantTurn,
  type CallResult,
  hasPaused,
  normaliseHistory,
  type RoleTurn,
  type ToolCall,
  type Turn,
  markLast,
  placesOfMarks,
} from "./normaliseHistory";
import { whyWithoutImage, imageRules } from "./imageRules";
import { createToolNames, type ToolNames, uniqueId } from "./toolNames";
import { definedFields } from "../../base/definedFields";
import type { ModelOptions } from "../../domain/chat/modelOptions";
import { leaveOutRefused } from "./refusedParts";
import {
  baseVariant,
  moveKey,
  isRefusalOf,
  omitOlderSignatures,
  type RequestVariant,
  type VariantRule,
  type FamilyDefinition,
} from "./familyDefinition";
import { MessagesDecoder } from "./messagesDecoder";

/** The types that this family's documentation lists; the chat may take other types. */
const imageTypes: ReadonlySet<string> = new Set<PictureType>(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const thinkingTypes = new Set(["thinking", "redacted_thinking"]);
const serverCalls = new Set(["server_tool_use", "mcp_tool_use"]);

export function buildMessagesRequest(
  request: ChatRequest,
  variant: MessagesVariant = firstMessagesVariant,
): JsonRecord {
  const { family, model } = request;
  // This family refuses a forced call together with thinking.
  const { thinking, ...unthinking } = request.options ?? {};
  const options = request.mustCallTool ? unthinking : request.options;
  const keepData = (data: unknown): unknown =>
    variant.refusedSignatures.has(readSignature(data) ?? "") ? undefined : data;
  const names = createToolNames(request.tools);
  const { tools } = names;
  const { system, turns } = normaliseHistory(request.messages, {
    family,
    model,
    keepData,
    whyWithout: whyWithoutImage(variant, imageTypes),
  });
  const isMarked = variant.cacheMarks && request.options?.promptCache !== false;
  // All marks have the same time: the service refuses a longer one after a shorter one.
  const ttl = request.keepsLong && variant.longMarks ? "1h" : undefined;
  const mark: Mark | undefined = isMarked ? (blocks) => markLast(blocks, ttl) : undefined;
  const instructions = system.join("\n\n");
  return {
    model,
    ...writeMessagesOptions(options, variant),
    ...(system.length === 0
      ? {}
      : {
          // One mark covers the tools as well, which come before it.
          system: mark ? mark([{ type: "text", text: instructions }]) : instructions,
        }),
    messages: writeMessages(turns, names, mark),
    stream: true,
    ...(tools.length === 0 ? {} : { tools: tools.map((tool) => writeTool(tool, names)) }),
    ...(request.mustCallTool && tools.length > 0 ? { tool_choice: { type: "any" } } : {}),
  };
}

function writeTool({ name, description, parameters }: ToolDeclaration, names: ToolNames): JsonRecord {
  return {
    name: names.toWire(name),
    ...(description === "" ? {} : { description: withoutBrokenCharacters(description) }),
    input_schema: { properties: {}, ...asRecord(cleanValue(parameters)), type: "object" },
  };
}

type Mark = (blocks: readonly JsonRecord[]) => readonly JsonRecord[];

function writeMessages(turns: readonly Turn[], names: ToolNames, markEnd: Mark | undefined): readonly JsonRecord[] {
  const writeIds = createIds();
  const written = turns.flatMap((turn): readonly RoleTurn<JsonRecord>[] => {
    const mark = definedFields({ cacheMark: turn.cacheMark });
    if (turn.role === "user") return [{ user: true, parts: turn.parts.map(writeUserPart), ...mark }];
    const ids = writeIds(turn);
    const parts = writeAssistant(turn.parts, ids, names);
    if (parts.length === 0) return [];
    const answer = { user: false, parts, ...mark };
    // All results come first in the next user message.
    const results = turn.results.map((result) => ({
      type: "tool_result",
      tool_use_id: ids.get(result.call),
      ...writeContent(result),
      ...(result.isError ? { is_error: true } : {}),
    }));
    return results.length === 0
      ? [answer]
      : [
          { user: false, parts },
          { user: true, parts: results, ...mark },
        ];
  });
  const all = alternate<JsonRecord>(written, { type: "text", text: "Continue." }, hasPaused(turns.at(-1)));
  const marked = markEnd ? placesOfMarks(all.map(({ user, ...turn }) => ({ isAnswer: !user, ...turn }))) : undefined;
  return all.map(({ user, parts }, index) => {
    const blocks = user ? parts : endAnswer(parts, index === all.length - 1);
    const content = marked?.has(index) && markEnd ? markEnd(blocks) : blocks;
    return { role: user ? "user" : "assistant", content };
  });
}

/** Writes blocks only if there is an image, because some relays accept only a text. */
function writeContent({ text, images }: CallResult): JsonRecord {
  const isEmpty = text.trim() === "";
  if (images.length === 0) return isEmpty ? {} : { content: text };
  return { content: [...(isEmpty ? [] : [{ type: "text", text }]), ...images.map(writeUserPart)] };
}

function writeUserPart(part: UserPart): JsonRecord {
  if (part.type === "text") return { type: "text", text: part.text };
  const { mimeType, data } = part;
  return { type: "image", source: { type: "base64", media_type: mimeType, data } };
}

/** Writes the blocks in their order. Thinking is sent back unchanged, but a message may not end with it. */
function writeAssistant(
  parts: readonly AssistantPart[],
  ids: ReadonlyMap<ToolCall, string>,
  names: ToolNames,
): readonly JsonRecord[] {
  const blocks = parts.flatMap((part): readonly JsonRecord[] => {
    switch (part.type) {
      case "text":
        return part.text.trim() === "" ? [] : [{ type: "text", text: part.text }];
      case "tool-call":
        return [
          {
            type: "tool_use",
            id: ids.get(part),
            name: names.toWire(part.name),
            input: names.inputToWire(part.name, part.input),
          },
        ];
      case "opaque":
        return readOpaque(part.data);
      // The opaque block after it contains the thinking, if it may be sent back.
      case "reasoning":
      // The family has no block for it.
      case "media":
        return [];
    }
  });
  return withoutThinkingAtEnd(blocks);
}

function withoutThinkingAtEnd(blocks: readonly JsonRecord[]): readonly JsonRecord[] {
  return blocks.slice(0, blocks.findLastIndex(({ type }) => !thinkingTypes.has(String(type))) + 1);
}

/** A block of this family's decoder, read as unknown data: it may come from a file. */
function readOpaque(data: unknown): readonly JsonRecord[] {
  const block = asRecord(data);
  const type = asText(block?.["type"]);
  if (block === undefined || type === undefined || type === "text" || type === "tool_use") return [];
  return type === "thinking" && asText(block["signature"]) === undefined ? [] : [block];
}

/** The id of each call: the service's if its characters are allowed, a generated one for calls of other families; unique in a conversation. */
function createIds(): (turn: AssistantTurn) => ReadonlyMap<ToolCall, string> {
  const used = new Set<string>();
  return ({ family, parts, at }) => {
    const ids = new Map<ToolCall, string>();
    for (const part of parts) {
      if (part.type !== "tool-call") continue;
      const { wireId } = part;
      const isOwn = family === "messages" && wireId !== undefined && /^[A-Za-z0-9_-]{1,64}$/.test(wireId);
      ids.set(part, uniqueId(isOwn ? wireId : `toolu_${at}_${ids.size}`, used));
    }
    return ids;
  };
}

/**
 * Drops calls of the service's own tools that have no result, and results without their call: services refuse both before
 * other messages. A paused answer at the end keeps its open calls, but its text may not end with a space.
 */
function endAnswer(blocks: readonly JsonRecord[], isLast: boolean): readonly JsonRecord[] {
  const called = new Set<unknown>();
  const kept = blocks.filter(({ type, id, tool_use_id: resultOf }, at) => {
    if (!serverCalls.has(String(type))) return resultOf === undefined || called.has(resultOf);
    const isKept = isLast || blocks.some((block, place) => place > at && block["tool_use_id"] === id);
    if (isKept) called.add(id);
    return isKept;
  });
  const content = withoutThinkingAtEnd(kept);
  const text = isLast ? asText(content.at(-1)?.["text"]) : undefined;
  if (text !== undefined) return content.with(-1, { type: "text", text: text.trimEnd() });
  return content.length > 0 ? content : [{ type: "text", text: "(Nothing was said.)" }];
}

/** Tokens. The limit is required and includes the thinking. */
const leastLimit = 8192;
const leastBudget = 1024;
const budgets = { low: 4096, medium: 8192, high: 24_576 } as const;

function writeMessagesOptions(options: ModelOptions = {}, { thinkingBudget }: MessagesVariant): JsonRecord {
  const { temperature, thinking } = options;
  const effort = thinking === "off" || typeof thinking !== "string" ? undefined : thinking;
  const wanted = effort === undefined ? 0 : budgets[effort];
  const limit = options.maxOutputTokens ?? Math.max(leastLimit, options.outputSize ?? leastLimit + wanted);
  return {
    max_tokens: limit,
    ...definedFields({ temperature }),
    ...(thinking === "off" ? { thinking: { type: "disabled" } } : {}),
    ...(effort === undefined ? {} : thinkingBudget ? writeBudget(wanted, limit) : writeEffort(effort)),
  };
}

function writeEffort(effort: keyof typeof budgets): JsonRecord {
  // The newest models omit the thinking unless a display is requested.
  return { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort } };
}

/** Reserves tokens for the answer itself; without room for both, thinking is off. */
function writeBudget(wanted: number, limit: number): JsonRecord {
  const budget = Math.min(wanted, limit - leastBudget);
  return budget < leastBudget ? {} : { thinking: { type: "enabled", budget_tokens: budget } };
}

// Lists the variants of the request, and which refusal leads to which.

export interface MessagesVariant extends RequestVariant {
  /** Older models take a token budget for thinking, newer ones an effort. */
  readonly thinkingBudget: boolean;
  /** Blocks are marked for the prompt cache. */
  readonly cacheMarks: boolean;
  /** A mark may ask for an hour. */
  readonly longMarks: boolean;
}

export const firstMessagesVariant: MessagesVariant = {
  ...baseVariant,
  thinkingBudget: false,
  cacheMarks: true,
  longMarks: true,
};

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
  change: (variant, request) => omitOlderSignatures(variant, request, readSignature),
};

const withoutLongMarks: VariantRule<MessagesVariant> = {
  // Relays may accept marks but not the hour; the refusal names the mark, or only its field.
  matches: (error) => isRefusalOf(error, /cache_control|\bttl\b|extended-cache/i),
  change: (variant, { keepsLong }) =>
    keepsLong && variant.cacheMarks && variant.longMarks ? { ...variant, longMarks: false } : undefined,
};

const withoutMarks: VariantRule<MessagesVariant> = {
  // A mark makes the system prompt a list of blocks, but some relays accept only a text.
  matches: (error) => isRefusalOf(error, /cache_control|\bsystem\b[^]{0,80}\bstr(?:ing)?\b/i),
  change: (variant) => (variant.cacheMarks ? { ...variant, cacheMarks: false } : undefined),
};

/** The default of `anthropic-version`. From `2026-10-21` on, a temperature is refused. */
const defaultVersion = "2023-06-01";

const withNamedVersion: VariantRule<MessagesVariant> = {
  matches: (error) => isRefusalOf(error, /anthropic-version/i),
  change(variant, _request, { message }) {
    const sent = variant.headerVersion ?? defaultVersion;
    const named = message.match(/\b\d{4}-\d{2}-\d{2}\b/g)?.find((date) => date !== sent);
    return named === undefined ? undefined : { ...variant, headerVersion: named };
  },
};

const messagesRules = [
  ...imageRules<MessagesVariant>(),
  withoutLongMarks,
  withoutMarks,
  withBudget,
  withoutOlderThinking,
  withNamedVersion,
  moveKey<MessagesVariant>("x-api-key"),
  ...leaveOutRefused<MessagesVariant>(),
];

/**
 * The signature in the opaque data of the messages family: the service checks it when the block is sent back. Redacted thinking is its
 * own signature.
 */
export function readSignature(data: unknown): string | undefined {
  const record = asRecord(data);
  if (record?.["type"] === "redacted_thinking") return asText(record["data"]);
  return record?.["type"] === "thinking" ? asText(record["signature"]) : undefined;
}

// Defines the family for the registry.

interface MessagesSettings {
  /** The only place of the key, because relays choose unpredictably between two. When left out, the other one is tried after a 401. */
  readonly authentication?: "bearer" | "x-api-key";
  /** The header `anthropic-version`. When left out, one that a refusal names is tried. */
  readonly version?: string;
}

export const messagesFamily: FamilyDefinition<MessagesVariant, MessagesSettings> = {
  family: "messages",
  firstVariant: firstMessagesVariant,
  variantRules: messagesRules,
  createDecoder: (answer) => new MessagesDecoder(answer),
  writeRequest: (request, variant) => ({
    path: "/messages",
    headers: { "anthropic-version": variant.headerVersion ?? defaultVersion },
    keyPlace: variant.keyPlace,
    body: buildMessagesRequest(request, variant),
  }),
  accessOf: ({ authentication, version }) => definedFields({ keyPlace: authentication, headerVersion: version }),
};
