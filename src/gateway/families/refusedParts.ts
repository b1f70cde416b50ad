/**
 * The last rule for every family: when a refusal names an option or a tool of the request, the request is sent again without it. Without
 * the rule each request of the chat would be refused in the same way, and *Try Again* would repeat it for ever.
 */
import type { AppError } from "../../domain/errors/appError";
import type { ChatRequest } from "../../domain/chat/message";
import type { LeftOut } from "../../domain/chat/chat";
import { isRefusalOf, type RequestVariant, type VariantRule } from "./familyDefinition";
import { createToolNames } from "./toolNames";

/** The words of the three families for thinking, also in their refusals for a model that always thinks. */
const thinking = /\bthink|\breasoning|\beffort\b|\bbudget\b|\boutput_config\b/i;
const temperature = /\btemperature\b/i;
const toolChoice = /\btool_choice\b|\btool_?config\b|\bfunction_?calling_?config\b/i;
/** `tools.0.custom.input_schema`, `tools[0].function.parameters`, `tools[0].function_declarations[2].parameters`. */
const toolIndex = /\btools?\b(?:[.[]\d+\]?\.function_?declarations)?[.[](\d+)/i;
/** A refusal must match this for the rule. Tools are found by an index, or by their name with a word about the schema. */
const named = new RegExp(
  [thinking, temperature, toolChoice, toolIndex, /\bschema\b|\bparameters\b|\bpropert/]
    .map(({ source }) => source)
    .join("|"),
  "i",
);
/** Refusals of the length of the answer or of the prompt, which leaving out an option does not help. */
const lengths = /max_(?:completion_|output_)?tokens|maxOutputTokens|context (?:length|window)/i;

/** The refused value is remembered, not only the option: a model that refuses *off* may accept *high*. */
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

/** Finds the refused part by the refusal's words; `undefined` where they name no part that can be left out. */
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

/** Finds the tool by its index in the request, or by its name in a message with a word about a schema. */
function refusedTool(message: string, request: ChatRequest): string | undefined {
  const names = createToolNames(request.tools);
  const place = toolIndex.exec(message)?.[1];
  if (place !== undefined) return names.tools[Number(place)]?.name;
  if (!/\bschema\b|\bparameters\b|\bpropert/i.test(message)) return undefined;
  const words = new Set(message.match(/[\w-]{1,64}/g));
  return names.tools.find(({ name }) => words.has(names.toWire(name)))?.name;
}

/** The most parts that are left out after the refusals of one request. */
const maxAtOnce = 3;

/** A rule is used only once for a request, so there is one rule for each part that may be left out. */
export function leaveOutRefused<Variant extends RequestVariant>(): readonly VariantRule<Variant>[] {
  return Array.from({ length: maxAtOnce }, () => ({
    matches: (error) => error.kind === "rejected" && isRefusalOf(error, named) && !lengths.test(error.message),
    change(variant, request, error) {
      const found = refusedPart(error, withoutRefused(request, variant));
      return found === undefined ? undefined : { ...variant, leftOut: [...variant.leftOut, found] };
    },
  }));
}
