/** Reads the body of a chat-completions request into a conversation. */
import * as z from "zod/mini";
import { invalidRequest } from "../../http/httpError";
import { findModel } from "../../demo/models";
import { readWire, withoutNulls } from "../../http/requestContext";
import type { ModelRequest, Conversation, ConversationTurn, DeclaredTool, ToolChoice } from "../../demo/conversation";
import { readImageUrl, type PromptImage } from "../../demo/images";
import { noSuchModel } from "../modelRoutes";

const image = z.looseObject({ type: z.literal("image_url"), image_url: z.looseObject({ url: z.string() }) });
const plainPart = z.looseObject({ type: z.string(), text: z.optional(z.string()) });
const parts = z.array(z.union([image, plainPart]));
const content = z.union([z.string(), z.null(), parts]);
/** The id is optional, because the document shows none. */
const functionCall = z.looseObject({
  id: z.nullish(z.string()),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
});
const customCall = z.looseObject({
  id: z.nullish(z.string()),
  type: z.literal("custom"),
  custom: z.looseObject({ name: z.string(), input: z.string() }),
});
const toolCall = z.union([customCall, functionCall]);
const message = z.discriminatedUnion("role", [
  z.looseObject({ role: z.enum(["system", "developer", "user"]), content }),
  z.looseObject({
    role: z.literal("assistant"),
    content: z.optional(content),
    tool_calls: z.nullish(z.array(toolCall)),
  }),
  z.looseObject({ role: z.literal("tool"), tool_call_id: z.nullish(z.string()), content }),
  // The older form of tool results has names and no ids.
  z.looseObject({ role: z.literal("function"), name: z.string(), content }),
]);
const schemaObject = z.record(z.string(), z.unknown());
const toolName = z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/));
const tool = z.discriminatedUnion("type", [
  z.looseObject({
    type: z.literal("function"),
    function: z.looseObject({
      name: toolName,
      description: z.nullish(z.string()),
      parameters: z.nullish(schemaObject),
    }),
  }),
  z.looseObject({
    type: z.literal("custom"),
    custom: z.looseObject({ name: toolName, description: z.nullish(z.string()) }),
  }),
]);
const someName = z.looseObject({ name: z.string() });
const named = z.union([
  z.looseObject({ type: z.literal("function"), function: someName }),
  z.looseObject({ type: z.literal("custom"), custom: someName }),
]);
const allowedTools = z.looseObject({
  type: z.literal("allowed_tools"),
  allowed_tools: z.looseObject({ mode: z.enum(["auto", "required"]), tools: z.array(named) }),
});
const responseFormat = z.discriminatedUnion("type", [
  z.looseObject({ type: z.enum(["text", "json_object"]) }),
  z.looseObject({
    type: z.literal("json_schema"),
    json_schema: z.looseObject({ name: z.string(), schema: z.optional(schemaObject) }),
  }),
]);
const limit = z.optional(z.nullable(z.int().check(z.positive())));

const requestSchema = z.looseObject({
  model: z.string(),
  messages: z.array(message).check(z.minLength(1)),
  stream: z.optional(z.nullable(z.boolean())),
  stream_options: z.optional(z.nullable(z.looseObject({ include_usage: z.optional(z.boolean()) }))),
  tools: z.optional(z.array(tool).check(z.minLength(1))),
  tool_choice: z.optional(z.union([z.enum(["auto", "none", "required"]), named, allowedTools])),
  n: z.optional(z.nullable(z.literal(1, { error: "this gateway gives one answer a request" }))),
  logprobs: z.optional(z.nullable(z.literal(false, { error: "the built-in model has no probabilities" }))),
  functions: z.optional(z.undefined({ error: "is the form before tools: send tools" })),
  parallel_tool_calls: z.optional(z.boolean()),
  reasoning_effort: z.optional(z.nullable(z.string())),
  seed: z.optional(z.nullable(z.int())),
  max_tokens: limit,
  max_completion_tokens: limit,
  stop: z.optional(z.nullable(z.union([z.string(), z.array(z.string()).check(z.maxLength(4))]))),
  response_format: z.optional(responseFormat),
});

export interface CompletionRequest extends ModelRequest {
  readonly includeUsage: boolean;
  /** The names of tools whose input is a text. */
  readonly customTools: ReadonlySet<string>;
}

/** Throws the 400 or 404 of a strict service. `seed`: the default seed. */
export function readCompletionRequest(body: unknown, seed: number): CompletionRequest {
  const request = readWire(requestSchema, withoutNulls(body));
  const capabilities = findModel(request.model)?.capabilities;
  if (capabilities?.task_types !== undefined) {
    throw invalidRequest(`The model '${request.model}' makes tasks and does not chat.`, "model");
  }
  if (capabilities?.family !== "chat-completions") throw noSuchModel(request.model, "chat-completions");
  const turns = pairToolResults(request.messages.map(readTurn));
  const declared = request.tools ?? [];
  const { toolChoice, allowed } = readChoice(request.tool_choice ?? "auto");
  return {
    model: request.model,
    stream: request.stream === true,
    includeUsage: request.stream_options?.include_usage === true,
    customTools: new Set(declared.flatMap((one) => (one.type === "custom" ? [one.custom.name] : []))),
    stops: [request.stop ?? []].flat(),
    maxTokens: request.max_completion_tokens ?? request.max_tokens ?? Infinity,
    conversation: {
      turns,
      tools: declared.map(readTool).filter(({ name }) => allowed?.has(name) ?? true),
      toolChoice,
      parallel: request.parallel_tool_calls !== false,
      thinking: !["none", "minimal"].includes(request.reasoning_effort ?? ""),
      seed: request.seed ?? seed,
      ...readFormat(request.response_format, turns),
    },
  };
}

/** Reads a tool. A custom tool becomes one whose input is the only argument. */
function readTool(wire: z.infer<typeof tool>): DeclaredTool {
  if (wire.type === "custom") {
    const parameters = { type: "object", properties: { input: { type: "string" } }, required: ["input"] };
    return { name: wire.custom.name, description: wire.custom.description ?? "", parameters };
  }
  const { name, description, parameters } = wire.function;
  return { name, description: description ?? "", parameters: parameters ?? {} };
}

/** `allowed`: the declared tools that may be called, if not all. */
function readChoice(choice: "auto" | "none" | "required" | z.infer<typeof named> | z.infer<typeof allowedTools>): {
  readonly toolChoice: ToolChoice;
  readonly allowed?: ReadonlySet<string>;
} {
  if (typeof choice === "string") return { toolChoice: choice };
  if (choice.type !== "allowed_tools") return { toolChoice: { name: nameOf(choice) } };
  const { mode, tools } = choice.allowed_tools;
  return { toolChoice: mode, allowed: new Set(tools.map(nameOf)) };
}

function nameOf(choice: z.infer<typeof named>): string {
  return choice.type === "function" ? choice.function.name : choice.custom.name;
}

/** Reads the format. As at OpenAI, `json_object` requires the word JSON in a message. */
function readFormat(
  format: z.infer<typeof responseFormat> | undefined,
  turns: readonly ConversationTurn[],
): Pick<Conversation, "json"> {
  if (format === undefined || format.type === "text") return {};
  if (format.type === "json_schema") {
    const { schema } = format.json_schema;
    return { json: schema === undefined ? {} : { schema } };
  }
  if (!turns.some(({ text }) => /json/i.test(text))) {
    throw invalidRequest("The messages must contain the word 'json' to use response_format json_object.", "messages");
  }
  return { json: {} };
}

function readTurn(wire: z.infer<typeof message>, index: number): ConversationTurn {
  const images = Array.isArray(wire.content)
    ? wire.content.flatMap((part, at) => readImage(part, `messages.${index}.content.${at}`))
    : [];
  if (wire.role === "tool" || wire.role === "function") {
    const callId = wire.role === "tool" ? (wire.tool_call_id ?? "") : "";
    return { role: "tool", callId, text: textOf(wire.content), ...(images.length === 0 ? {} : { images }) };
  }
  if (wire.role === "assistant") {
    const calls = (wire.tool_calls ?? []).map((call, at) => ({
      id: call.id ?? `call_${index}_${at}`,
      ...("custom" in call ? customCallOf(customCall.parse(call)) : functionCall.parse(call).function),
    }));
    return { role: "assistant", text: textOf(wire.content ?? null), calls };
  }
  return { role: wire.role === "user" ? "user" : "system", text: textOf(wire.content), images };
}

function customCallOf({ custom: { name, input } }: z.infer<typeof customCall>): {
  readonly name: string;
  readonly arguments: string;
} {
  return { name, arguments: JSON.stringify({ input }) };
}

const textTypes: ReadonlySet<string> = new Set([
  "text",
  "input_text",
  "output_text",
  "refusal",
  "thinking",
  "reasoning",
]);

/** Refuses a part that can't be read, because an answer would look as if the part had been read. */
function readImage(part: z.infer<typeof image> | z.infer<typeof plainPart>, at: string): readonly PromptImage[] {
  if (textTypes.has(part.type)) return [];
  if (part.type !== "image_url") {
    throw invalidRequest(`${at}.type: parts of the type '${part.type}' are not supported by this model.`, at);
  }
  const field = `${at}.image_url`;
  const read = image.safeParse(part);
  if (!read.success) throw invalidRequest(`${field}: must be an object with the url.`, field);
  return [readImageUrl(read.data.image_url.url, field)];
}

/** The texts of a list, joined by line breaks. */
function textOf(wire: z.infer<typeof content>): string {
  if (wire === null || typeof wire === "string") return wire ?? "";
  return wire.flatMap((part) => ("text" in part && typeof part.text === "string" ? part.text : [])).join("\n");
}

/**
 * Checks that a message with N tool calls is followed by exactly N results. A result without an id, as in the document, belongs to the
 * first call without a result. If the client sent back no calls at all, which the document also shows, a result needs no call.
 */
function pairToolResults(turns: readonly ConversationTurn[]): readonly ConversationTurn[] {
  let open: readonly string[] = [];
  let hadCalls = false;
  const paired = turns.map((turn) => {
    if (turn.role === "tool") {
      if (turn.callId === "" && !hadCalls) return turn;
      const callId = turn.callId === "" ? open[0] : turn.callId;
      if (callId === undefined || !open.includes(callId)) {
        throw invalidRequest(`A tool message answers no call before it: ${turn.callId}.`, "messages");
      }
      open = open.filter((id) => id !== callId);
      return { ...turn, callId };
    }
    checkAnswered(open);
    open = turn.role === "assistant" ? turn.calls.map(({ id }) => id) : [];
    hadCalls = open.length > 0;
    return turn;
  });
  checkAnswered(open);
  return paired;
}

function checkAnswered(open: readonly string[]): void {
  if (open.length === 0) return;
  throw invalidRequest(`Each tool call must be followed by its tool message. Missing: ${open.join(", ")}.`, "messages");
}
