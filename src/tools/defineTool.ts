/** One declaration gives the type of the arguments, their reader and the JSON Schema that the model is told. */
import * as z from "zod/mini";
import { en } from "zod/locales";
import { type PreparedCall, type Tool, ToolRefusal } from "../domain/tool";

// zod/mini comes without words; the model needs them to mend its call.
z.config(en());

export interface ToolDefinition<S extends z.ZodMiniType> {
  readonly name: string;
  readonly description: string;
  readonly parameters: S;
  readonly prepare: (input: z.infer<S>, signal: AbortSignal) => Promise<PreparedCall>;
}

export function defineTool<S extends z.ZodMiniType>({
  name,
  description,
  parameters,
  prepare,
}: ToolDefinition<S>): Tool {
  const { $schema, ...schema } = z.toJSONSchema(parameters);
  return {
    declaration: { name, description, parameters: schema },
    async prepare(input, signal) {
      const read = parameters.safeParse(input);
      if (!read.success) throw new ToolRefusal(`The arguments don't fit:\n${z.prettifyError(read.error)}`);
      return prepare(read.data, signal);
    },
  };
}
