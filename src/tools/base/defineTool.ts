/** Defines a tool: one schema gives the type of the arguments, their validation and the JSON Schema for the model. */
import * as z from "zod/mini";
import { en } from "zod/locales";
import { toJSONSchema } from "zod/v4/core";
import { isLargerThan } from "../../base/jsonValue";
import { argumentBounds } from "../../domain/chat/callBounds";
import { type CallEffects, type PendingTexts, type PreparedCall, type Tool, ToolRefusal } from "../../domain/tools/tool";
import { toRefusal } from "../gate/fileAccess";

// zod/mini has no messages by default; the model needs them to correct its call.
z.config(en());

/** Characters: validation messages quote the arguments. */
const maxComplaintLength = 2000;

/** A path as an argument; no system accepts a longer one. */
export const pathArgument = (what: string): z.ZodMiniString => z.string().check(z.maxLength(4096), z.describe(what));

export interface ToolDefinition<S extends z.ZodMiniType> {
  readonly name: string;
  readonly description: string;
  readonly parameters: S;
  readonly prepare: (
    input: z.infer<S>,
    signal: AbortSignal,
    pending?: PendingTexts,
    wrote?: CallEffects["wrote"],
  ) => Promise<PreparedCall>;
}

export function defineTool<S extends z.ZodMiniType>({
  name,
  description,
  parameters,
  prepare,
}: ToolDefinition<S>): Tool {
  const { $schema, ...schema } = toJSONSchema(parameters);
  return {
    declaration: { name, description, parameters: schema },
    async prepare(input, signal, pending, wrote) {
      if (isLargerThan(input, argumentBounds))
        throw new ToolRefusal("The arguments are nested too deeply, or have too many values.");
      const read = parameters.safeParse(input);
      if (!read.success) throw new ToolRefusal(`The arguments don't fit:\n${cut(z.prettifyError(read.error))}`);
      return withRefusals(await asRefusal(prepare(read.data, signal, pending, wrote)));
    },
  };
}

function cut(complaint: string): string {
  return complaint.length > maxComplaintLength
    ? `${complaint.slice(0, maxComplaintLength).toWellFormed()} …`
    : complaint;
}

/** File system errors that a tool did not handle contain absolute paths: they become refusals. */
function withRefusals(call: PreparedCall): PreparedCall {
  if (call.reasons === undefined) {
    return { ...call, run: (signal, effects) => asRefusal(call.run(signal, effects)) };
  }
  return {
    ...call,
    async run(signal, effects) {
      const result = await asRefusal(call.run(signal, effects));
      return typeof result === "string" ? result : (withRefusals(result) as typeof result);
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
