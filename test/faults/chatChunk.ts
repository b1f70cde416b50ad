/** Reads and changes the chunks of the chat-completions family, for its faults. */
import * as z from "zod/mini";
import type { StreamOutput, StreamFault } from "../../src/localGateway/http/requestFaults";

const fragmentSchema = z.looseObject({
  index: z.int(),
  id: z.optional(z.string()),
  function: z.looseObject({ name: z.optional(z.string()), arguments: z.optional(z.string()) }),
});
const deltaSchema = z.looseObject({
  role: z.optional(z.string()),
  content: z.optional(z.nullable(z.string())),
  reasoning_content: z.optional(z.string()),
  tool_calls: z.optional(z.array(fragmentSchema)),
});
const choiceSchema = z.looseObject({
  index: z.int(),
  delta: deltaSchema,
  finish_reason: z.nullable(z.string()),
});
const chunkSchema = z.looseObject({ choices: z.tuple([choiceSchema]) });

export type ChatChunk = z.infer<typeof chunkSchema>;
export type ChunkChoice = z.infer<typeof choiceSchema>;
export type ChunkDelta = z.infer<typeof deltaSchema>;

/** Applies `change` to chunks with one choice; the usage chunk and `[DONE]` stay unchanged. */
export function onChunk(change: (chunk: ChatChunk, choice: ChunkChoice) => readonly StreamOutput[]): StreamFault {
  return {
    event(event) {
      const read = chunkSchema.safeParse(event.data);
      return read.success ? change(read.data, read.data.choices[0]) : [event];
    },
  };
}

/** The same chunk with another choice. */
export function withChoice(chunk: ChatChunk, choice: Readonly<Record<string, unknown>>): StreamOutput {
  return { data: { ...chunk, choices: [choice] } };
}

/** The same chunk with another delta. */
export function withDelta(chunk: ChatChunk, delta: unknown): StreamOutput {
  return withChoice(chunk, { ...chunk.choices[0], delta });
}

export function without(
  value: Readonly<Record<string, unknown>>,
  ...names: readonly string[]
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}
