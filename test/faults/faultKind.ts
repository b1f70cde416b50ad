/** Declares kinds of faults and the schemas of their values. */
import * as z from "zod/mini";
import type {
  FaultKind,
  StreamFault,
  StreamInfo,
  StreamOutput,
  StreamEvent,
} from "../../src/localGateway/http/requestFaults";
import { definedFields } from "../../src/base/definedFields";
import type { Family } from "../../src/domain/chat/chatEvent";

/** A new kind is a line in its table and a `take` where it acts. */
export function kind<T>(name: string, does: string, value: z.ZodMiniType<T>): FaultKind<T> {
  return { name, does, value };
}

/** For faults without a value. */
export const nothing: z.ZodMiniType = z.unknown();

/** One of several variants of a fault; the first is the default. */
export function oneOf<const T extends string>(first: T, ...others: readonly T[]): z.ZodMiniType<T> {
  return z._default(z.enum([first, ...others]), first);
}

/** An integer from 0; the description names its unit. */
export function count(preset: number): z.ZodMiniType<number> {
  return z._default(z.int().check(z.nonnegative()), preset);
}

/** Kinds of stream faults: they change events, their text, or the packets that are written. */
export interface StreamFaultKind extends FaultKind<unknown> {
  /** Missing: all families. */
  readonly family?: Family;
  open(value: unknown, teller: StreamInfo): StreamFault;
}

export function streamKind<T>(
  { name, does, value }: FaultKind<T>,
  open: (value: T, teller: StreamInfo) => StreamFault,
  family?: Family,
): StreamFaultKind {
  return {
    name,
    does,
    value,
    open: (given, teller) => open(value.parse(given), teller),
    ...definedFields({ family }),
  };
}

/** Reads and changes the chunks of the chat-completions family, for its faults. */
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
type ChunkChoice = z.infer<typeof choiceSchema>;
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

/** Recognizes events with content and finish events in all three families, for faults that count them. */
const text = z.string().check(z.minLength(1));
const contentDeltaSchema = z.union([
  z.looseObject({ content: text }),
  z.looseObject({ tool_calls: z.array(z.unknown()).check(z.minLength(1)) }),
]);
const chatSchema = z.looseObject({
  choices: z.array(z.looseObject({ delta: contentDeltaSchema })).check(z.minLength(1)),
});
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
