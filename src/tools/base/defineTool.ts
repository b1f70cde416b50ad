/** Defines a tool: one schema gives the type of the arguments, their validation and the JSON Schema for the model. */
import * as z from "zod/mini";
import { en } from "zod/locales";
import { toJSONSchema } from "zod/v4/core";
import { isLargerThan, isRecord } from "../../base/jsonValue";
import { argumentBounds } from "../../domain/chat/callBounds";
import { schemaLine } from "../../domain/tools/rootObject";
import { type PrepareContext, type PreparedCall, type Tool, ToolRefusal } from "../../domain/tools/tool";
import { toRefusal } from "../gate/fileAccess";
import { ArgumentRefusal, type ArgumentRules } from "./argumentRules";
import { ignoredNames, type ReadArguments, readArguments } from "./readArguments";

// zod/mini has no messages by default; the model needs them to correct its call.
z.config(en());

/** Characters: validation messages quote the arguments. */
const maxComplaintLength = 2000;

/** A path as an argument; no system accepts a longer one. */
export const pathArgument = (what: string): z.ZodMiniString => z.string().check(z.maxLength(4096), z.describe(what));

export interface ToolDefinition<S extends z.ZodMiniType> extends ArgumentRules {
  readonly name: string;
  readonly description: string;
  readonly effect: Tool["effect"];
  readonly parameters: S;
  readonly prepare: (input: z.infer<S>, signal: AbortSignal, context?: PrepareContext) => Promise<PreparedCall>;
}

export function defineTool<S extends z.ZodMiniType>(definition: ToolDefinition<S>): Tool {
  const { name, description, effect, parameters, prepare } = definition;
  const { $schema, ...schema } = toJSONSchema(parameters, {
    // Of each integer zod writes the largest one of JavaScript, which would cost tokens in every request.
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  const readGiven = (input: unknown): ReadArguments => readArguments(schema, definition, input);
  const refuse = (complaint: string): ArgumentRefusal =>
    new ArgumentRefusal(`The arguments don't fit:\n${complaint}\n${name} takes ${schemaLine(schema)}.`);
  return {
    declaration: { name, description, parameters: schema },
    effect,
    read(given) {
      if (isLargerThan(given, argumentBounds)) return undefined;
      const { input, notes } = readGiven(given);
      return notes.length > 0 && isRecord(input) ? { input, notes } : undefined;
    },
    async prepare(given, signal, context) {
      if (isLargerThan(given, argumentBounds))
        throw new ToolRefusal("The arguments are nested too deeply, or have too many values.");
      const { input, notes, refusal } = readGiven(given);
      if (refusal !== undefined) throw refuse(refusal);
      const read = parameters.safeParse(input);
      const ignored = describeIgnored(ignoredNames(notes));
      if (!read.success) throw refuse(cut(z.prettifyError(read.error)) + ignored);
      const prepared = await asRefusal(prepare(read.data, signal, context)).catch((error: unknown) => {
        throw error instanceof ArgumentRefusal ? refuse(error.message + ignored) : error;
      });
      return withRefusals(prepared, ignored);
    },
  };
}

/** What follows a result. Empty for none. */
function describeIgnored(names: readonly string[]): string {
  return names.length === 0 ? "" : `\n(There are no such arguments, so they were ignored: ${names.join(", ")}.)`;
}

function cut(complaint: string): string {
  return complaint.length > maxComplaintLength
    ? `${complaint.slice(0, maxComplaintLength).toWellFormed()} …`
    : complaint;
}

/** File system errors that a tool did not handle contain absolute paths: they become refusals. `note` follows the result. */
function withRefusals(call: PreparedCall, note: string): PreparedCall {
  if (call.reasons === undefined) {
    return { ...call, run: async (signal, effects) => (await asRefusal(call.run(signal, effects))) + note };
  }
  return {
    ...call,
    async run(signal, effects) {
      const result = await asRefusal(call.run(signal, effects));
      return typeof result === "string" ? result + note : (withRefusals(result, note) as typeof result);
    },
  };
}

async function asRefusal<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw toRefusal(error, "What was asked for");
  }
}
