/**
 * The last rule for every family: a refusal that names an option or a tool of the request is answered by the request without it. Without
 * the rule each request of the chat would be refused in the same way, and *Try Again* would repeat it for ever.
 */
import type { AppError } from "../../domain/errors/appError";
import type { ChatRequest } from "../../domain/chat/message";
import type { LeftOut } from "../../domain/chat/chat";
import { isRefusalOf, type RequestVariant, type VariantRule } from "./familyDefinition";
import { createToolNames } from "./toolNames";

/** In the words of the three families, and of what they say to a model that always thinks. */
const thinking = /\bthink|\breasoning|\beffort\b|\bbudget\b|\boutput_config\b/i;
const temperature = /\btemperature\b/i;
const toolChoice = /\btool_choice\b|\btool_?config\b|\bfunction_?calling_?config\b/i;
/** `tools.0.custom.input_schema`, `tools[0].function.parameters`, `tools[0].function_declarations[2].parameters`. */
const toolIndex = /\btools?\b(?:[.[]\d+\]?\.function_?declarations)?[.[](\d+)/i;
/** What a refusal must name for this rule; a tool of the request is looked for by its name. */
const named = new RegExp(
  [thinking, temperature, toolChoice, toolIndex, /\bschema\b|\bparameters\b|\bpropert/]
    .map(({ source }) => source)
    .join("|"),
  "i",
);
/** Another value is as wrong as none: what is refused is the length of the answer or of the prompt. */
const lengths = /max_(?:completion_|output_)?tokens|maxOutputTokens|context (?:length|window)/i;

/** A value is remembered, not its name: a model without *off* may take *high*. */
export function withoutRefused(request: ChatRequest, { leftOut }: RequestVariant): ChatRequest {
  if (leftOut.length === 0) return request;
  const { options = {}, mustCallTool, ...rest } = request;
  const isLeftOut = (type: LeftOut["type"], value: unknown): boolean =>
    leftOut.some((one) => one.type === type && one.value === String(value));
  const { thinking: effort, temperature: heat, ...others } = options;
  return {
    ...rest,
    tools: request.tools.filter(({ name }) => !isLeftOut("tool", name)),
    options: {
      ...others,
      ...(effort === undefined || isLeftOut("thinking", effort) ? {} : { thinking: effort }),
      ...(heat === undefined || isLeftOut("temperature", heat) ? {} : { temperature: heat }),
    },
    ...(mustCallTool && !isLeftOut("tool-choice", true) ? { mustCallTool } : {}),
  };
}

/** Found by what the refusal names; `undefined` where it names nothing that the request can do without. */
function refusedPart({ message }: AppError, request: ChatRequest): LeftOut | undefined {
  const { options, mustCallTool } = request;
  const tool = refusedTool(message, request);
  if (tool !== undefined) return { type: "tool", value: tool };
  if (mustCallTool && toolChoice.test(message)) return { type: "tool-choice", value: "true" };
  if (options?.temperature !== undefined && temperature.test(message))
    return { type: "temperature", value: String(options.temperature) };
  const isAsked = options?.thinking !== undefined && options.thinking !== false;
  return isAsked && thinking.test(message) ? { type: "thinking", value: String(options.thinking) } : undefined;
}

/** By its place in the request, or by its name beside a word about its schema. */
function refusedTool(message: string, request: ChatRequest): string | undefined {
  const names = createToolNames(request.tools);
  const place = toolIndex.exec(message)?.[1];
  if (place !== undefined) return names.tools[Number(place)]?.name;
  if (!/\bschema\b|\bparameters\b|\bpropert/i.test(message)) return undefined;
  const words = new Set(message.match(/[\w-]{1,64}/g));
  return names.tools.find(({ name }) => words.has(names.toWire(name)))?.name;
}

/** So many parts are left out of one request. */
const maxAtOnce = 3;

/** A rule is used once for a request, so there are as many as parts may be left out. */
export function leaveOutRefused<Variant extends RequestVariant>(): readonly VariantRule<Variant>[] {
  return Array.from({ length: maxAtOnce }, () => ({
    matches: (error) => error.kind === "rejected" && isRefusalOf(error, named) && !lengths.test(error.message),
    change(variant, request, error) {
      const found = refusedPart(error, withoutRefused(request, variant));
      return found === undefined ? undefined : { ...variant, leftOut: [...variant.leftOut, found] };
    },
  }));
}
