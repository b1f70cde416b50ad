/** Reads the body of a messages request into a conversation. */
import * as z from "zod/mini";
import { definedFields } from "../../../base/definedFields";
import { invalidRequest } from "../../http/httpError";
import { hasFamily } from "../../demo/models";
import { readWire, withoutNulls } from "../../http/readWire";
import type { ModelRequest, ToolChoice } from "../../conversation/conversation";
import { noSuchModel } from "../modelRoutes";
import type { Prefix } from "../promptCache";
import type { AnswerSignatures } from "../answerSignatures";
import { countTokens } from "../tokens";
import {
  blockText,
  type WireMessage,
  messageSchema,
  systemMessageSchema,
  turnsOf,
  type UserBlock,
} from "./contentBlocks";
import { withOwnTools } from "./ownTools";
import { checkThinking } from "./thinkingCheck";

const count = z.int().check(z.positive());
const cacheControl = z.optional(z.nullable(z.looseObject({ type: z.literal("ephemeral") })));
const systemBlock = z.looseObject({ type: z.literal("text"), text: z.string(), cache_control: cacheControl });
const display = z.optional(z.nullable(z.enum(["summarized", "omitted"])));
const thinkingSchema = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("enabled"), budget_tokens: z.int().check(z.minimum(1024)), display }),
  z.looseObject({ type: z.literal("adaptive"), display }),
  z.looseObject({ type: z.enum(["disabled", "between_tools"]) }),
]);
const alone = z.optional(z.boolean());
const choiceSchema = z.discriminatedUnion("type", [
  z.looseObject({ type: z.enum(["auto", "any"]), disable_parallel_tool_use: alone }),
  z.looseObject({ type: z.literal("tool"), name: z.string(), disable_parallel_tool_use: alone }),
  z.looseObject({ type: z.literal("none") }),
]);
const toolSchema = z.looseObject({
  type: z.optional(z.nullable(z.literal("custom"))),
  name: z.string().check(z.regex(/^[a-zA-Z0-9_-]{1,128}$/)),
  description: z.optional(z.string()),
  input_schema: z.looseObject({ type: z.literal("object") }),
  cache_control: cacheControl,
});
const formatSchema = z.looseObject({ type: z.literal("json_schema"), schema: z.record(z.string(), z.unknown()) });

const requestSchema = z.looseObject({
  model: z.string(),
  max_tokens: count,
  messages: z.array(z.discriminatedUnion("role", [messageSchema, systemMessageSchema])).check(z.minLength(1)),
  system: z.optional(z.union([z.string(), z.array(systemBlock)])),
  stream: z.optional(z.boolean()),
  tools: z.optional(z.array(toolSchema)),
  tool_choice: z.optional(choiceSchema),
  thinking: z.optional(thinkingSchema),
  stop_sequences: z.optional(z.array(z.string())),
  temperature: z.optional(z.number().check(z.minimum(0), z.maximum(1))),
  top_p: z.optional(z.number()),
  top_k: z.optional(z.number()),
  output_config: z.optional(z.looseObject({ format: z.optional(z.nullable(formatSchema)) })),
});
type MessageBody = z.infer<typeof requestSchema>;

export interface MessagesRequest extends ModelRequest {
  /** Thinking blocks are sent with a signature and without text. */
  readonly omitThinking: boolean;
  /** The prefixes marked with `cache_control`, shortest first. */
  readonly prefixes: readonly Prefix[];
}

export interface MessagesContext {
  readonly seed: number;
  readonly signatures: AnswerSignatures;
  /** The header `anthropic-version`. */
  readonly version: string | undefined;
}

/** Throws the 400 or 404 of a strict service. */
export function readMessagesRequest(body: unknown, { seed, signatures, version }: MessagesContext): MessagesRequest {
  const request = readWire(requestSchema, withOwnTools(withoutNulls(body)));
  if (!hasFamily(request.model, "messages")) throw noSuchModel(request.model, "messages");
  checkSampling(request, version);
  checkBudget(request);
  if (request.messages[0]?.role === "system")
    throw invalidRequest("messages.0.role: the first message must be of the role user.");
  const messages = merged(request.messages.filter((message) => message.role !== "system"));
  checkToolOrder(messages);
  checkThinking(messages, { thinks: request.thinking?.type === "enabled", signatures });
  const { thinking, tool_choice: choice, output_config: output } = request;
  const format = output?.format ?? undefined;
  const hasDisplay = thinking?.type === "enabled" || thinking?.type === "adaptive";
  return {
    model: request.model,
    stream: request.stream === true,
    maxTokens: request.max_tokens,
    stops: request.stop_sequences ?? [],
    omitThinking: hasDisplay && thinking.display === "omitted",
    prefixes: markedPrefixes(request),
    conversation: {
      turns: [...systemTurns(request.system), ...systemMessages(request), ...turnsOf(messages)],
      tools: (request.tools ?? []).map(({ name, description = "", input_schema: parameters }) => ({
        name,
        description,
        parameters,
      })),
      toolChoice: readChoice(choice),
      parallel: choice === undefined || choice.type === "none" || choice.disable_parallel_tool_use !== true,
      thinking: hasDisplay,
      seed,
      ...definedFields({ json: format === undefined ? undefined : { schema: format.schema } }),
    },
  };
}

function readChoice(choice: MessageBody["tool_choice"]): ToolChoice {
  if (choice === undefined || choice.type === "auto") return "auto";
  if (choice.type === "tool") return { name: choice.name };
  return choice.type === "any" ? "required" : "none";
}

/** The API version 2026-10-21 has no sampling parameters. */
function checkSampling(request: MessageBody, version: string | undefined): void {
  if (version === undefined || version < "2026-10-21") return;
  for (const name of ["temperature", "top_p", "top_k"] as const) {
    if (request[name] !== undefined) throw invalidRequest(`${name}: is not supported in version ${version}.`, name);
  }
}

function checkBudget({ thinking, tool_choice: choice, max_tokens: maxTokens }: MessageBody): void {
  if (thinking?.type === "enabled" && thinking.budget_tokens >= maxTokens) {
    throw invalidRequest("max_tokens: must be greater than thinking.budget_tokens.", "max_tokens");
  }
  const isForced = choice?.type === "any" || choice?.type === "tool";
  if (isForced && (thinking?.type === "enabled" || thinking?.type === "adaptive")) {
    throw invalidRequest("tool_choice: a forced tool can't be had together with thinking.", "tool_choice");
  }
}

/** Joins consecutive messages of one role. */
function merged(messages: readonly WireMessage[]): readonly WireMessage[] {
  const result: WireMessage[] = [];
  for (const message of messages) {
    const last = result.at(-1);
    if (last?.role === "user" && message.role === "user") {
      result[result.length - 1] = { role: "user", content: [...last.content, ...message.content] };
    } else if (last?.role === "assistant" && message.role === "assistant") {
      result[result.length - 1] = { role: "assistant", content: [...last.content, ...message.content] };
    } else result.push(message);
  }
  if (result[0]?.role !== "user") throw invalidRequest("messages: the first message must be of the role user.");
  return result;
}

/** The results of all tool calls come first in the next message. */
function checkToolOrder(messages: readonly WireMessage[]): void {
  for (const [index, message] of messages.entries()) {
    if (message.role === "assistant") {
      const answered = new Set(leadingResults(messages[index + 1]).map(({ tool_use_id }) => tool_use_id));
      const ids = message.content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
      const open = ids.filter((id) => !answered.has(id));
      if (open.length > 0) {
        throw invalidRequest(
          `messages.${index}: \`tool_use\` ids without \`tool_result\` blocks immediately after: ${open.join(", ")}. ` +
            "Each `tool_use` block must have its `tool_result` block in the next message.",
          "messages",
        );
      }
      continue;
    }
    const before = messages[index - 1];
    const callIds =
      before?.role === "assistant" ? before.content.flatMap((b) => (b.type === "tool_use" ? [b.id] : [])) : [];
    const stray = message.content.find((block) => block.type === "tool_result" && !callIds.includes(block.tool_use_id));
    if (stray?.type === "tool_result") {
      throw invalidRequest(
        `messages.${index}: \`tool_result\` without its \`tool_use\` in the message before: ${stray.tool_use_id}.`,
        "messages",
      );
    }
  }
}

function leadingResults(message: WireMessage | undefined): readonly Extract<UserBlock, { type: "tool_result" }>[] {
  if (message?.role !== "user") return [];
  const end = message.content.findIndex(({ type }) => type !== "tool_result");
  return message.content
    .slice(0, end < 0 ? undefined : end)
    .flatMap((block) => (block.type === "tool_result" ? [block] : []));
}

function systemTurns(system: MessageBody["system"]): ModelRequest["conversation"]["turns"] {
  const text = typeof system === "string" ? system : (system ?? []).map((block) => block.text).join("\n\n");
  return text === "" ? [] : [{ role: "system", text, images: [] }];
}

/** What the operator says in the course of the conversation counts as if it stood at its beginning. */
function systemMessages({ messages }: MessageBody): ModelRequest["conversation"]["turns"] {
  return messages.flatMap((message) =>
    message.role === "system" ? systemTurns(message.content.map(({ text }) => text).join("\n\n")) : [],
  );
}

const maxMarks = 4;

function markedPrefixes(request: MessageBody): readonly Prefix[] {
  const prefixes = prefixesOf(request);
  if (prefixes.length <= maxMarks) return prefixes;
  throw invalidRequest(`A maximum of ${maxMarks} blocks with cache_control may be provided. Found ${prefixes.length}.`);
}

/** Tools, system and messages in this order, up to each `cache_control`. */
function prefixesOf({ tools = [], system = [], messages }: MessageBody): readonly Prefix[] {
  const pieces: { readonly text: string; readonly marked: boolean }[] = [
    ...tools.map(({ cache_control: mark, ...tool }) => ({ text: JSON.stringify(tool), marked: Boolean(mark) })),
    ...(typeof system === "string" ? [{ text: system, marked: false }] : system.map(piece)),
    ...messages.flatMap(({ content }) => content.map(piece)),
  ];
  const prefixes: Prefix[] = [];
  let text = "";
  let tokens = 0;
  for (const { text: next, marked } of pieces) {
    text += `${next}\0`;
    tokens += countTokens(next) + 4;
    if (marked) prefixes.push({ text, tokens });
  }
  return prefixes;
}

function piece(block: z.infer<typeof systemBlock> | WireMessage["content"][number]): {
  readonly text: string;
  readonly marked: boolean;
} {
  // A mark is no part of the prompt: without it in the next request, the prefix is the same.
  const { cache_control: mark, ...rest } = { cache_control: undefined, ...block };
  return { text: blockText(rest), marked: Boolean(mark) };
}
