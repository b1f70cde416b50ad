/** Reads the body of a messages request into a conversation: content blocks, Anthropic's own tools, thinking blocks with their signatures. */
import * as z from "zod/mini";
import { definedFields } from "../../../base/definedFields";
import { invalidRequest, type HttpError } from "../../http/httpError";
import { hasFamily } from "../../demo/models";
import { readWire, withoutNulls } from "../../http/requestContext";
import type { ModelRequest, ToolChoice, ConversationTurn } from "../../demo/conversation";
import { noSuchModel } from "../modelRoutes";
import type { Prefix } from "../chatServices";
import type { AnswerSignatures } from "../answerSignatures";
import { textTokens } from "../streamAnswer";
import { readImageData, type PromptImage } from "../../demo/images";
import { asArray, asRecord, asText, type JsonRecord } from "../../../base/jsonValue";

// Reads the content blocks of the messages family into the turns of a conversation.

const text = z.looseObject({ type: z.literal("text"), text: z.string().check(z.minLength(1)) });
const imageSource = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("base64"), media_type: z.string(), data: z.string() }),
  z.looseObject({ type: z.literal("url"), url: z.url() }),
]);
const image = z.looseObject({ type: z.literal("image"), source: imageSource });
const document = z.looseObject({
  type: z.literal("document"),
  title: z.nullish(z.string()),
  source: z.looseObject({
    type: z.string(),
    data: z.optional(z.string()),
    content: z.optional(z.union([z.string(), z.array(z.looseObject({ text: z.optional(z.string()) }))])),
  }),
});
/** A result of the client's own search. */
const searchResult = z.looseObject({
  type: z.literal("search_result"),
  source: z.string(),
  title: z.string(),
  content: z.array(text),
});
/** A tool, by its name, that the client's own search has found. */
const toolReference = z.looseObject({ type: z.literal("tool_reference"), tool_name: z.string() });
const toolResult = z.looseObject({
  type: z.literal("tool_result"),
  tool_use_id: z.string(),
  content: z.optional(
    z.union([z.string(), z.array(z.discriminatedUnion("type", [text, image, document, searchResult, toolReference]))]),
  ),
  is_error: z.optional(z.boolean()),
});
const userBlock = z.discriminatedUnion("type", [text, image, document, searchResult, toolResult]);
const assistantBlock = z.discriminatedUnion("type", [
  text,
  z.looseObject({ type: z.literal("thinking"), thinking: z.string(), signature: z.string() }),
  z.looseObject({ type: z.literal("redacted_thinking"), data: z.string() }),
  z.looseObject({
    type: z.literal("tool_use"),
    id: z.string().check(z.regex(/^[a-zA-Z0-9_-]+$/)),
    name: z.string(),
    input: z.record(z.string(), z.unknown()),
  }),
]);

type UserBlock = z.infer<typeof userBlock>;
type AssistantBlock = z.infer<typeof assistantBlock>;

const messageSchema = z.discriminatedUnion("role", [
  z.looseObject({ role: z.literal("user"), content: z.pipe(z.transform(asBlocks), z.array(userBlock)) }),
  z.looseObject({ role: z.literal("assistant"), content: z.pipe(z.transform(asBlocks), z.array(assistantBlock)) }),
]);

/** A message of the operator between two messages of the conversation. Claude Code sends its reminders this way. */
const systemMessageSchema = z.looseObject({
  role: z.literal("system"),
  content: z.pipe(z.transform(asBlocks), z.array(text)),
});

type WireMessage =
  | { readonly role: "user"; readonly content: readonly UserBlock[] }
  | { readonly role: "assistant"; readonly content: readonly AssistantBlock[] };

function asBlocks(content: unknown): unknown {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

/** The text of a block for counting tokens and for the prompt cache. */
function blockText(block: UserBlock | AssistantBlock): string {
  return block.type === "text" ? block.text : JSON.stringify(block);
}

function turnsOf(messages: readonly WireMessage[]): readonly ConversationTurn[] {
  return messages.flatMap((message, index): readonly ConversationTurn[] =>
    message.role === "assistant" ? [assistantTurn(message.content)] : userTurns(message.content, `messages.${index}`),
  );
}

function assistantTurn(blocks: readonly AssistantBlock[]): ConversationTurn {
  return {
    role: "assistant",
    text: blocks.map((block) => (block.type === "text" ? block.text : "")).join(""),
    calls: blocks.flatMap((block) =>
      block.type === "tool_use" ? [{ id: block.id, name: block.name, arguments: JSON.stringify(block.input) }] : [],
    ),
  };
}

/** Tool results come first; text after them is a separate user turn. */
function userTurns(blocks: readonly UserBlock[], field: string): readonly ConversationTurn[] {
  const results: ConversationTurn[] = [];
  const texts: string[] = [];
  const images: PromptImage[] = [];
  for (const [index, block] of blocks.entries()) {
    const at = `${field}.content.${index}`;
    if (block.type === "tool_result") {
      const content = block.content ?? "";
      const shown = imagesIn(content, at);
      results.push({
        role: "tool",
        callId: block.tool_use_id,
        text: resultText(content),
        ...definedFields({
          images: shown.length === 0 ? undefined : shown,
          failed: block.is_error === true ? true : undefined,
        }),
      });
    } else if (block.type === "text") texts.push(block.text);
    else if (block.type === "image") images.push(seen(block, at));
    else {
      const written = writtenIn(block);
      if (written === undefined) {
        throw invalidRequest(`${at}.source.type: of documents only texts are supported by this model.`, at);
      }
      texts.push(written);
    }
  }
  const prompt = texts.length + images.length === 0 ? [] : [{ role: "user", text: texts.join("\n"), images } as const];
  return [...results, ...prompt];
}

type ResultContent = NonNullable<z.infer<typeof toolResult>["content"]>;

function resultText(content: ResultContent): string {
  if (typeof content === "string") return content;
  return content.flatMap((block) => (block.type === "text" ? [block.text] : writeOther(block))).join("\n");
}

function writeOther(block: Exclude<Exclude<ResultContent, string>[number], { type: "text" }>): readonly string[] {
  if (block.type === "tool_reference") return [`[the tool ${block.tool_name}]`];
  return block.type === "image" ? [] : [writtenIn(block) ?? "[a document]"];
}

/** The text of a document or a search result; `undefined` for a PDF and the like. */
function writtenIn(block: z.infer<typeof document> | z.infer<typeof searchResult>): string | undefined {
  if (block.type === "search_result") {
    return [block.title, block.source, ...block.content.map((one) => one.text)].join("\n");
  }
  const { type, data, content } = block.source;
  if (type === "text") return data;
  if (type !== "content" || content === undefined) return undefined;
  return typeof content === "string" ? content : content.flatMap((one) => one.text ?? []).join("\n");
}

function imagesIn(content: ResultContent, field: string): readonly PromptImage[] {
  if (typeof content === "string") return [];
  return content.flatMap((block, index) => (block.type === "image" ? [seen(block, `${field}.content.${index}`)] : []));
}

function seen({ source }: z.infer<typeof image>, field: string): PromptImage {
  if (source.type === "url") return { kind: "address" };
  return readImageData(source.media_type, source.data, `${field}.source.${source.type}`);
}

const count = z.int().check(z.positive());
const cacheControl = z.optional(
  z.nullable(z.looseObject({ type: z.literal("ephemeral"), ttl: z.optional(z.enum(["5m", "1h"])) })),
);
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

interface MessagesRequest extends ModelRequest {
  /** Whether thinking blocks are sent with a signature and without text. */
  readonly omitThinking: boolean;
  /** The prefixes marked with `cache_control`, shortest first. */
  readonly prefixes: readonly Prefix[];
}

interface MessagesContext {
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

/** Refuses sampling parameters from API version 2026-10-21 on. */
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

/** Checks that the results of all tool calls come first in the next message. */
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

/** Messages of the operator during the conversation, which count as if they were at its beginning. */
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

/** The prefixes up to each `cache_control`: tools, system and messages in this order. */
function prefixesOf({ tools = [], system = [], messages }: MessageBody): readonly Prefix[] {
  const pieces: PromptPiece[] = [
    ...tools.map(({ cache_control: mark, ...tool }) => ({ text: JSON.stringify(tool), mark })),
    ...(typeof system === "string" ? [{ text: system, mark: undefined }] : system.map(piece)),
    ...messages.flatMap(({ content }) => content.map(piece)),
  ];
  const prefixes: Prefix[] = [];
  let text = "";
  let tokens = 0;
  for (const { text: next, mark } of pieces) {
    text += `${next}\0`;
    tokens += textTokens(next) + 4;
    if (mark) prefixes.push({ text, tokens, ...(mark.ttl === "1h" ? { isLong: true } : {}) });
  }
  return prefixes;
}

interface PromptPiece {
  readonly text: string;
  readonly mark: z.infer<typeof cacheControl>;
}

function piece(block: z.infer<typeof systemBlock> | WireMessage["content"][number]): PromptPiece {
  // A mark is no part of the prompt, so the prefix stays the same when the next request lacks the mark.
  const { cache_control: mark, ...rest } = { cache_control: undefined, ...block };
  return { text: blockText(rest), mark };
}

// Anthropic's own tools have a type and no schema. Tools of the client get a schema; tools that the service would run are left out.

const textInput = { type: "string" };
const fileCommands = { type: "string", enum: ["view", "create", "str_replace", "insert"] };
const files = {
  description: "Views and edits files.",
  input_schema: {
    type: "object",
    properties: {
      command: fileCommands,
      path: textInput,
      file_text: textInput,
      old_str: textInput,
      new_str: textInput,
      insert_text: textInput,
    },
    required: ["command", "path"],
  },
};
const shell = {
  description: "Runs a command.",
  input_schema: { type: "object", properties: { command: textInput, restart: { type: "boolean" } } },
};

/** The schemas of tools that the client runs, by the type without its date. */
const ofTheClient: Readonly<Record<string, JsonRecord>> = { bash: shell, text_editor: files, memory: files };
const ofTheService = /^(?:web_search|web_fetch|code_execution|tool_search_tool_(?:regex|bm25))$/;

/** Replaces these tools by custom ones. Any other type stays, and the schema refuses it. */
function withOwnTools(body: unknown): unknown {
  const fields = asRecord(body);
  if (!Array.isArray(fields?.["tools"])) return body;
  const tools = asArray(fields["tools"]).flatMap((one) => {
    const tool = asRecord(one);
    const type = asText(tool?.["type"])?.replace(/_\d{8}$/, "") ?? "";
    if (ofTheService.test(type)) return [];
    return Object.hasOwn(ofTheClient, type) ? [{ ...tool, ...ofTheClient[type], type: "custom" }] : [one];
  });
  return { ...fields, tools };
}

// Checks the thinking blocks that a client sends back: each must have its signature and be unchanged.

const kind = "thinking";

/** `shown`: the text that the client receives. */
export function signThinking(signatures: AnswerSignatures, thinking: string, shown: string): string {
  return signatures.sign(kind, shown, thinking);
}

interface ThinkingCheck {
  /** Whether thinking is enabled by a budget: then each assistant message in an open tool loop must begin with a thinking block. */
  readonly thinks: boolean;
  readonly signatures: AnswerSignatures;
}

/** Checks only the current tool loop, because thinking blocks of earlier turns may be changed or missing. */
function checkThinking(messages: readonly WireMessage[], { thinks, signatures }: ThinkingCheck): void {
  const latest = messages.findLastIndex(({ role }) => role === "assistant");
  const prompt = messages.findLastIndex(isPrompt);
  for (const [index, message] of messages.entries()) {
    if (message.role !== "assistant" || (index < latest && index < prompt)) continue;
    const field = `messages.${index}.content`;
    for (const [at, block] of message.content.entries()) checkBlock(block, `${field}.${at}`, signatures);
    const first = message.content[0]?.type;
    const isOpen = index > prompt && message.content.some(({ type }) => type === "tool_use");
    if (thinks && isOpen && first !== "thinking" && first !== "redacted_thinking") {
      throw invalidRequest(
        `${field}.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first ?? "nothing"}\`. ` +
          "While thinking is enabled, an assistant message in a tool loop begins with its thinking block.",
        `${field}.0.type`,
      );
    }
  }
}

/** Whether a user message has more than tool results. */
function isPrompt({ role, content }: WireMessage): boolean {
  return role === "user" && content.some(({ type }) => type !== "tool_result");
}

function checkBlock(block: AssistantBlock, field: string, signatures: AnswerSignatures): void {
  if (block.type === "redacted_thinking" && !signatures.isHidden(block.data)) throw changed(field);
  if (block.type !== "thinking") return;
  const verdict = signatures.verify(kind, block.thinking, block.signature);
  if (verdict === "foreign") throw invalidRequest(`${field}: Invalid \`signature\` in \`thinking\` block`, field);
  if (verdict === "changed") throw changed(field);
}

function changed(field: string): HttpError {
  return invalidRequest(
    `${field}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. ` +
      "They must come back as they were in the response.",
    field,
  );
}
