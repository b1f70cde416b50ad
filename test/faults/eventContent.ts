/** Recognizes events with content and finish events in all three families, for faults that count them. */
import * as z from "zod/mini";
import type { StreamEvent } from "../../src/localGateway/http/requestFaults";

const text = z.string().check(z.minLength(1));
const deltaSchema = z.union([
  z.looseObject({ content: text }),
  z.looseObject({ tool_calls: z.array(z.unknown()).check(z.minLength(1)) }),
]);
const chatSchema = z.looseObject({ choices: z.array(z.looseObject({ delta: deltaSchema })).check(z.minLength(1)) });
const messagesSchema = z.looseObject({
  delta: z.looseObject({ type: z.enum(["text_delta", "input_json_delta"]) }),
});
const partSchema = z.union([
  z.looseObject({ text, thought: z.optional(z.literal(false)) }),
  z.looseObject({ functionCall: z.unknown() }),
]);
const generateSchema = z.looseObject({
  candidates: z
    .array(z.looseObject({ content: z.looseObject({ parts: z.array(partSchema).check(z.minLength(1)) }) }))
    .check(z.minLength(1)),
});
const contentSchema = z.union([chatSchema, messagesSchema, generateSchema]);

/** Text and tool calls; not reasoning and framing events. */
export function hasContent({ data }: StreamEvent): boolean {
  return contentSchema.safeParse(data).success;
}

const finishSchema = z.union([
  z.looseObject({ choices: z.array(z.looseObject({ finish_reason: text })).check(z.minLength(1)) }),
  z.looseObject({ type: z.literal("message_delta") }),
  z.looseObject({ candidates: z.array(z.looseObject({ finishReason: text })).check(z.minLength(1)) }),
]);

/** Has a finish reason. */
export function isFinish({ data }: StreamEvent): boolean {
  return finishSchema.safeParse(data).success;
}
