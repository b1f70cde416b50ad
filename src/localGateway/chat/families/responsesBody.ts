/** Translates the body of a responses request into one of chat completions, the family of the demo model and of relayed models. */
import * as z from "zod/mini";
import { asArray } from "../../../base/jsonValue";
import { definedFields } from "../../../base/definedFields";
import { readWire, withoutNulls } from "../../http/requestContext";
import { invalidRequest } from "../../http/httpError";

const text = z.looseObject({ type: z.enum(["input_text", "output_text", "text"]), text: z.string() });
const refusal = z.looseObject({ type: z.literal("refusal"), refusal: z.string() });
const image = z.looseObject({ type: z.literal("input_image"), image_url: z.string() });
const part = z.discriminatedUnion("type", [text, refusal, image]);
const content = z.union([z.string(), z.array(part)]);
/** A namespace, which Codex sends with the calls of tools that it has declared within one. */
const space = z.nullish(z.string());

const item = z.discriminatedUnion("type", [
  z.looseObject({
    type: z.literal("message"),
    role: z.enum(["system", "developer", "user", "assistant"]),
    content,
  }),
  z.looseObject({
    type: z.literal("function_call"),
    call_id: z.string(),
    name: z.string(),
    namespace: space,
    arguments: z.string(),
  }),
  z.looseObject({
    type: z.literal("custom_tool_call"),
    call_id: z.string(),
    name: z.string(),
    namespace: space,
    input: z.string(),
  }),
  z.looseObject({
    type: z.enum(["function_call_output", "custom_tool_call_output"]),
    call_id: z.string(),
    output: content,
  }),
  // Earlier thinking and pictures of the model are not sent to it again.
  z.looseObject({ type: z.enum(["reasoning", "image_generation_call"]) }),
]);
type Item = z.infer<typeof item>;

const schemaObject = z.record(z.string(), z.unknown());
const functionTool = z.looseObject({
  type: z.literal("function"),
  name: z.string(),
  description: z.nullish(z.string()),
  parameters: z.nullish(schemaObject),
});
const customTool = z.looseObject({
  type: z.literal("custom"),
  name: z.string(),
  description: z.nullish(z.string()),
});
const ownTool = z.discriminatedUnion("type", [functionTool, customTool]);
const spaceTool = z.looseObject({ type: z.literal("namespace"), name: z.string(), tools: z.array(z.unknown()) });
const anyTool = z.looseObject({ type: z.string() });
const named = z.looseObject({ type: z.enum(["function", "custom"]), name: z.string(), namespace: space });
const allowed = z.looseObject({
  type: z.literal("allowed_tools"),
  mode: z.enum(["auto", "required"]),
  tools: z.array(z.looseObject({ type: z.string(), name: z.optional(z.string()) })),
});
const format = z.discriminatedUnion("type", [
  z.looseObject({ type: z.enum(["text", "json_object"]) }),
  z.looseObject({ type: z.literal("json_schema"), name: z.string(), schema: schemaObject }),
]);

const requestSchema = z.looseObject({
  model: z.string(),
  input: z.union([z.string(), z.array(z.unknown())]),
  instructions: z.optional(z.string()),
  previous_response_id: z.optional(z.string()),
  stream: z.optional(z.boolean()),
  store: z.optional(z.boolean()),
  include: z.optional(z.array(z.string())),
  tools: z.optional(z.array(anyTool)),
  tool_choice: z.optional(z.union([z.enum(["auto", "none", "required"]), named, allowed])),
  parallel_tool_calls: z.optional(z.boolean()),
  reasoning: z.optional(z.looseObject({ effort: z.nullish(z.string()), summary: z.nullish(z.string()) })),
  max_output_tokens: z.optional(z.int().check(z.positive())),
  temperature: z.optional(z.number()),
  top_p: z.optional(z.number()),
  text: z.optional(z.looseObject({ format: z.nullish(format) })),
});

/** A tool as the client declared it. */
export interface ResponsesTool {
  readonly type: "function" | "custom";
  readonly name: string;
  readonly namespace?: string;
}

export interface ResponsesRequest {
  readonly model: string;
  readonly stream: boolean;
  /** The input items with references replaced by their items. They are kept for the next request. */
  readonly items: readonly unknown[];
  readonly isStored: boolean;
  readonly previousId: string | undefined;
  readonly showsReasoning: boolean;
  readonly hidesReasoning: boolean;
  /** The tools by the name that the model gets. */
  readonly tools: ReadonlyMap<string, ResponsesTool>;
  /** The body of `POST /v1/chat/completions`. */
  readonly completion: Readonly<Record<string, unknown>>;
}

/** The kept items of earlier requests of the same account. */
export interface EarlierItems {
  /** All items up to the end of that response. */
  conversation(responseId: string): readonly unknown[] | undefined;
  item(id: string): unknown;
}

/** Fields for features of a service that this gateway does not have. */
const unsupported = ["background", "conversation", "prompt"];

/** Throws the 400 or 404 of a strict service. */
export function readResponsesRequest(body: unknown, earlier: EarlierItems): ResponsesRequest {
  const known = withoutNulls(body);
  const request = readWire(requestSchema, known);
  for (const name of unsupported) {
    if (request[name] !== undefined && request[name] !== false) {
      throw invalidRequest(`${name}: is not supported by this gateway.`, name);
    }
  }
  const items = itemsOf(request, earlier);
  const tools = toolsOf(request.tools ?? []);
  const { reasoning, text: written, tool_choice: choice, include = [] } = request;
  const toldNames = namesOf(tools);
  return {
    model: request.model,
    stream: request.stream === true,
    items,
    isStored: request.store !== false,
    previousId: request.previous_response_id,
    showsReasoning: (reasoning?.summary ?? "none") !== "none",
    hidesReasoning: include.includes("reasoning.encrypted_content"),
    tools: new Map([...tools].map(([name, { tool }]) => [name, tool])),
    completion: definedFields({
      model: request.model,
      messages: messagesOf(items, request.instructions, toldNames),
      stream: request.stream,
      tools: tools.size === 0 ? undefined : [...tools].map(([name, { declared }]) => declare(name, declared)),
      tool_choice: choice === undefined || tools.size === 0 ? undefined : choiceOf(choice, toldNames),
      parallel_tool_calls: request.parallel_tool_calls,
      reasoning_effort: reasoning?.effort ?? undefined,
      max_completion_tokens: request.max_output_tokens,
      temperature: request.temperature,
      top_p: request.top_p,
      response_format: formatOf(written?.format ?? undefined),
    }),
  };
}

type RequestBody = z.infer<typeof requestSchema>;

/** The input after its earlier conversation, with each reference replaced by its item. */
function itemsOf({ input, previous_response_id: previous }: RequestBody, earlier: EarlierItems): readonly unknown[] {
  const before = previous === undefined ? [] : earlier.conversation(previous);
  if (before === undefined) {
    throw invalidRequest(`Previous response with id '${previous}' not found.`, "previous_response_id");
  }
  if (typeof input === "string") return [...before, { type: "message", role: "user", content: input }];
  const reference = z.looseObject({ type: z.literal("item_reference"), id: z.string() });
  const resolved = input.map((one, index) => {
    const read = reference.safeParse(one);
    if (!read.success) return one;
    const found = earlier.item(read.data.id);
    if (found === undefined) throw invalidRequest(`Item with id '${read.data.id}' not found.`, `input.${index}`);
    return found;
  });
  return [...before, ...resolved];
}

interface ToldTool {
  readonly tool: ResponsesTool;
  readonly declared: z.infer<typeof ownTool>;
}

/** The tools by the name that the model gets. Tools that a service would run itself are left out, because none runs here. */
function toolsOf(tools: readonly z.infer<typeof anyTool>[]): ReadonlyMap<string, ToldTool> {
  const told = new Map<string, ToldTool>();
  const add = (one: unknown, field: string, namespace?: string): void => {
    const declared = readItem(ownTool, one, field);
    const name = toldName({ name: declared.name, namespace }, told);
    told.set(name, { declared, tool: { type: declared.type, name: declared.name, ...definedFields({ namespace }) } });
  };
  for (const [index, one] of tools.entries()) {
    const field = `tools.${index}`;
    if (one.type === "function" || one.type === "custom") add(one, field);
    else if (one.type === "namespace") {
      const { name, tools: within } = readItem(spaceTool, one, field);
      for (const [at, inner] of within.entries()) add(inner, `${field}.tools.${at}`, name);
    }
  }
  return told;
}

const maxName = 64;

/** Makes a tool's name for chat completions, which have no namespaces and allow only letters and digits, up to 64 characters. */
function toldName(
  { name, namespace }: { readonly name: string; readonly namespace?: string | undefined },
  taken: ReadonlyMap<string, unknown>,
): string {
  if (namespace === undefined) return name;
  const whole = `${namespace}__${name}`.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(-maxName);
  for (let count = 2, free = whole; ; count += 1, free = `${whole.slice(0, maxName - 4)}_${count}`) {
    if (!taken.has(free)) return free;
  }
}

type Named = { readonly name: string; readonly namespace?: string | null | undefined };
type NameOf = (tool: Named) => string;

/** Maps tools to these names. A tool that this request no longer declares keeps its own name. */
function namesOf(tools: ReadonlyMap<string, ToldTool>): NameOf {
  const keyOf = ({ name, namespace }: Named): string => JSON.stringify([namespace ?? "", name]);
  const told = new Map([...tools].map(([name, { tool }]) => [keyOf(tool), name]));
  return (tool) => told.get(keyOf(tool)) ?? tool.name;
}

/** Declares a tool. If its input is a text, the text becomes its only argument. */
function declare(name: string, declared: z.infer<typeof ownTool>): unknown {
  const description = declared.description ?? "";
  const parameters =
    declared.type === "custom"
      ? { type: "object", properties: { input: { type: "string" } }, required: ["input"] }
      : (declared.parameters ?? { type: "object", properties: {} });
  return { type: "function", function: { name, description, parameters } };
}

function choiceOf(choice: NonNullable<RequestBody["tool_choice"]>, nameOf: NameOf): unknown {
  if (typeof choice === "string") return choice;
  if (choice.type !== "allowed_tools") return { type: "function", function: { name: nameOf(choice) } };
  const tools = choice.tools.flatMap(({ name }) =>
    name === undefined ? [] : [{ type: "function", function: { name: nameOf({ name }) } }],
  );
  return { type: "allowed_tools", allowed_tools: { mode: choice.mode, tools } };
}

function formatOf(wire: z.infer<typeof format> | undefined): unknown {
  if (wire === undefined) return undefined;
  if (wire.type !== "json_schema") return { type: wire.type };
  return { type: "json_schema", json_schema: { name: wire.name, schema: wire.schema } };
}

/** Makes messages of the items. Adjacent calls and a text before them become one assistant message. */
function messagesOf(items: readonly unknown[], instructions: string | undefined, nameOf: NameOf): readonly unknown[] {
  const messages: Record<string, unknown>[] = [];
  if (instructions !== undefined && instructions !== "") messages.push({ role: "system", content: instructions });
  for (const [index, one] of items.entries()) {
    const read = readItem(item, withType(one), `input.${index}`);
    const call = callOf(read, nameOf);
    if (call !== undefined) {
      const last = messages.at(-1);
      if (last?.["role"] === "assistant") {
        last["tool_calls"] = [...asArray(last["tool_calls"]), call];
      } else messages.push({ role: "assistant", content: null, tool_calls: [call] });
    } else if (read.type === "message") {
      messages.push({ role: read.role, content: contentOf(read.content) });
    } else if (read.type === "function_call_output" || read.type === "custom_tool_call_output") {
      messages.push({ role: "tool", tool_call_id: read.call_id, content: contentOf(read.output) });
    }
  }
  return messages;
}

function callOf(read: Item, nameOf: NameOf): unknown {
  if (read.type !== "function_call" && read.type !== "custom_tool_call") return undefined;
  const text = read.type === "function_call" ? read.arguments : JSON.stringify({ input: read.input });
  return { id: read.call_id, type: "function", function: { name: nameOf(read), arguments: text } };
}

function contentOf(wire: z.infer<typeof content>): unknown {
  if (typeof wire === "string") return wire;
  return wire.map((one) => {
    if (one.type === "input_image") return { type: "image_url", image_url: { url: one.image_url } };
    return { type: "text", text: one.type === "refusal" ? one.refusal : one.text };
  });
}

/** Adds the type to a message, which may lack it. */
function withType(one: unknown): unknown {
  return typeof one === "object" && one !== null && !("type" in one) ? { ...one, type: "message" } : one;
}

function readItem<T>(schema: z.ZodMiniType<T>, one: unknown, field: string): T {
  const result = schema.safeParse(one);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = [field, ...(issue?.path ?? [])].join(".");
  throw invalidRequest(`${path}: ${issue?.message ?? "not valid"}.`, path);
}
